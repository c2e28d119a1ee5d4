"""Numbers that people look for in tables are understood as they write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipelines.inspection import tables
from pipelines.inspection.tables import Filter, Query, number_of

LARGE = 2**53 + 1


@pytest.mark.parametrize(
    ("column", "operator", "value", "result"),
    [
        ("images", "at least", "12,000", [2, 3]),
        ("images", "at most", "1,000,000", [0, 1, 2]),
        ("images", "is", "12", [0]),
        ("images", "is", f"{LARGE:,}", [3]),
        ("confidence", "is", "0.9", [0]),
        ("confidence", "at least", "0,9", [0, 1]),
        ("confidence", "at most", "0.9", [0, 2]),
        ("confidence", "is not", "0.9", [1, 2, 3]),
    ],
)
def test_rows_are_found_by_their_numbers(
    tmp_path: Path, column: str, operator: tables.Operator, value: str, result: list[int]
) -> None:
    path = tmp_path / "table.parquet"
    confidence = np.array([0.9, 0.95, 0.5, np.nan], dtype=np.float32)
    images = [12, 5_000, 20_000, LARGE]
    pd.DataFrame({"images": images, "confidence": confidence}).to_parquet(path)
    assert list(tables.matching(path, Query((Filter(column, operator, value),)))) == result


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12,000", 12_000),
        ("-1,234,567.5", -1_234_567.5),
        ("0,125", 0.125),
        ("12,5", 12.5),
        (" 1e-3 ", 0.001),
        ("1.000,5", None),
        ("1,00,000", None),
        ("nan", None),
        ("many", None),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert number_of(text) == number
