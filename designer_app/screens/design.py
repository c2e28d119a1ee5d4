"""Design: the editor, from edge to edge."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application, current
from designer_app.editor.component import mount
from designer_app.screens import open_pipeline, pages
from designer_app.screens.address import named
from designer_app.screens.style import EDGE_TO_EDGE
from designer_app.viewers.dialog import Wanted, look
from pipelines.store.pipelines import UnknownPipelineError


def show() -> None:
    """Draw the page: the pipeline of the address, else the one last worked on."""
    application = current()
    pipeline_id = _wanted(application)
    if pipeline_id is None:
        st.info("There is no such pipeline: choose one on the start page, or begin a new one.")
        st.page_link(pages()["home"], label="Go to the start page")
        return
    st.query_params["pipeline"] = pipeline_id  # so that a reload shows the same one
    st.html(EDGE_TO_EDGE)
    result = mount(application, pipeline_id, named("run", "run_id"))
    if result is None:
        return
    output = Wanted.from_browser(result.look)
    if output is not None:
        look(application, output)
    wanted = (result.open or {}).get("pipeline_id")
    if isinstance(wanted, str) and wanted != pipeline_id:
        open_pipeline(wanted)


def _wanted(application: Application) -> str | None:
    given = named("pipeline", "pipeline_id")
    if given is None and "pipeline" not in st.query_params:
        rows = application.saved.all()
        remembered = st.session_state.get("pipeline")
        given = remembered or (rows[0].id if rows else None)
    try:
        found = application.saved.open(given).pipeline_id if given else None
    except UnknownPipelineError:
        return None
    st.session_state["pipeline"] = found
    return found
