"""An output as the files it consists of."""

from __future__ import annotations

import streamlit as st

from designer_app.ui.figures import figures
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import AnyDirectory
from modules.files.scanning import scan
from modules.formatting import format_bytes
from pipelines.errors import UnreadableArtifactError
from pipelines.sentences import places

MAX_LISTED = 1000


def show_files(subject: ViewedOutput) -> None:
    """Names and sizes; of a dataset those of the folder it refers to."""
    folder = subject.folder
    if subject.facts.type == "AnyDirectory":
        folder = AnyDirectory(folder).location
        if not folder.exists():
            raise UnreadableArtifactError(places.DATASET_GONE)
    if folder.is_file():
        st.write(f"An archive of {format_bytes(folder.stat().st_size)}.")
        return
    files = scan(folder).files
    num_bytes = sum(each.num_bytes for each in files)
    figures({"Files": f"{len(files):,}", "Size": format_bytes(num_bytes)})
    listed = [{"File": each.path, "Bytes": each.num_bytes} for each in files[:MAX_LISTED]]
    st.dataframe(listed, key=subject.name("files"), hide_index=True, width="stretch")
    if len(files) > MAX_LISTED:
        st.caption(f"The first {MAX_LISTED:,} of {len(files):,} files.")
