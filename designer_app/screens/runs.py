"""Runs page: finished and active runs, newest first; live, searchable, comparable."""

from __future__ import annotations

import streamlit as st

from designer_app.application import current
from designer_app.editor.component import mount_screen
from designer_app.screens.navigation import (
    MAX_COMPARED,
    MIN_COMPARED,
    follow,
    is_run_id,
    open_comparison,
)
from designer_app.translation import _


def show() -> None:
    """Draw the page."""
    st.title(_("Runs"))
    application = current()
    application.session.runner.refresh_without_starting()
    result = mount_screen(application, "runs", key="history")
    if result is None:
        return
    if result.compare:
        ids = [run_id for run_id in result.compare.get("runs", []) if is_run_id(run_id)]
        if MIN_COMPARED <= len(ids) <= MAX_COMPARED:
            open_comparison(ids)
    follow(result.go)
