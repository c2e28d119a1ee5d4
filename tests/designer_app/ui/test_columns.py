"""Counts in tables are written as everywhere else."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest


def test_the_images_of_classes_are_counted_in_thousands() -> None:
    page = AppTest.from_function(_classes).run()
    assert not page.exception
    [table] = page.dataframe
    columns = json.loads(table.proto.columns)
    assert columns["Images"]["type_config"] == {"type": "number", "format": "%,d"}


def _classes() -> None:
    from designer_app.screens import data
    from modules.datasets.folder_summary import ClassSummary, FolderSummary

    classes = (ClassSummary("ant", 2_062), ClassSummary("bee", 7))
    data._summary(lambda: FolderSummary(images=2_069, num_classes=2, classes=classes))
