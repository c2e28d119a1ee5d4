"""Runs: what ran and what is running, newest first; live, searched, compared."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from designer_app.application import current
from designer_app.editor.component import mount_screen
from designer_app.schemas.identifiers import PATH_PATTERNS
from designer_app.screens.navigation import open_comparison, open_pipeline, open_run, page

MIN_COMPARED, MAX_COMPARED = 2, 8


def show() -> None:
    """Draw the page."""
    st.title("Runs")
    application = current()
    application.session.runner.refresh_without_starting()
    result = mount_screen(application, "runs", key="history")
    if result is None:
        return
    if result.compare:
        ids = [each for each in result.compare.get("runs", []) if is_run_id(each)]
        if MIN_COMPARED <= len(ids) <= MAX_COMPARED:
            open_comparison(ids)
    if result.go:
        _go(result.go)


def is_run_id(value: object) -> bool:
    """True for what can be the id of a run; a browser sends anything."""
    return isinstance(value, str) and re.fullmatch(PATH_PATTERNS["run_id"], value) is not None


def _go(where: dict[str, Any]) -> None:
    run_id = where.get("run") if is_run_id(where.get("run")) else None
    pipeline_id = str(where.get("pipeline", ""))
    if where.get("page") == "home":
        st.switch_page(page("home"))
    elif where.get("page") == "run" and run_id is not None:
        open_run(run_id)
    elif where.get("page") == "design" and re.fullmatch(PATH_PATTERNS["pipeline_id"], pipeline_id):
        open_pipeline(pipeline_id, run_id)
