"""The page Data, driven."""

from __future__ import annotations

from modules.datasets.registered import list_datasets
from tests.browser.designer import Designer, at_rest

HEADER, ROW = 35, 52
"""Pixels: the heights of the head and of a row of the table."""
CHECKBOX = 20


def choose_dataset(designer: Designer, name: str) -> None:
    """Click the row of a dataset; the only one is chosen already."""
    names = [each.name for each in list_datasets(designer.served.workspace.datasets_dir)]
    table = designer.page.locator(".st-key-datasets").get_by_test_id("stDataFrame")
    table.wait_for()
    at_rest(designer.page)  # a click while the table is drawn is lost
    if len(names) > 1:
        middle = HEADER + ROW * names.index(name) + ROW // 2
        table.click(position={"x": CHECKBOX, "y": middle})
