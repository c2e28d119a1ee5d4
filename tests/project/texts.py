"""What people read: in Python, in lessons, in elements of pages, in the README."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from modules.catalog import builtin_catalog
from modules.description import describe
from tests.project import source
from tests.project.source import ROOT

PRODUCT = ("modules", "pipelines", "designer_app", "pipeline_designer")
PROSE = re.compile(r"^\W*[A-Z]|\S\s|\s\S")
NOT_SAID = re.compile(r"^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|PRAGMA)\b")
FENCED = re.compile(r"^```([\w{}]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^```python\n.*?^```", re.MULTILINE | re.DOTALL)
MARKUP = re.compile(r"<[^>]*>")
QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")


class Text(NamedTuple):
    """A sentence or label, and the file that it is in."""

    place: str
    words: str


@cache
def all_texts() -> tuple[Text, ...]:
    """Every text that a person may see, but those of the editor's own files."""
    return tuple(_all_texts())


def _all_texts() -> Iterator[Text]:
    yield from _of_python()
    yield from _of_modules()
    yield from _of_library()
    yield from _of_elements()
    yield from _paragraphs("README.md")


def _of_python() -> Iterator[Text]:
    for path in source.python_files(*PRODUCT):
        nodes = source.nodes(path)
        others = {*_docstrings(nodes), *_word_lists(nodes)}
        for node in nodes:
            if isinstance(node, ast.Constant) and node not in others and _is_prose(node.value):
                yield Text(f"{path}:{node.lineno}", " ".join(str(node.value).split()))


def _docstrings(nodes: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    for node in nodes:
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield statement.value


def _word_lists(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Lists of words that are split: names of files and folders, which nobody reads as a text."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name("word_list"), args=arguments):
                yield from arguments


def _is_prose(value: object) -> bool:
    return isinstance(value, str) and bool(PROSE.search(value)) and not NOT_SAID.match(value)


def _of_modules() -> Iterator[Text]:
    """What modules say of themselves: their docstrings are shown, too."""
    for module in builtin_catalog().modules:
        for words in _strings(describe(module)):
            yield Text(f"module {module.id}", words)


def _of_library() -> Iterator[Text]:
    for path in sorted((ROOT / "pipelines" / "lessons" / "library").rglob("*.json")):
        for words in _strings(json.loads(path.read_text("utf-8"))):
            yield Text(str(path.relative_to(ROOT)), words)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "typed_script":
                yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif _is_prose(value):
        yield str(value)


def _of_elements() -> Iterator[Text]:
    for path in sorted((ROOT / "designer_app").rglob("*")):
        folder = path.relative_to(ROOT).parts[1]
        if folder in {"editor", "frontend", "documentation"} or path.suffix not in {".html", ".js"}:
            continue
        written = path.read_text("utf-8")
        pieces = MARKUP.split(written) if path.suffix == ".html" else []
        quoted = (next(filter(None, each.groups()), "") for each in QUOTED.finditer(written))
        for words in [*pieces, *quoted]:
            if _is_prose(words.strip()):
                yield Text(str(path.relative_to(ROOT)), " ".join(words.split()))


def _paragraphs(name: str) -> Iterator[Text]:
    written = MARKUP.sub("", PROGRAM.sub("", (ROOT / name).read_text("utf-8")))
    for paragraph in written.split("\n\n"):
        yield Text(name, " ".join(paragraph.split()))
