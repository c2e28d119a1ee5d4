"""The pages: each file draws one; all that they show comes from the application.

The folder is not called `pages`: Streamlit would take every file in a folder of that name beside
`main.py` for a page of its own at the first visit of a deep link.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def pages() -> dict[str, st.Page]:
    """The pages by name, in the order of the navigation."""
    from designer_app.screens import compare, data, design, home, models, run, runs, targets

    return {
        "home": st.Page(home.show, title="Home", icon=":material/home:", default=True),
        "design": st.Page(
            design.show, title="Design", icon=":material/account_tree:", url_path="design"
        ),
        "runs": st.Page(runs.show, title="Runs", icon=":material/history:", url_path="runs"),
        "run": st.Page(
            run.show,
            title="Run",
            icon=":material/play_circle:",
            url_path="run",
            visibility="hidden",
        ),
        "compare": st.Page(
            compare.show,
            title="Compare",
            icon=":material/compare:",
            url_path="compare",
            visibility="hidden",
        ),
        "models": st.Page(
            models.show, title="Models", icon=":material/package_2:", url_path="models"
        ),
        "data": st.Page(data.show, title="Data", icon=":material/photo_library:", url_path="data"),
        "targets": st.Page(
            targets.show, title="Targets", icon=":material/memory:", url_path="targets"
        ),
    }


def open_run(run_id: str) -> None:
    """Go to the page of a run."""
    st.switch_page(pages()["run"], query_params={"run": run_id})


def open_comparison(run_ids: Sequence[str]) -> None:
    """Go to the page that compares runs."""
    st.switch_page(pages()["compare"], query_params={"run": list(run_ids)})


def open_replay(replay_id: str) -> None:
    """Go to the Design page with a replay, which plays there."""
    st.switch_page(pages()["design"], query_params={"replay": replay_id})


def open_pipeline(pipeline_id: str, run_id: str | None = None) -> None:
    """Go to the Design page with a pipeline, following a run of it."""
    query = {"pipeline": pipeline_id} | ({"run": run_id} if run_id else {})
    st.switch_page(pages()["design"], query_params=query)
