"""Similar training images of an image, found on request."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from pipelines.inspection.questions import SIMILAR
from pipelines.inspection.similar_images import (
    SimilarPicture,
    images_of_model,
    similar_pictures,
)

NO_CLASS = "–"


def show_similar_images(subject: ViewedOutput, folder: Path, index: int) -> None:
    """Draw a button, and after a click the training images most similar to a row of a directory."""
    images = images_of_model(subject.outputs)
    if images is None:
        return
    with st.container(border=True):
        st.markdown(_("**Similar training images**"))
        key = subject.name(f"similar-{index}")
        if not st.session_state.get(key):
            st.button(
                _("Find similar images"),
                key=f"{key}-find",
                icon=":material/image_search:",
                on_click=lambda: st.session_state.update({key: True}),
            )
            return
        with errors_shown():
            facts = images.facts(subject.workspace.cache_dir)
            answer = request_inspection(
                subject, _("Comparing ..."), SIMILAR, dataset=str(folder), index=index, **facts
            )
            similar = similar_pictures(images.training, answer)
            show = st.warning if similar.unlike else st.caption
            show(plain(similar.verdict))
            _pictures(similar.neighbors)


def _pictures(neighbors: list[SimilarPicture]) -> None:
    columns = st.columns(max(1, len(neighbors)))
    for column, neighbor in zip(columns, neighbors, strict=False):
        with column:
            label = NO_CLASS if neighbor.label is None else neighbor.label
            if neighbor.picture is not None:
                st.html(
                    f'<img alt="" data-testid="similar" src="{neighbor.picture}" '
                    'style="width:96px;max-width:100%;border-radius:8px"/>'
                )
            st.caption(
                plain(
                    _("{label}, distance {distance:.2f}", label=label, distance=neighbor.distance)
                )
            )
