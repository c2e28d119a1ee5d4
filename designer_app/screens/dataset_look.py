"""Contents of a dataset: images of each class, broken files and duplicates."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from designer_app.elements.class_pictures import class_pictures
from designer_app.ui.markdown import plain
from modules.errors import ModuleError
from pipelines.inspection.dataset_pictures import pictures_of_version, sentences_of


def dataset_look(location: Path, key: str) -> None:
    """Draw the contents of a dataset version; nothing if it cannot be read."""
    try:
        pictures = pictures_of_version(location)
    except ModuleError:
        return
    if pictures.classes:
        class_pictures(pictures.classes, key)
    dataset_notices(location)


def dataset_notices(location: Path) -> None:
    """Draw notes about broken and duplicated files of a dataset version, if it can be read."""
    try:
        sentences = sentences_of(pictures_of_version(location))
    except ModuleError:
        return
    for sentence in sentences:
        st.info(plain(sentence))
