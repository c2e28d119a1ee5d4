"""README.md and the documentation: every command that they name exists, every page is listed."""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

from typer.main import get_command

from designer_app.command import designer
from tests.project.source import ROOT
from tests.project.texts import FENCED

SHELLS = frozenset({"", "sh", "bash", "console", "shell"})
INLINE = re.compile(r"`((?:make|designer)(?: [^`\n]*)?)`")
SHELL_STOPS = frozenset({"|", "||", "&&", ";", "&", ">", ">>", "<", "2>"})
MAX_README_LINES = 120
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"environ(?:\.get\(|\[)\"(DESIGNER_[A-Z_]+)\"")
INTERNAL = {
    "DESIGNER_BOOTSTRAP",
    "DESIGNER_ENDPOINT_PARENT",
    "DESIGNER_GIVE_PYTORCH_NAMES",
    "DESIGNER_INPUT_",
    "DESIGNER_MACHINES",
    "DESIGNER_MEETING_FILE",
    "DESIGNER_METRICS",
    "DESIGNER_NODE_COUNT",
    "DESIGNER_NODE_RANK",
    "DESIGNER_OUTPUT_",
    "DESIGNER_PROCESSES_PER_NODE",
    "DESIGNER_PYTHON",
    "DESIGNER_REMOTE_PROGRAM",
    "DESIGNER_REMOTE_SHELL",
    "DESIGNER_RUNNER_OF",
}
"""Variables that processes of the designer set for each other."""


@cache
def pages() -> tuple[Path, ...]:
    """README.md, CONTRIBUTING.md and the written pages of the documentation."""
    written = [path for path in (ROOT / "docs").rglob("*.md") if "generated" not in path.parts]
    return ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(written)


def find_commands(markdown: str) -> list[list[str]]:
    """The ``make`` and ``designer`` commands of a text, as lists of words."""
    blocks = [block for kind, block in FENCED.findall(markdown) if kind in SHELLS]
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += INLINE.findall(FENCED.sub("", markdown))
    commands = []
    for line in lines:
        for words in _simple_commands(line.strip().removeprefix("$ ")):
            program = Path(words[0]).name
            if program in {"make", "designer"}:
                commands.append([program, *words[1:]])
    return commands


def _simple_commands(line: str) -> list[list[str]]:
    """The commands of one shell line, split where the shell starts another."""
    words, commands = shlex.split(line, comments=True), [[]]  # type: list[str], list[list[str]]
    for word in words:
        if word in SHELL_STOPS:
            commands.append([])
        elif commands[-1] or "=" not in word:  # NAME=value before a command is no command
            commands[-1].append(word)
    return [command for command in commands if command]


def all_commands() -> list[tuple[str, ...]]:
    """Every command of every page, once."""
    found = {tuple(words) for page in pages() for words in find_commands(page.read_text("utf-8"))}
    return sorted(found)


def test_commands_are_found() -> None:
    text = (
        "Run `make test` or:\n```sh\n$ A=1 .venv/bin/designer run x.json --json | head  # go\n```\n"
    )
    assert find_commands(text) == [["designer", "run", "x.json", "--json"], ["make", "test"]]


def test_readme_is_short_and_names_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= MAX_README_LINES
    assert {words[0] for words in find_commands(readme)} == {"make", "designer"}


def test_make_verbs_exist() -> None:
    output = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    verbs = {line.split()[1] for line in output.splitlines()}
    named = {
        word
        for program, *words in all_commands()
        for word in words
        if program == "make" and "=" not in word and not word.startswith("-")
    }
    assert named <= verbs


def test_every_picture_is_shown_and_every_one_shown_exists() -> None:
    folder = ROOT / "docs" / "pictures"
    shown = set()
    for page in pages():
        text = page.read_text("utf-8")
        names = re.findall(r'(?:src|srcset)="([^"]+)"|\{image\} (\S+)', text)
        shown |= {(page.parent / (one or other)).resolve() for one, other in names}
    assert shown == set(folder.iterdir())


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = set()
    for page in pages():
        for entries in TOCTREE.findall(page.read_text("utf-8")):
            names = [line for line in entries.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / f"{name}.md").resolve() for name in names}
    docs = {page for page in pages() if page.is_relative_to(ROOT / "docs")}
    assert docs - listed == {ROOT / "docs" / "index.md"}


def test_every_setting_is_documented() -> None:
    written = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    sources = [
        path
        for top in ("modules", "pipelines", "designer_app")
        for path in (ROOT / top).rglob("*.py")
    ]
    names = {name for path in sources for name in VARIABLE.findall(path.read_text("utf-8"))}
    assert {name for name in names - INTERNAL if f"`{name}`" not in written} == set()


def test_designer_commands_exist() -> None:
    """With ``--help`` at its end a command is parsed, with all its options, and not run."""
    command = get_command(designer)
    for program, *words in all_commands():
        if program != "designer" or any(word.isupper() and len(word) == 1 for word in words):
            continue
        words = [word for word in words if word != "..."]
        shown = command.main([*words, "--help"], prog_name=program, standalone_mode=False)
        assert not shown, f"designer {shlex.join(words)}"
