"""Numbers are told in the words that the editor uses: the cases are shared with TypeScript."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules import formatting
from modules.sentences.sentence import examples
from pipelines.runs.metric_words import difference_text, metric_text
from tests.languages import in_czech

CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "formatting.json").read_text(encoding="utf-8")
)
FORMS: dict[str, Callable[..., str]] = {
    "seconds": formatting.format_seconds,
    "bytes": formatting.format_bytes,
    "cost": formatting.format_cost,
    "count": formatting.format_count,
    "plural": formatting.plural,
    "rate": formatting.format_rate,
    "number": formatting.format_number,
}


def test_a_share_in_percent_is_rounded_as_it_is_shown() -> None:
    assert [formatting.percent(share) for share in (0.8125, 0.9889, 0, 1)] == [81.3, 98.9, 0, 100]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['form']} {case['of']}")
def test_numbers_are_told_in_shared_words(case: dict[str, Any]) -> None:
    assert FORMS[case["form"]](*case["of"]) == case["text"]


def test_numbers_beyond_what_floats_hold_have_an_exponent() -> None:
    shown = [formatting.format_number(value) for value in (9.99e14, 1e15, -1.234e20, 1e308)]
    assert shown == ["999,000,000,000,000", "1e+15", "-1.23e+20", "1e+308"]


def test_numbers_have_the_separators_of_the_language(tmp_path: Path) -> None:
    with in_czech(tmp_path, [("less than 0.01", "", "méně než 0,01")]):
        assert formatting.format_count(12345) == "12\u00a0345"
        assert formatting.format_seconds(0.4) == "0,4 s"
        assert formatting.format_bytes(4.2e6) == "4,2 MB"
        assert formatting.format_rate(1212, "images") == "1\u00a0212 images/s"
        assert formatting.format_number(0.0821) == "0,0821"
        assert formatting.format_cost(1234.5) == "1\u00a0234,50"
        assert formatting.format_cost(0.001) == "méně než 0,01"
        assert metric_text("Overall_Accuracy", 0.983) == "98,3 %"
        assert difference_text("Loss", -0.24) == "-0,24"
        assert examples(range(1012)).endswith("and 1\u00a0002 more")
