"""Every command that README.md names exists, with the options it names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.source import ROOT
from tests.project.texts import FENCED

SHELLS = frozenset({"", "sh", "bash", "console", "shell"})
INLINE = re.compile(r"`((?:make|designer)(?: [^`\n]*)?)`")
SHELL_STOPS = frozenset({"|", "||", "&&", ";", "&", ">", ">>", "<", "2>"})


def find_commands(markdown: str) -> list[list[str]]:
    """The ``make`` and ``designer`` commands of a text, as lists of words."""
    blocks = [block for kind, block in FENCED.findall(markdown) if kind in SHELLS]
    lines = [line for block in blocks for line in block.splitlines()]
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


def test_commands_are_found() -> None:
    text = (
        "Run `make test` or:\n```sh\n$ A=1 .venv/bin/designer run x.json --json | head  # go\n```\n"
    )
    assert find_commands(text) == [["designer", "run", "x.json", "--json"], ["make", "test"]]


def test_readme_names_commands() -> None:
    programs = {words[0] for words in find_commands(_readme())}
    assert programs == {"make", "designer"}


def test_make_verbs_of_the_readme_exist() -> None:
    output = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    verbs = {line.split()[1] for line in output.splitlines()}
    named = {
        word
        for program, *words in find_commands(_readme())
        for word in words
        if program == "make" and "=" not in word and not word.startswith("-")
    }
    assert named <= verbs


def test_every_picture_is_shown_and_every_one_shown_is_there() -> None:
    folder = ROOT / "tests" / "browser" / "pictures"
    shown = set(re.findall(r'(?:src|srcset)="([^"]+)"', _readme()))
    assert shown == {path.relative_to(ROOT).as_posix() for path in folder.iterdir()}


@pytest.mark.extended
def test_designer_commands_of_the_readme_exist() -> None:
    designer = str(Path(sys.executable).with_name("designer"))
    for program, *words in find_commands(_readme()):
        if program == "designer":
            _expect_help(designer, words)


def _expect_help(designer: str, words: list[str]) -> None:
    """With ``--help`` behind it a command is parsed, with all its options, and not run."""
    result = subprocess.run([designer, *words, "--help"], capture_output=True, text=True)
    assert result.returncode == 0, f"designer {shlex.join(words)}: {result.stderr}"


def _readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")
