"""Words and names that ``words.md`` replaces by standard terms, counted for each folder.

The counts in ``tests/cases/dialect_counts.json`` may only fall. Run as a program, it lists every
finding below some paths (``python -m tests.project.dialect modules/training``); ``--record`` writes
the counts.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.project import source
from tests.project.source import ROOT
from tests.project.texts import all_texts

PAIRS = ROOT / "tests/cases/dialect.json"
COUNTS = ROOT / "tests/cases/dialect_counts.json"
PRODUCT = ("designer_app", "modules", "pipeline_designer", "pipelines")
OPENERS = re.compile(r"(What|Whether|Where|Who|That|Which)\b")
"""First words of a docstring that names neither a thing nor an action."""
VARIABLES = frozenset({"each", "found", "told", "given", "what", "here", "so_far"})
CODE = re.compile(r"``[^`]*``|`[^`\n]*`|^```.*?^```", re.MULTILINE | re.DOTALL)
DOC_COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
COMMENT = re.compile(r"(?:^|\s)//([^\n]*)$|(?<!\S)/\*(?!\*)(.*?)\*/", re.MULTILINE | re.DOTALL)
MAX_LINE = 160


class Finding(NamedTuple):
    """One use of a word or name: where, of which kind, and the text around it."""

    path: str
    kind: str
    text: str


@cache
def words() -> re.Pattern[str]:
    """One expression for all words of the dialect."""
    pairs = json.loads(PAIRS.read_text("utf-8"))
    # Each begins where a word does: tried only there, they take a fraction of the time.
    return re.compile(rf"\b(?:{'|'.join(pair['never'] for pair in pairs)})")


def counts() -> dict[str, dict[str, int]]:
    """The number of findings by folder and kind."""
    counter = Counter((_folder(finding.path), finding.kind) for finding in findings())
    folders: dict[str, dict[str, int]] = {}
    for (folder, kind), count in sorted(counter.items()):
        folders.setdefault(folder, {})[kind] = count
    return folders


def findings() -> Iterator[Finding]:
    """Every finding in the product and its documents, and names in tests of pipelines."""
    for path in source.python_files(*PRODUCT):
        yield from _in_python(path)
    for path in source.python_files("tests"):
        if path.is_relative_to("tests/pipelines"):
            yield from _names_in(path, source.nodes(path))
    for path in source.text_files():
        if path.suffix in {".ts", ".tsx"} and path.parts[0] == "designer_app":
            yield from _in_typescript(path)
        elif path.suffix == ".md":
            yield from _in_prose(path, "documents", (ROOT / path).read_text("utf-8"))
    for text in all_texts():
        yield from _in_prose(Path(text.place.partition(":")[0]), "texts", text.words)


def _in_python(path: Path) -> Iterator[Finding]:
    written = (ROOT / path).read_text("utf-8")
    nodes = source.nodes(path)
    for docstring in _docstrings(nodes):
        if OPENERS.match(docstring):
            yield Finding(str(path), "openers", docstring.partition("\n")[0])
        yield from _in_prose(path, "docstrings", docstring)
    if any(_in_prose(path, "comments", line.partition("#")[2]) for line in written.splitlines()):
        for token in tokenize.generate_tokens(io.StringIO(written).readline):
            if token.type == tokenize.COMMENT:
                yield from _in_prose(path, "comments", token.string)
    yield from _names_in(path, nodes)


def _names_in(path: Path, nodes: Iterable[ast.AST]) -> Iterator[Finding]:
    return (Finding(str(path), "names", name) for name in _assigned(nodes) if name in VARIABLES)


def _docstrings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Docstrings of definitions, and the strings below constants and fields."""
    for node in nodes:
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value.strip()


def _assigned(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _in_typescript(path: Path) -> Iterator[Finding]:
    written = (ROOT / path).read_text("utf-8")
    if ".gen." in path.name:
        return
    for match in DOC_COMMENT.finditer(written):
        comment = re.sub(r"^\s*\*+ ?", "", match[1], flags=re.MULTILINE).strip()
        if OPENERS.match(comment):
            yield Finding(str(path), "openers", comment.partition("\n")[0])
        yield from _in_prose(path, "docstrings", comment)
    for match in COMMENT.finditer(written):
        yield from _in_prose(path, "comments", match[1] or match[2] or "")
    for name in re.findall(r"\b(?:const|let) (\w+)\b|\((\w+)\) =>", written):
        if (name[0] or name[1]) in VARIABLES:
            yield Finding(str(path), "names", name[0] or name[1])


def _in_prose(path: Path, kind: str, text: str) -> list[Finding]:
    prose = CODE.sub("`code`", text)
    findings = []
    for match in words().finditer(prose):
        start = max(match.start() - MAX_LINE // 2, 0)
        around = prose[start : match.end() + MAX_LINE // 2]
        findings.append(Finding(str(path), kind, f"[{match[0]}] {' '.join(around.split())}"))
    return findings


def _folder(path: str) -> str:
    """The package of a file, at most two levels deep; the editor's browser half is one of them."""
    if "/frontend/" in path:
        parts = path.partition("/frontend/")[2].split("/")
        return "/".join(["frontend", *parts[:-1][:2]])
    return "/".join(path.split("/")[:-1][:2]) or path


def main() -> None:
    arguments = sys.argv[1:]
    if arguments == ["--record"]:
        COUNTS.write_text(json.dumps(counts(), indent=1) + "\n", encoding="utf-8")
        return
    for finding in findings():
        if not arguments or any(finding.path.startswith(path) for path in arguments):
            print(f"{finding.path}  {finding.kind}  {finding.text}")


if __name__ == "__main__":
    main()
