"""The files of this checkout, read as source: what the tests of this folder look at."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("designer_app", "modules", "pipeline_designer", "pipelines")
FOLDERS = (*PRODUCT, "tests", "benchmarks", "docs", ".ci")
GENERATED = frozenset(
    {"__pycache__", "node_modules", "dist", "results", "documentation", "generated"}
)
TEXT = frozenset({"", ".py", ".md", ".toml", ".json", ".ts", ".tsx", ".css", ".html", ".in"})


@cache
def text_files() -> tuple[Path, ...]:
    """Every hand-written text file, relative to the checkout."""
    return tuple(_text_files())


def _text_files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in TEXT and not GENERATED & set(path.parts):
                yield path.relative_to(ROOT)
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and path.suffix in TEXT and not path.name.startswith("."):
            yield path.relative_to(ROOT)


def python_files(*folders: str) -> list[Path]:
    """The Python files of some of the top-level folders, or of all."""
    chosen = folders or FOLDERS
    return [path for path in text_files() if path.suffix == ".py" and path.parts[0] in chosen]


def imported_libraries(path: Path) -> set[str]:
    """The top-level names of all that a file imports anywhere."""
    return _names(nodes(path))


def libraries_imported_at_once(path: Path) -> set[str]:
    """The top-level names of what importing the file imports: not in functions, not for types."""
    return _names(_executed_on_import(parsed(path)))


def public_classes(path: Path) -> list[str]:
    """The names of the classes of a file that others may import."""
    classes = (node.name for node in parsed(path).body if isinstance(node, ast.ClassDef))
    return [name for name in classes if not name.startswith("_")]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return tuple(ast.walk(parsed(path)))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, relative to the checkout."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


def _executed_on_import(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _executed_on_import(child)


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names
