"""The commands that messages name exist: an error whose fix fails helps nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from designer_app.command import designer

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"\bdesigner ((?:[a-z][a-z-]*[a-z]\b ?){1,2})")
QUOTED = re.compile(r"`([^`\n]*)`")


def named_commands() -> Iterator[tuple[str, str]]:
    """Yield the file and the words of each command in backticks."""
    for package in ("designer_app", "pipelines", "modules"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for quoted in QUOTED.findall(path.read_text(encoding="utf-8")):
                for words in NAMED.findall(quoted):
                    yield str(path.relative_to(ROOT)), words.strip()


def is_command(words: str) -> bool:
    """Return True if the words are a command, a group, or a command and its argument."""
    command: Any = get_command(designer)
    for word in words.split():
        members = getattr(command, "commands", None)  # of a group; other words are arguments
        if members is None:
            return True
        if word not in members:
            return False
        command = members[word]
    return True


def test_wrong_commands_are_noticed() -> None:
    assert is_command("endpoints rotate")
    assert is_command("run digits")
    assert not is_command("endpoints key")
    assert not is_command("launch")


def test_messages_name_commands_that_exist() -> None:
    named = list(named_commands())
    assert len(named) > 20
    wrong = [f"{path}: designer {words}" for path, words in named if not is_command(words)]
    assert not wrong
