"""Predictions tab: images whose predictions differ between the runs."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import counts
from pipelines.inspection.thumbnails import picture_address
from pipelines.runs.compared_runs import ComparedRuns
from pipelines.runs.prediction_changes import FlippedImage, FlipSummary, flips

PAGE = 24
CARD_WIDTH = 160
"""Width of a card in pixels: two fit side by side on a phone, in row order, by confidence."""
EDGE = 320
"""Longer side of an image in pixels: sharp on screens with a pixel ratio of two."""


def prediction_changes(compared: ComparisonView) -> None:
    """Draw the tab."""
    summaries = compared.comparison.flips
    if not summaries:
        st.info(
            _("Fewer than two of these runs scored images. Compare runs with Score Image Model.")
        )
        return
    rows = [_row(compared, summary) for summary in summaries]
    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        key="compare-flips",
        column_config=counts(*(name for name in rows[0] if name != _("Node"))),
    )
    for difference in filter(None, (summary.difference for summary in summaries)):
        st.warning(plain(difference))
    nodes = [summary.node for summary in summaries if summary.flipped]
    if not nodes and any(summary.shared for summary in summaries):
        st.success(_("All runs predict the same class for every shared image."))
    if not nodes:
        return
    node = nodes[0]
    if len(nodes) > 1:
        chosen = st.selectbox(
            _("Node"),
            nodes,
            format_func=lambda name: compared.titles[name],
            key="compare-flip-node",
        )
        node = chosen or node
    _images(compared, node)


def _row(compared: ComparisonView, summary: FlipSummary) -> dict[str, object]:
    row: dict[str, object] = {
        _("Node"): compared.titles.get(summary.node, summary.node),
        _("Images in all runs"): summary.shared,
        _("Flipped"): summary.flipped,
    }
    for place in range(1, len(compared.runs)):
        letter = compared.letter(place)
        row[_("Fixed in {letter}", letter=letter)] = summary.fixed[place]
        row[_("Broken in {letter}", letter=letter)] = summary.broken[place]
    return row


def _images(compared: ComparisonView, node: str) -> None:
    runs = compared.application.session.runs
    opened = ComparedRuns(runs, [run.run_id for run in compared.runs])
    key = f"compare-flip-offset-{node}-{'-'.join(opened.ids)}"
    offset = int(st.session_state.get(key, 0))
    page = flips(opened, node, offset, PAGE)
    if offset >= page.total:  # a run was resumed in the meantime
        offset, page = 0, flips(opened, node, 0, PAGE)
    with st.container(horizontal=True, gap="small"):
        for image in page.images:
            with st.container(border=True, gap="xsmall", width=CARD_WIDTH):
                _image(compared, image)
    seen = offset + len(page.images)
    st.caption(
        _(
            "{offset:,} to {seen:,} of {total:,}, highest confidence first.",
            offset=offset + 1,
            seen=seen,
            total=page.total,
        )
    )
    with st.container(horizontal=True):
        if offset and st.button(_("Back"), key="compare-flips-back"):
            _turn(key, max(0, offset - PAGE))
        if seen < page.total and st.button(_("Next"), key="compare-flips-next"):
            _turn(key, seen)


def _turn(key: str, offset: int) -> None:
    st.session_state[key] = offset
    st.rerun()


def _image(compared: ComparisonView, image: FlippedImage) -> None:
    file = _file(compared, image)
    label = image.category or _("No label")
    address = None if file is None else picture_address(file, EDGE)
    if address is not None:
        style = "width:100%;border-radius:6px"
        st.html(f'<img alt="{escape(label)}" src="{address}" style="{style}">')
    st.markdown(f"**{plain(label)}**")
    for place, prediction in enumerate(image.predictions):
        if prediction is None:
            continue
        mark = {True: ":green[right]", False: ":red[wrong]", None: ""}[prediction.is_right]
        sure = f"{100 * prediction.confidence:.0f} %"
        st.caption(f"{compared.letter(place)}: {plain(prediction.label)} ({sure}) {mark}")


def _file(compared: ComparisonView, image: FlippedImage) -> Path | None:
    """Return the image's file within its output; None if it was removed by garbage collection."""
    if image.artifact is None or image.file is None:
        return None
    artifact_id, _, port = image.artifact.partition("/")
    folder = compared.application.session.artifacts.folder(artifact_id, port).resolve()
    file = (folder / image.file).resolve()
    return file if file.is_relative_to(folder) and file.is_file() else None
