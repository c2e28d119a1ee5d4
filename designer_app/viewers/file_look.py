"""Viewer of one file: image, table, text, or a download."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from designer_app.translation import _
from modules.formatting import format_bytes

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"})
TABLES = frozenset({".csv", ".tsv", ".parquet"})
LANGUAGES = {".json": "json", ".py": "python", ".yaml": "yaml", ".yml": "yaml", ".md": "markdown"}
TEXTS = frozenset({".txt", ".log", ".toml", ".ini", ".cfg", ".jsonl", *LANGUAGES})
MAX_PICTURE_BYTES = 32 * 2**20
MAX_TABLE_BYTES = 64 * 2**20
MAX_ROWS = 1000
MAX_TEXT_BYTES = 64 * 1024


def is_shown(path: Path) -> bool:
    """Return True if the content of the file can be shown."""
    return path.suffix.lower() in PICTURES | TABLES | TEXTS


def show_file(path: Path, name: str, key: str) -> None:
    """Draw the content of a file, if its type is known, and a download button."""
    kind = path.suffix.lower()
    try:
        if kind in PICTURES and path.stat().st_size <= MAX_PICTURE_BYTES:
            st.image(path.read_bytes(), caption=name, alt=name)
        elif kind in TABLES and path.stat().st_size <= MAX_TABLE_BYTES:
            _show_table(path, key)
        elif kind in TEXTS:
            _show_text(path)
    except (OSError, ValueError, ImportError) as error:
        said = " ".join(str(error).split())[:300]
        st.warning(_("Preview not available: {said}. You can download the file.", said=said))
    download(path, name, key)


def download(path: Path, name: str, key: str) -> None:
    """Draw a button that downloads the file unchanged."""
    st.download_button(
        f"{name} ({format_bytes(path.stat().st_size)})",
        path.read_bytes,
        path.name,
        "application/octet-stream",
        key=f"{key}-download",
        on_click="ignore",
        icon=":material/download:",
    )


def _show_table(path: Path, key: str) -> None:
    import pandas as pd

    if path.suffix.lower() == ".parquet":
        rows = pd.read_parquet(path).head(MAX_ROWS)
    else:
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        rows = pd.read_csv(path, sep=separator, nrows=MAX_ROWS)
    st.dataframe(rows, key=f"{key}-table", hide_index=True, width="stretch")
    if len(rows) == MAX_ROWS:
        st.caption(_("The first {count:,} rows.", count=MAX_ROWS))


def _show_text(path: Path) -> None:
    with path.open("rb") as file:
        content = file.read(MAX_TEXT_BYTES + 1)
    text = content[:MAX_TEXT_BYTES].decode(errors="replace")
    st.code(text, language=LANGUAGES.get(path.suffix.lower()), line_numbers=True, height=400)
    if len(content) > MAX_TEXT_BYTES:
        st.caption(_("The first {size}.", size=format_bytes(MAX_TEXT_BYTES)))
