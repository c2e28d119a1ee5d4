"""Design page: the editor, filling the window."""

from __future__ import annotations

from typing import Any

import streamlit as st

from designer_app.application import Application, current
from designer_app.editor.component import mount, mount_replay
from designer_app.screens.navigation import begin_pipeline, follow, open_pipeline, open_replay, page
from designer_app.translation import _
from designer_app.ui.page_parts import nothing_here, tab_title
from designer_app.ui.query_params import query_id
from designer_app.viewers.dialog import output_dialog
from pipelines.errors import NotFoundError, PipelineNotFoundError, RefusedError
from pipelines.lessons.lesson import lesson_of
from pipelines.problems import PipelineError
from pipelines.replay.library import ReplayShelf


def show() -> None:
    """Draw the pipeline in the address, otherwise the last one opened."""
    application = current()
    if "replay" in st.query_params:
        _show_replay(application)
        return
    pipeline_id = _pipeline_to_show(application)
    if pipeline_id is None:
        _nothing_to_show(application)
        return
    st.query_params["pipeline"] = pipeline_id  # so that a reload shows the same pipeline
    result = mount(application, pipeline_id, query_id("run", "run_id"))
    if result is None:
        return
    output_dialog(application, result.look, page=_("Design"), subject=pipeline_id)
    _open_chosen(result.open, pipeline_id)
    follow(result.go)


def _show_replay(application: Application) -> None:
    """Draw the replay in the address instead of a pipeline."""
    replay_id = query_id("replay", "replay_id")
    if replay_id is None or not ReplayShelf(application.settings.workspace).has(replay_id):
        text = _("It was deleted, or the address is wrong. Open one on Home, or drop a file there.")
        _say_nothing(_("Replay not found"), text)
        return
    tab_title(_name_of_replay(application, replay_id), _("Replay"))
    result = mount_replay(application, replay_id)
    if result is not None:
        _open_chosen(result.open)
        follow(result.go)


def _name_of_replay(application: Application, replay_id: str) -> str:
    """Return the name of its run; empty if the replay is damaged, which its screen reports."""
    try:
        return ReplayShelf(application.settings.workspace).open(replay_id).replay.run.name
    except (NotFoundError, PipelineError, RefusedError):
        return ""


def _nothing_to_show(application: Application) -> None:
    """Draw a link to a pipeline: the first one, or another than the one in the address."""
    if "pipeline" in st.query_params:
        text = _("It was deleted, or the address is wrong. Open one on Home or create a new one.")
        _say_nothing(_("Pipeline not found"), text)
        return
    text = _(
        "Connect modules to a pipeline that trains and evaluates a model on images. "
        "Start with an empty canvas, or open a lesson on Home."
    )
    st.title(_("Design"))
    if nothing_here(_("No pipeline yet"), text, action=_("New pipeline"), key="design-begin"):
        begin_pipeline(application)


def _say_nothing(title: str, text: str) -> None:
    st.title(_("Design"))
    if nothing_here(title, text, action=_("Go to Home"), key="design-home"):
        st.switch_page(page("home"))


def _open_chosen(choice: Any, shown: str | None = None) -> None:
    """Open the pipeline chosen in the editor, unless it is already shown."""
    wanted = choice or {}
    pipeline_id, replay_id = wanted.get("pipeline_id"), wanted.get("replay_id")
    if isinstance(pipeline_id, str) and pipeline_id != shown:
        open_pipeline(pipeline_id)
    if isinstance(replay_id, str):
        open_replay(replay_id)


def _pipeline_to_show(application: Application) -> str | None:
    """Return the pipeline in the address, otherwise the last one shown, otherwise the newest.

    A lesson in the address is opened. None if there is no pipeline.
    """
    pipeline_id = query_id("pipeline", "pipeline_id")
    if pipeline_id is None and "pipeline" not in st.query_params:
        rows = application.session.pipelines.all()
        remembered = st.session_state.get("pipeline")
        pipeline_id = remembered or (rows[0].id if rows else None)
    try:
        opened_id = (
            application.session.pipelines.open(pipeline_id).pipeline_id if pipeline_id else None
        )
    except PipelineNotFoundError:
        lesson = lesson_of(pipeline_id or "")
        if lesson is None:
            return None
        # a link to a lesson works in a workspace that has not opened it yet
        opened_id = application.session.pipelines.create(lesson.opened()).pipeline_id
    st.session_state["pipeline"] = opened_id
    return opened_id
