"""Patterns read what scripts print, and no line can hold one up."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from modules.scripts.intake import log_patterns
from modules.scripts.intake.line_tail import MAX_LINE_BYTES, LineTail, last_lines
from modules.scripts.intake.log_patterns import LoggedValue, LogPattern, PatternReader
from modules.scripts.intake.log_trial import tried
from modules.scripts.intake.metric_points import MetricPoints
from modules.scripts.intake.pattern_cost import PatternRefused, check_cost
from modules.sentences.sentence import Statement

HOSTILE = [
    "0" * 300,
    "a" * 300,
    "0a" * 150,
    "a0" * 150 + "x",
    " " * 300,
    "1." * 150,
    "loss: " * 50,
    "epoch 1 loss: " * 21,
]


@pytest.mark.parametrize(
    ("text", "line", "reading"),
    [
        (r"loss = loss: ([\d.]+)", "loss: 0.5", LoggedValue(0.5, None)),
        (r"loss=loss=([\d.]+)", "loss=0.5", LoggedValue(0.5, None)),
        (r"Acc@1 = Acc@1\s+([\d.]+)", " * Acc@1 3.125 Acc@5 12.5", LoggedValue(3.125, None)),
        (r"l = (?P<step>\d+)/\d+ loss (?P<value>\S+)", "[3/9 loss -1e-3", LoggedValue(-0.001, 3)),
        (r"l = epoch (?P<step>[\d.]+) (?P<value>\d)", "epoch 2.0 7", LoggedValue(7.0, 2)),
        (r"loss = loss: (\S+)", "loss: many", None),
        (r"loss = loss: (\S+)", "nothing", None),
        (r"loss = loss: (\d)?", "loss: ", None),
        (r"loss = end (\d)", " " * 300 + "end 1", None),
    ],
)
def test_a_value_is_read_from_a_line(text: str, line: str, reading: LoggedValue | None) -> None:
    assert LogPattern.parse(text).read(line) == reading


def test_a_value_that_is_no_number_any_more_is_read() -> None:
    reading = LogPattern.parse(r"loss = loss: (\S+)").read("loss: nan")
    assert reading is not None
    assert math.isnan(reading.value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "pattern_no_name"),
        ("loss: 0.5", "pattern_no_name"),
        (" = (a)", "pattern_no_name"),
        ("loss =", "pattern_no_name"),
        ("loss = loss", "pattern_no_value"),
        ("loss = " + "a" * 301, "pattern_long"),
        ("loss = (a", "pattern_not_taken"),
        ("loss = a)", "pattern_not_taken"),
        ("loss = [a", "pattern_not_taken"),
        ("loss = *a", "pattern_not_taken"),
        (r"loss = (a)\1", "pattern_not_taken"),
        (r"loss = (?P<x>a)(?P=x)", "pattern_not_taken"),
        (r"loss = (?i)(a)", "pattern_not_taken"),
        (r"loss = (?=.*a)(b)", "pattern_not_taken"),
        (r"loss = (a)(?(1)b|c)", "pattern_not_taken"),
        (r"loss = (?P<x>a)(?P<x>b)", "pattern_invalid"),
        (r"loss = ([z-a])", "pattern_invalid"),
        (r"loss = (a{5,2})", "pattern_invalid"),
        (r"loss = (a+)+b", "pattern_nested"),
        (r"loss = (a|b)*c", "pattern_nested"),
        (r"loss = ((ab?)*)*c", "pattern_nested"),
        (r"loss = .*a.*(b)", "pattern_slow"),
        (r"loss = (.{0,300})(.{0,300})b", "pattern_slow"),
        (r"loss = \d+\d+\d+(x)", "pattern_slow"),
        ("loss = " + "a?" * 20 + "(a{20})", "pattern_slow"),
        ("loss = " + "(?:a|aa)" * 15 + "(b)", "pattern_slow"),
    ],
)
def test_a_pattern_that_is_none_or_could_take_long_is_refused(text: str, key: str) -> None:
    with pytest.raises(PatternRefused) as refused:
        LogPattern.parse(text)
    assert refused.value.statement.sentence.key == key
    assert refused.value.statement.cure


@pytest.mark.parametrize(
    "expression",
    [
        r".*?[ab]?\d+(x)",
        r".*(\d+)x",
        r"(\d+)\.(\d+)x",
        r"\s*a?\s*(x)",
        r"\w+\s*[:=]\s*([\d.]+)y",
        r"[\d.]+[\d]+(x)",
        r"([^(]*)\(",
        r"(?:a|aa)(?:a|aa)(?:a|aa)(?:a|aa)(?:a|aa)(b)",
        r"a?a?a?a?a?a?a?a?a?(aaaaaaaaaaaaab)",
        r"(?:ab)*(c)",
        r"[]\]]+(\[)",
        r"[^]a]+(z)",
    ],
)
def test_what_is_taken_is_quick_on_hostile_lines(expression: str) -> None:
    pattern = LogPattern.parse(f"loss = {expression}")
    began = time.process_time()
    for line in HOSTILE:
        pattern.read(line * 10)
    assert time.process_time() - began < 2.0  # measured: 0.2 at most


def test_a_repetition_that_ends_clearly_is_not_counted() -> None:
    check_cost(r"\d+:\d+:\d+ \[\d+/\d+\]\s+\w+: (\d+\.\d+)")


def test_a_pattern_that_takes_too_long_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_patterns, "MAX_SECONDS", 0.0)
    monkeypatch.setattr(log_patterns, "MAX_SECONDS_A_LINE", 0.0)
    warnings: list[Statement] = []
    points = MetricPoints(warnings.append)
    reader = PatternReader([LogPattern.parse(r"loss = (\d)")], points, warnings.append)
    reader.read(["1", "2", "3"])
    assert len(points.take()) == 1
    assert [each.sentence.key for each in warnings] == ["pattern_set_aside"]


def test_a_pattern_is_tried_on_a_log() -> None:
    trial = tried(r"loss = loss: ([\d.]+)", [f"loss: {number}" for number in range(9)])
    assert (trial.name, trial.num_lines, trial.problem) == ("loss", 9, None)
    assert [each.value for each in trial.examples] == [0, 1, 2, 3, 4]
    assert tried("(a", []).problem is not None


def test_lines_are_read_while_a_log_grows(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    tail = LineTail(path)
    assert tail.read(1_000) == []
    path.write_bytes(b"first\r\n 10%\r 20%\rsecond\n\nthi")
    assert tail.read(1_000) == ["first", " 10%", " 20%", "second"]
    with path.open("ab") as file:
        file.write(b"rd \xff")
    assert tail.read(1_000) == []
    assert tail.read(1_000, is_last=True) == ["third \ufffd"]
    path.write_bytes(b"anew\n")
    assert tail.read(1_000) == ["anew"]


def test_a_line_without_end_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 100_000 + b"\nloss: 1\n")
    tail = LineTail(path)
    lines = [line for _ in range(20) for line in tail.read(1_000)]
    assert lines[-1] == "loss: 1"
    assert max(map(len, lines)) == MAX_LINE_BYTES
    assert last_lines(path, 12) == ["loss: 1"]
    assert last_lines(path, 10**6)[-1] == "loss: 1"
