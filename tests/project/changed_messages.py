"""Table of the messages that changed between two commits, in Markdown.

``python -m tests.project.changed_messages BEFORE [AFTER]`` compares the tables of sentences, which
git holds for both commits, key by key. A sentence with another key is compared by the name of its
constant in the same table. New and deleted messages are counted, not listed.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.project.source import ROOT

PACKAGES = ("modules", "pipelines", "designer_app")


@dataclass(frozen=True)
class Message:
    """A sentence of a table at one commit."""

    table: str
    name: str
    key: str
    message: str
    cure: str

    @property
    def text(self) -> str:
        """Return the message and its fix."""
        return f"{self.message} {self.cure}".strip()


def messages_at(commit: str) -> list[Message]:
    """Return the sentences of all tables at a commit."""
    listed = _git("ls-tree", "-r", "--name-only", commit, "--", *PACKAGES).splitlines()
    return [
        message
        for path in listed
        if _is_table(path)
        for message in messages_in(path, _git("show", f"{commit}:{path}"))
    ]


def _is_table(path: str) -> bool:
    return path.endswith("/sentences.py") or ("/sentences/" in path and path.endswith(".py"))


def messages_in(path: str, source: str) -> Iterator[Message]:
    """Yield the sentences that a file assigns to names."""
    constants: dict[str, str] = {}
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(str(text))):
                constants[name] = text
            case ast.Assign(
                targets=[ast.Name(name)], value=ast.Call(func=ast.Name("Sentence"), args=args)
            ):
                texts = [_text(argument, constants) for argument in args]
                key, message, cure = [*texts, ""][:3]
                yield Message(path, name, key, message, cure)


def _text(node: ast.expr, constants: Mapping[str, str]) -> str:
    """Return a text; unknown parts of it as their source."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.Name(name) if name in constants:
            return constants[name]
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, constants) for part in parts)
        case ast.FormattedValue(value=value):
            return _text(value, constants)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, constants) + _text(right, constants)
    return ast.unparse(node)


def changes(before: list[Message], after: list[Message]) -> Iterator[tuple[Message, Message]]:
    """Yield each message whose text changed, as it was and as it is."""
    by_key = {message.key: message for message in after}
    by_name = {(message.table, message.name): message for message in after}
    for message in before:
        now = by_key.get(message.key) or by_name.get((message.table, message.name))
        if now is not None and now.text != message.text:
            yield message, now


def table(pairs: list[tuple[Message, Message]]) -> str:
    """Return the Markdown table of changes, in the order of the tables and keys."""
    rows = ["| key | before | after |", "| --- | --- | --- |"]
    for before, after in sorted(pairs, key=lambda pair: (pair[1].table, pair[1].key)):
        key = after.key if after.key == before.key else f"{after.key} (was {before.key})"
        rows.append(f"| {key} | {_cell(before.text)} | {_cell(after.text)} |")
    return "\n".join(rows)


def summary(before: list[Message], after: list[Message], num_changed: int) -> str:
    """Return a sentence with the numbers of changed, new and deleted messages."""
    keys: Mapping[str, set[str]] = {
        "before": {message.key for message in before},
        "after": {message.key for message in after},
    }
    new, deleted = keys["after"] - keys["before"], keys["before"] - keys["after"]
    return (
        f"{num_changed:,} of {len(before):,} messages changed; "
        f"{len(new):,} keys are new, {len(deleted):,} were deleted."
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", help="commit before the changes")
    parser.add_argument("after", nargs="?", default="HEAD", help="commit after them")
    options = parser.parse_args(arguments)
    before, after = messages_at(options.before), messages_at(options.after)
    pairs = list(changes(before, after))
    sys.stdout.write(f"{summary(before, after, len(pairs))}\n\n{table(pairs)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
