"""Navigation between pages. Pages are registered here, so that none imports another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from designer_app.application import Application
from designer_app.schemas.identifiers import PATH_PATTERNS
from designer_app.translation import _
from pipelines.document.document import PipelineDocument

NEW = _("New pipeline")
MIN_COMPARED, MAX_COMPARED = 2, 8
"""Number of runs that the page of comparisons accepts."""

_pages: dict[str, st.Page] = {}


def use(pages: Mapping[str, st.Page]) -> None:
    """Register the pages by name; ``main.py`` does so at each visit."""
    _pages.update(pages)


def page(name: str) -> st.Page:
    """Return a registered page for Streamlit; raises ``KeyError``."""
    return _pages[name]


def open_run(run_id: str) -> None:
    """Open the page of a run."""
    st.switch_page(page("run"), query_params={"run": run_id})


def open_comparison(run_ids: Sequence[str]) -> None:
    """Open the page that compares runs, the oldest first: ids start with the time."""
    st.switch_page(page("compare"), query_params={"run": sorted(run_ids)})


def open_replay(replay_id: str) -> None:
    """Open the Design page with a replay, which plays there."""
    st.switch_page(page("design"), query_params={"replay": replay_id})


def open_pipeline(pipeline_id: str, run_id: str | None = None) -> None:
    """Open the Design page with a pipeline, following one of its runs."""
    query = {"pipeline": pipeline_id} | ({"run": run_id} if run_id else {})
    st.switch_page(page("design"), query_params=query)


def begin_pipeline(application: Application) -> None:
    """Open the Design page with a new, empty pipeline."""
    made = application.session.pipelines.create(PipelineDocument(id="pipeline", name=NEW))
    open_pipeline(made.pipeline_id)


def follow(where: Mapping[str, Any] | None) -> None:
    """Follow a link of the editor's screens: ``{"page": ...}`` and its arguments."""
    if not where:
        return
    run_id = where.get("run") if is_run_id(where.get("run")) else None
    pipeline_id = str(where.get("pipeline", ""))
    if where.get("page") == "home":
        st.switch_page(page("home"))
    elif where.get("page") == "run" and run_id is not None:
        open_run(run_id)
    elif where.get("page") == "compare":
        _compare(where.get("runs"))
    elif where.get("page") == "sweep" and is_sweep_id(where.get("sweep")):
        st.switch_page(page("sweep"), query_params={"sweep": where["sweep"]})
    elif where.get("page") == "design" and re.fullmatch(PATH_PATTERNS["pipeline_id"], pipeline_id):
        open_pipeline(pipeline_id, run_id)


def follow_list(result: Any) -> None:
    """Follow the triggers of a mounted list of runs; None if it is not mounted."""
    if result is None:
        return
    if result.compare:
        _compare(result.compare.get("runs"))
    follow(result.go)


def _compare(runs: object) -> None:
    ids = [run for run in runs if is_run_id(run)] if isinstance(runs, list) else []
    if MIN_COMPARED <= len(ids) <= MAX_COMPARED:
        open_comparison(ids)


def is_sweep_id(value: object) -> bool:
    """Return True for a valid id of a sweep; browser input is untrusted."""
    return isinstance(value, str) and re.fullmatch(PATH_PATTERNS["sweep_id"], value) is not None


def is_run_id(value: object) -> bool:
    """Return True for a valid run id; browser input is untrusted."""
    return isinstance(value, str) and re.fullmatch(PATH_PATTERNS["run_id"], value) is not None
