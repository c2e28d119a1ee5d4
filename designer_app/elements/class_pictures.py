"""Rows of thumbnails, one per class, as one Streamlit element."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from designer_app.elements.element import element
from pipelines.inspection.dataset_pictures import ClassPictures


def class_pictures(shown: Sequence[ClassPictures], key: str) -> None:
    """Draw the images of classes, each row below its class name."""
    element("class_pictures")(key=key, data={"rows": json.dumps([asdict(row) for row in shown])})
