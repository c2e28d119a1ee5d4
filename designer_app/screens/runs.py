"""Runs: what ran and what is running, newest first."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from designer_app.application import Application, current
from designer_app.screens import open_pipeline
from pipelines.history import row_to_json
from pipelines.store.history import RunFilter
from pipelines.store.pipelines import UnknownPipelineError

REFRESH_SECONDS = 3
LIMIT = 50
COLUMNS = ("Run", "Name", "Experiment", "Status", "Nodes", "Submitted", "Seconds")


def show() -> None:
    """Draw the page."""
    st.title("Runs")
    _table(current())


@st.fragment(run_every=REFRESH_SECONDS)
def _table(application: Application) -> None:
    rows = application.runs.history.search(RunFilter(), limit=LIMIT).rows
    if not rows:
        st.info("Nothing has run yet. Open a pipeline and press Submit.")
        return
    entries = [row_to_json(row) for row in rows]
    chosen = st.dataframe(
        [_row(entry) for entry in entries],
        key="runs",
        hide_index=True,
        width="stretch",
        selection_mode="single-row",
        on_select="rerun",
    )
    selected = chosen.selection.rows
    if selected and selected[0] < len(entries):
        _actions(application, entries[selected[0]])


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    submitted = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry["created"]))
    cells = (
        entry["run_id"],
        entry["name"],
        entry["experiment"],
        entry["status"],
        f"{entry['num_done']} of {entry['num_nodes']}",
        submitted,
        None if entry["seconds"] is None else round(entry["seconds"], 1),
    )
    return dict(zip(COLUMNS, cells, strict=True))


def _actions(application: Application, entry: dict[str, Any]) -> None:
    opened, ended, _ = st.columns([1, 1, 4])
    pipeline_id = entry["pipeline_id"]
    if opened.button(
        "Open in Design", key="open-run", disabled=pipeline_id is None, width="stretch"
    ):
        _open(application, pipeline_id, entry["run_id"])
    under_way = entry["status"] in ("queued", "running")
    if ended.button("Cancel", key="cancel-run", disabled=not under_way, width="stretch"):
        application.runs.cancel(entry["run_id"])
        st.rerun(scope="fragment")


def _open(application: Application, pipeline_id: str, run_id: str) -> None:
    try:
        application.saved.open(pipeline_id)
    except UnknownPipelineError:
        st.warning("The pipeline of this run was deleted. Undo that on the start page.")
        return
    open_pipeline(pipeline_id, run_id)
