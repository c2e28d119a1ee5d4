"""The page Data, driven."""

from __future__ import annotations

import io
import zipfile

from PIL import Image

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


def zipped(*classes: str, count: int = 12) -> bytes:
    """Pictures of one colour a class, in folders of classes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for place, name in enumerate(classes):
            for number in range(count):
                picture = io.BytesIO()
                shade = (40 + 90 * place, 4 * number, 200 - 60 * place)
                Image.new("RGB", (80, 60), shade).save(picture, "PNG")
                archive.writestr(f"insects/{name}/{number}.png", picture.getvalue())
    return buffer.getvalue()
