"""Options of a script, read from its ``argparse`` calls without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_OPTIONS = 200
OF_IMAGES = ("data", "image", "train_dir", "root")
OF_OUTPUTS = ("output", "out_dir", "save_dir", "log_dir", "model_dir", "checkpoint_dir")


@dataclass(frozen=True)
class DeclaredOption:
    """One call of ``add_argument``, as far as its arguments are literals."""

    name: str
    """``--epochs``, or ``data`` for a positional argument."""
    default: str | int | float | bool | None
    is_required: bool
    is_switch: bool
    """True if it takes no value."""
    help: str


def declared_options(source: str) -> list[DeclaredOption]:
    """Return the options in the order of the text; raise ``SyntaxError`` if it is not Python."""
    try:
        tree = ast.parse(source)
    except ValueError as error:  # null bytes
        raise SyntaxError(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("it is nested too deeply") from error
    options = [option for call in _calls(tree) if (option := _option(call))]
    return options[:MOST_OPTIONS]


def usual_arguments(options: list[DeclaredOption]) -> list[str]:
    """Return arguments with the defaults of the options; folders are those of the step."""
    return [words for option in options if (words := _words(option)) is not None]


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield calls in the order of the text, as ``ast.walk`` goes by depth."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add_argument"
    ]
    return iter(sorted(calls, key=lambda call: (call.lineno, call.col_offset)))


def _option(call: ast.Call) -> DeclaredOption | None:
    names = [name for name in map(_value, call.args) if isinstance(name, str) and name]
    if not names:
        return None
    said = {keyword.arg: _value(keyword.value) for keyword in call.keywords if keyword.arg}
    name = next((name for name in names if name.startswith("--")), names[0])
    default, text = said.get("default"), said.get("help")
    is_plain = isinstance(default, (str, int, float, bool))
    return DeclaredOption(
        name=name[:100],
        default=default if is_plain and len(str(default)) <= 1000 else None,
        is_required=said.get("required") is True or not name.startswith("-"),
        is_switch=str(said.get("action", "")).startswith(("store_", "count", "help", "version")),
        help=text[:500] if isinstance(text, str) else "",
    )


def _value(node: ast.expr) -> Any:
    """Return the value of an expression if it is a literal; None for others."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _words(option: DeclaredOption) -> str | None:
    """Return ``--epochs=5``; None if nothing needs to be set."""
    value = _usual_value(option)
    if option.is_switch or value is None:
        return None
    return f"{option.name}={value}" if option.name.startswith("-") else str(value)


def _usual_value(option: DeclaredOption) -> str | int | float | None:
    name = option.name.lstrip("-").replace("-", "_").lower()
    is_text = option.default is None or isinstance(option.default, str)
    if is_text and any(word in name for word in OF_OUTPUTS):
        return "./outputs"
    if is_text and any(word in name for word in OF_IMAGES):
        return "{{inputs.images}}"
    if option.default is not None:
        return option.default
    return name.upper() if option.is_required else None
