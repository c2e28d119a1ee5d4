"""Code samples that call an endpoint: curl, Python, JavaScript, C#."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {
    "curl": "bash",
    "Python": "python",
    "JavaScript": "javascript",
    "C#": "csharp",
}
"""Titles of the samples, and their names for highlighting."""


def samples(address: str, *, needs_key: bool) -> dict[str, str]:
    """Return the samples by title; they need no package except those of the language."""
    url = f"{address}/score"
    return {
        "curl": _curl(url, needs_key),
        "Python": _python(url, needs_key),
        "JavaScript": _javascript(url, needs_key),
        "C#": _csharp(url, needs_key),
    }


def _curl(url: str, needs_key: bool) -> str:
    key = "  -H 'Authorization: Bearer KEY' \\\n" if needs_key else ""
    return f"curl {url} \\\n{key}  -H 'Content-Type: image/jpeg' --data-binary @image.jpg"


def _python(url: str, needs_key: bool) -> str:
    key = ', "Authorization": "Bearer KEY"' if needs_key else ""
    return (
        "import json\nimport urllib.request\n\n"
        'with open("image.jpg", "rb") as file:\n'
        "    request = urllib.request.Request(\n"
        f'        "{url}",\n'
        "        file.read(),\n"
        f'        {{"Content-Type": "image/jpeg"{key}}},\n'
        "    )\n"
        "with urllib.request.urlopen(request) as response:\n"
        "    answer = json.load(response)\n"
        'print(answer["label"], max(answer["probabilities"].values()))\n'
    )


def _javascript(url: str, needs_key: bool) -> str:
    key = ', Authorization: "Bearer KEY"' if needs_key else ""
    return (
        'import { readFile } from "node:fs/promises";\n\n'
        f'const response = await fetch("{url}", {{\n'
        '  method: "POST",\n'
        f'  headers: {{ "Content-Type": "image/jpeg"{key} }},\n'
        '  body: await readFile("image.jpg"),\n'
        "});\n"
        "const { label, probabilities } = await response.json();\n"
        "console.log(label, probabilities[label]);\n"
    )


def _csharp(url: str, needs_key: bool) -> str:
    key = (
        'client.DefaultRequestHeaders.Authorization = new("Bearer", "KEY");\n' if needs_key else ""
    )
    return (
        "using System.Text.Json;\n\n"
        "using var client = new HttpClient();\n"
        f"{key}"
        'var body = new ByteArrayContent(File.ReadAllBytes("image.jpg"));\n'
        'body.Headers.ContentType = new("image/jpeg");\n'
        f'var response = await client.PostAsync("{url}", body);\n'
        "using var answer = JsonDocument.Parse(await response.Content.ReadAsStreamAsync());\n"
        'Console.WriteLine(answer.RootElement.GetProperty("label").GetString());\n'
    )
