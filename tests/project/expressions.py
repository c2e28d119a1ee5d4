"""The regular expressions of the product, and texts that a backtracking engine is slow on.

Run as a program, it attacks every expression and prints one JSON line before and after each.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.project.source import ROOT, nodes, python_files

METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
PRODUCT = ("modules", "pipelines", "designer_app", "pipeline_designer")
SCREENING_SIZES, SLOW_SCREENING_SECONDS, FAULTY_SCREENING_SECONDS = (
    (250, 500, 1_000, 2_000),
    0.02,
    0.2,
)
SIZES = (6_250, 25_000, 100_000, 400_000)
"""Characters of a text. Four times the text may take about four times as long."""
SECONDS_PER_100_KB = 2.0
LARGEST_GROWTH, NOTICED_SECONDS = 9.0, 0.3
"""Quadratic time grows sixteenfold from one size to the other, linear time fourfold."""
CUBIC_GROWTH = 64.0
NUM_ATTACKS = 3
MAX_ATTACKS = 400
MAX_CORE = 10
SHORT_TEXT_SECONDS = 0.1
SHORT_TEXTS: Mapping[str, int] = {
    "modules/scripts/intake/log_suggestions.py NAMED": 300,  # MAX_LENGTH of a line
    "modules/scripts/intake/log_suggestions.py STEP": 300,
    "modules/scripts/intake/pattern_cost.py TOKEN": 300,  # and of an expression
    "pipelines/environments/requirement_lines.py ADDRESS": 500,  # MAX_LINE
}
"""Expressions whose texts are cut or refused beyond so many characters before they are applied."""
KNOWN_AT_CALL = frozenset(
    {
        "PATH_PATTERNS[name]",
        "PATH_PATTERNS[pattern]",
        "pattern",  # designer_app/viewers/dialog.py, of PATH_PATTERNS
        "f'{OPENED}{re.escape(lesson.slug)}(-[0-9]+)?'",
        "fitting",  # designer_app/ui/query_params.py, of PATH_PATTERNS
        "linear(regex)",
        "one",  # modules/scripts/intake/pattern_cost.py, of one token
        "self.expression",  # a user's, whose cost pattern_cost.py limits
        "title",  # modules/declare.py
    }
)
"""Patterns that are made or chosen when a call is made: of escaped text, of tables that are
attacked by themselves, or with a limited cost."""

_parser: Any = importlib.import_module("re._parser")


@dataclass(frozen=True)
class Expression:
    """A regular expression of the product, and how it is applied."""

    place: str
    name: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.place} {self.name}"


@dataclass(frozen=True)
class Attack:
    """A text that repeats a part of an expression: after what leads to it, before what ends it."""

    start: str
    core: str
    end: str

    def of_size(self, size: int) -> str:
        return self.start + self.core * (size // len(self.core)) + self.end


def expressions() -> Iterator[Expression]:
    """Every expression that the product compiles or passes to ``re``."""
    for path in python_files(*PRODUCT):
        for node in nodes(path):
            if isinstance(node, ast.Call) and _function_of_re(node.func):
                yield _expression(path, node)


def _function_of_re(func: ast.expr) -> str | None:
    match func:
        case ast.Attribute(value=ast.Name("re"), attr=method) if method in (*METHODS, "compile"):
            return method
    return None


def _expression(path: Path, call: ast.Call) -> Expression:
    method = _function_of_re(call.func)
    flags = [each.value for each in call.keywords if each.arg == "flags"]
    if method == "compile":
        flags += call.args[1:2]
    try:
        pattern = _evaluated(path, call.args[0])
        number = _evaluated(path, flags[0]) if flags else 0
    except NameError:
        pattern, number = "", 0
    compiled = re.compile(pattern, number)
    methods = _methods_of(path, call) if method == "compile" else (str(method),)
    return Expression(path.as_posix(), _name_of(path, call), compiled, methods)


def _evaluated(path: Path, expression: ast.expr) -> Any:
    if isinstance(expression, ast.Constant):
        return expression.value
    module = importlib.import_module(".".join(path.with_suffix("").parts))
    code = compile(ast.Expression(expression), str(path), "eval")
    return eval(code, vars(module))  # noqa: S307 - it is the product's own code


def _methods_of(path: Path, call: ast.Call) -> tuple[str, ...]:
    """The methods that are called on a compiled expression; all of them where it has no name."""
    name = _name_of(path, call)
    own = (ROOT / path).read_text("utf-8")
    name = re.escape(name)
    users = [own, *(text for text in _texts() if f"import {name}" in text or f".{name}." in text)]
    found = {each for text in users for each in re.findall(rf"\b{name}\.(\w+)\(", text)}
    called = set(re.findall(r"(?<!\bre)\.(\w+)\(", own))
    return tuple(sorted(found & set(METHODS) or called & set(METHODS))) or METHODS[:3]


@cache
def _texts() -> tuple[str, ...]:
    """All of the product."""
    return tuple((ROOT / each).read_text("utf-8") for each in python_files(*PRODUCT))


def _name_of(path: Path, call: ast.Call) -> str:
    """The name of the constant that an expression is, or is in; else its own text."""
    for node in nodes(path):
        if isinstance(node, ast.Assign) and call in ast.walk(node.value):
            name = ast.unparse(node.targets[0])
            return name if name.isidentifier() else ast.unparse(call.args[0])[:80]
    return ast.unparse(call.args[0])[:80]


def attacks(pattern: re.Pattern[Any]) -> list[Attack]:
    """Texts from the parts of an expression: each run of parts repeated, after the parts before."""
    text = pattern.pattern
    text = text.decode("latin-1") if isinstance(text, bytes) else text
    items = _parser.parse(text, pattern.flags & ~re.UNICODE)
    found: dict[Attack, None] = {}
    for start, cores in _levels(list(items), ""):
        for core in sorted(cores):  # what is found first ends the search
            for end in ("\0", "", "\n\0"):
                for before in ("", start):
                    found[Attack(before, core, end)] = None
    return list(found)[:MAX_ATTACKS]


def _levels(items: Sequence[Any], start: str) -> Iterator[tuple[str, set[str]]]:
    """For each part of a level and of those inside: what leads to it, and what may be repeated."""
    for first, item in enumerate(items):
        before = start + "".join(_samples(each)[0] for each in items[:first])
        cores: set[str] = set()
        for last in range(first + 1, min(len(items), first + MAX_CORE) + 1):
            cores |= set(_joined(items[first:last]))
        cores.discard("")
        if cores:
            yield before, cores
        for inner in _inside(item):
            yield from _levels(inner, before)


def _joined(items: Sequence[Any]) -> list[str]:
    """Texts that match these parts: the usual one, and one for each other sample of a part."""
    samples = [_samples(each) for each in items]
    usual = [each[0] for each in samples]
    texts = ["".join(usual)]
    for place, others in enumerate(samples):
        texts += ["".join((*usual[:place], each, *usual[place + 1 :])) for each in others[1:]]
    return texts[:8]


def _inside(item: Any) -> list[list[Any]]:
    kind, value = str(item[0]), item[1]
    if kind == "BRANCH":
        return [list(each) for each in value[1]]
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [list(value[2])]
    if kind == "SUBPATTERN":
        return [list(value[3])]
    if kind == "ATOMIC_GROUP":
        return [list(value)]
    if kind in ("ASSERT", "ASSERT_NOT"):
        return [list(value[1])]
    return []


def _samples(item: Any) -> list[str]:
    """Texts that one part matches, at least one."""
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return [chr(value)]
    if kind == "NOT_LITERAL":
        return ["a" if value != ord("a") else "b", " "]
    if kind == "ANY":
        return ["a", " "]
    if kind == "IN":
        return _of_set(item)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least = max(value[0], 1)
        return [each * min(least, 300) for each in _joined(list(value[2]))]
    if kind in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _joined(list(value[3] if kind == "SUBPATTERN" else value))
    if kind == "BRANCH":
        return [text for branch in value[1] for text in _joined(list(branch))][:12]
    return [""]


_TRIED = "a0 _-.:/Z=,'\"#\t\n~^$%<>[]{}()|\\@é"


def _of_set(item: Any) -> list[str]:
    """One character of each kind that a set takes."""
    one = _compiled_set(item)
    found = [each for each in _TRIED if one(each)]
    return found[:6] or [next(chr(code) for code in range(0x11000) if one(chr(code)))]


def _compiled_set(item: Any) -> Callable[[str], Any]:
    state = _parser.State()
    sub = _parser.SubPattern(state, [item])
    compiler: Any = importlib.import_module("re._compiler")
    pattern: re.Pattern[str] = compiler.compile(sub)
    return pattern.fullmatch


def seconds_of(expression: Expression, attack: Attack, size: int, repeats: int = 1) -> float:
    """Processor seconds of the slowest way in which the product applies an expression."""
    text: Any = attack.of_size(size)
    if isinstance(expression.pattern.pattern, bytes):
        text = text.encode("utf-8")
    return max(
        min(_timed(expression.pattern, method, text) for _ in range(repeats))
        for method in expression.methods
    )


def _timed(pattern: re.Pattern[Any], method: str, text: Any) -> float:
    began = time.process_time()
    if method in ("sub", "subn"):
        getattr(pattern, method)(text[:0], text)
    elif method == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)
    return time.process_time() - began


def fault(expression: Expression) -> str:
    """What is slow about an expression; empty where nothing is."""
    if most := SHORT_TEXTS.get(expression.key):
        slowest = max(seconds_of(expression, each, most, 3) for each in attacks(expression.pattern))
        return f"{slowest} s" if slowest > SHORT_TEXT_SECONDS else ""
    for attack, screened in _slowest(expression):
        if screened > FAULTY_SCREENING_SECONDS:  # cubic ones would take hours for larger texts
            return f"{screened} s for at most {SCREENING_SIZES[-1]} characters of {attack}"
        times: list[float] = []
        for size in SIZES:
            limit = SECONDS_PER_100_KB * size / 100_000
            times.append(seconds_of(expression, attack, size))
            if times[-1] > limit:  # a cubic one would take an hour for the next size
                return _measured(times, attack)
            if len(times) == 1:
                times[0] = min(times[0], seconds_of(expression, attack, size, 2))
            if len(times) > 1 and _is_superlinear(times):
                times[-1] = min(times[-1], seconds_of(expression, attack, size))
                if _is_superlinear(times):
                    return _measured(times, attack)
            if len(times) > 2 and CUBIC_GROWTH * times[-1] < NOTICED_SECONDS:
                break  # the next size would not be noticed either
    return ""


def _is_superlinear(times: Sequence[float]) -> bool:
    return times[-1] > NOTICED_SECONDS and times[-1] > LARGEST_GROWTH * times[-2]


def _measured(times: Sequence[float], attack: Attack) -> str:
    return f"{times} s for {SIZES[: len(times)]} characters of {attack}"


def _slowest(expression: Expression) -> list[tuple[Attack, float]]:
    """The attacks that take longest at a small size, and how long; the first slow one ends it."""
    times: dict[Attack, float] = {}
    for attack in attacks(expression.pattern):
        times[attack] = _screened(expression, attack)
        if times[attack] > SLOW_SCREENING_SECONDS:
            break
    return sorted(times.items(), key=lambda each: -each[1])[:NUM_ATTACKS]


def _screened(expression: Expression, attack: Attack) -> float:
    """Seconds at the largest size of the screening, or what they would be at least: a cubic
    expression is not tried there."""
    largest = SCREENING_SIZES[-1]
    for size in SCREENING_SIZES:
        seconds = seconds_of(expression, attack, size)
        if seconds > SLOW_SCREENING_SECONDS:
            seconds = seconds_of(expression, attack, size, 3)
        if seconds > SLOW_SCREENING_SECONDS:
            return seconds * (largest / size) ** 2
    return seconds


def main() -> None:
    for each in expressions():
        pattern = str(each.pattern.pattern)
        facts = {"expression": each.key, "name": each.name, "pattern": pattern}
        print(json.dumps(facts), flush=True)
        print(json.dumps({**facts, "fault": fault(each)}), flush=True)


if __name__ == "__main__":
    main()
