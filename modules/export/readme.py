"""README of an exported model: the card as Markdown, and code that calls the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modules.export.card import facts_of_card, in_markdown_cell

_PYTHON = """\
import json
import numpy as np
import onnxruntime  # pip install onnxruntime pillow
from PIL import Image, ImageOps

def rgb(file):
    image = ImageOps.exif_transpose(Image.open(file))
    if image.mode.startswith("I"):  # 16-bit grey
        image = Image.fromarray((np.asarray(image, np.float32) / 257).round().astype(np.uint8))
    if image.has_transparency_data:
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image.convert("RGBA"))
    return np.asarray(image.convert("RGB"))

session = onnxruntime.InferenceSession("{file}")
labels = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
pixels = rgb("photo.jpg"){prepared}
probabilities, label = session.run(["probabilities", "label"], {{"pixels": pixels}})
print(labels[int(label{first})], float(probabilities.max()))
"""
_JAVASCRIPT = """\
import * as ort from "onnxruntime-web"; // npm install onnxruntime-web

const session = await ort.InferenceSession.create("{file}");
const labels = await (await fetch("labels.txt")).text().then((text) => text.trim().split("\\n"));
const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
const rgb = new Uint8Array(width * height * 3);
for (let i = 0; i < width * height; i++) rgb.set(data.subarray(4 * i, 4 * i + 3), 3 * i);
const pixels = new ort.Tensor("uint8", rgb, [{batch}height, width, 3]);
const { label } = await session.run({ pixels });
console.log(labels[Number(label.data[0])]);
"""
_CSHARP = """\
// dotnet add package Microsoft.ML.OnnxRuntime; dotnet add package SixLabors.ImageSharp
using Microsoft.ML.OnnxRuntime;
using Microsoft.ML.OnnxRuntime.Tensors;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

using var session = new InferenceSession("{file}");
var labels = File.ReadAllLines("labels.txt");
using var image = Image.Load<Rgb24>("photo.jpg");
image.Mutate(operation => operation.AutoOrient());
var bytes = new byte[image.Width * image.Height * 3];
image.CopyPixelDataTo(bytes);
var pixels = new DenseTensor<byte>(bytes, new[] { {batch}image.Height, image.Width, 3 });
using var results = session.Run(new[] { NamedOnnxValue.CreateFromTensor("pixels", pixels) });
Console.WriteLine(labels[results.First(value => value.Name == "label").AsTensor<long>().First()]);
"""
_TORCH = """\
import numpy as np
import torch  # pip install torch pillow
from PIL import Image, ImageOps

program = torch.export.load("{file}").module()
labels = open("labels.txt", encoding="utf-8").read().splitlines()
image = ImageOps.exif_transpose(Image.open("photo.jpg")).convert("RGB")
image = ImageOps.fit(image, ({width}, {height}))
probabilities, label = program(torch.from_numpy(np.asarray(image).copy())[None])
print(labels[int(label[0])], float(probabilities.max()))
"""
_SAFETENSORS = """\
from safetensors.torch import load_file  # pip install safetensors torch

weights = load_file("{file}")  # the state dict of the network
"""


def readme(card: Mapping[str, Any], labels: Sequence[str], file: str) -> str:
    """Return the README of a model whose file has this name."""
    title = in_markdown_cell(card["name"])
    parts = [f"# {title}", _facts(card), "## Preparation of images", _preparation(card)]
    parts += ["## Classes", _classes(card, labels)]
    metrics = _metrics(card)
    if metrics:
        parts += ["## Metrics of the training", metrics]
    parts += ["## Limits", _listed(card["limits"]), "## Use", _examples(card, file)]
    return "\n\n".join(parts) + "\n"


def labels_text(labels: Sequence[str]) -> str:
    """Return one label per line, in the order of the outputs."""
    return "".join(" ".join(label.splitlines()) + "\n" for label in labels)


def _facts(card: Mapping[str, Any]) -> str:
    rows = [f"| {name} | {in_markdown_cell(text)} |" for name, text in facts_of_card(card)]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def _preparation(card: Mapping[str, Any]) -> str:
    where = (
        "These steps are inside the file:"
        if card["preparation_inside"]
        else "Only the last step is inside the file. Apply the others first:"
    )
    return f"{where}\n\n{_listed(card['preparation'])}"


def _classes(card: Mapping[str, Any], labels: Sequence[str]) -> str:
    training, validation = card.get("training_images"), card.get("validation_images")
    measured = {row["class"]: row for row in card.get("per_class", ())}
    names = ["Class", "Training images", "Validation images"]
    names += ["Checked images", "Precision", "Recall", "F1"] if measured else []
    rows = []
    for label in labels:
        row = [label, (training or {}).get(label), (validation or {}).get(label)]
        if measured:
            row += [measured[label][key] for key in ("images", "precision", "recall", "f1")]
        rows.append("| " + " | ".join(map(in_markdown_cell, row)) + " |")
    header = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
    return "\n".join([*header, *rows])


def _metrics(card: Mapping[str, Any]) -> str:
    metrics = card.get("metrics")
    items = metrics.items() if isinstance(metrics, dict) else ()
    return _listed(
        f"{in_markdown_cell(name)}: {value:.6g}"
        for name, value in items
        if isinstance(value, int | float)
    )


def _listed(lines: Any) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _examples(card: Mapping[str, Any], file: str) -> str:
    if card["format"] == "safetensors":
        return _fenced("python", _SAFETENSORS.replace("{file}", file))
    size = card["input_size"]
    if card["format"] == "torch-export":
        return _fenced("python", _TORCH.format(file=file, **size))
    batch = not card["preparation_inside"]
    prepared = "[None]  # prepared as described above" if batch else ""
    python = _PYTHON.format(file=file, prepared=prepared, first="[0]" if batch else "")
    parts = [_fenced("python", python)]
    for language, code in (("javascript", _JAVASCRIPT), ("csharp", _CSHARP)):
        filled = code.replace("{file}", file).replace("{batch}", "1, " if batch else "")
        parts.append(_fenced(language, filled))
    return "\n\n".join(parts)


def _fenced(language: str, code: str) -> str:
    return f"```{language}\n{code}```"
