"""Viewer of an output as a list of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from designer_app.translation import _
from designer_app.ui.page_parts import figures
from designer_app.viewers.file_look import is_shown, show_file
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import AnyDirectory
from modules.files.scanning import ScannedFile, scan
from modules.formatting import format_bytes, format_count
from pipelines.errors import UnreadableArtifactError
from pipelines.sentences import places

MAX_LISTED = 1000
SHORT, TALL = 8, 320
"""Number of rows without scrolling; height in pixels of a longer table."""


def show_files(subject: ViewedOutput) -> None:
    """Draw names, sizes and contents of files; for a dataset those of the folder it refers to."""
    folder = subject.folder
    if subject.facts.type == "AnyDirectory":
        folder = AnyDirectory(folder).location
        if not folder.exists():
            raise UnreadableArtifactError(places.DATASET_GONE)
    if folder.is_file():
        st.write(_("An archive of {size}.", size=format_bytes(folder.stat().st_size)))
        return
    files = scan(folder).files
    num_bytes = sum(file.num_bytes for file in files)
    shown = {_("Files"): format_count(len(files)), _("Size"): format_bytes(num_bytes)}
    figures(shown, subject.name("file-facts"))
    _choose(subject, folder, files[:MAX_LISTED])
    if len(files) > MAX_LISTED:
        st.caption(
            _(
                "The first {shown:,} of {count:,} files.",
                shown=MAX_LISTED,
                count=len(files),
            )
        )


def _choose(subject: ViewedOutput, folder: Path, files: Sequence[ScannedFile]) -> None:
    """Draw a table of the files; return the selected one, initially the one with most to show."""
    listed = [{_("File"): file.path, _("Bytes"): file.num_bytes} for file in files]
    chosen = st.dataframe(
        listed,
        key=subject.name("files"),
        column_config={_("Bytes"): st.column_config.NumberColumn(_("Size"), format="bytes")},
        hide_index=True,
        width="stretch",
        height="auto" if len(listed) < SHORT else TALL,
        selection_mode="single-row",
        on_select="rerun",
    )
    rows = [row for row in chosen.selection.rows if row < len(files)]
    usual = next((row for row, file in enumerate(files) if is_shown(Path(file.path))), 0)
    if files:
        shown = files[rows[0] if rows else usual]
        show_file(folder / shown.path, shown.path, subject.name("look"))
