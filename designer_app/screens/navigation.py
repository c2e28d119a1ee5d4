"""The way from one page to another. The pages are registered here, so that none imports another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

_pages: dict[str, st.Page] = {}


def use(pages: Mapping[str, st.Page]) -> None:
    """Register the pages by name; ``main.py`` does so at each visit."""
    _pages.update(pages)


def page(name: str) -> st.Page:
    """A registered page, as Streamlit links to it; raises ``KeyError``."""
    return _pages[name]


def open_run(run_id: str) -> None:
    """Go to the page of a run."""
    st.switch_page(page("run"), query_params={"run": run_id})


def open_comparison(run_ids: Sequence[str]) -> None:
    """Go to the page that compares runs."""
    st.switch_page(page("compare"), query_params={"run": list(run_ids)})


def open_replay(replay_id: str) -> None:
    """Go to the Design page with a replay, which plays there."""
    st.switch_page(page("design"), query_params={"replay": replay_id})


def open_pipeline(pipeline_id: str, run_id: str | None = None) -> None:
    """Go to the Design page with a pipeline, following a run of it."""
    query = {"pipeline": pipeline_id} | ({"run": run_id} if run_id else {})
    st.switch_page(page("design"), query_params=query)
