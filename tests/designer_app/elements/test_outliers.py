"""Curves with values far above the others are cut off at the same place in both languages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from designer_app.elements.outliers import clip_limit
from tests.browser.served import ROOT

CASES = json.loads((ROOT / "tests" / "cases" / "outliers.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_the_limit_of_a_chart(case: dict[str, Any]) -> None:
    assert clip_limit(case["values"]) == case["limit"]


def test_what_is_no_number_is_left_out() -> None:
    assert clip_limit([None, float("nan"), float("inf"), 2.0, 1.0, 1.5, 1.2]) is None
