"""The pages: each file draws one; all that they show comes from the application.

The folder is not called `pages`: Streamlit would take every file in a folder of that name beside
`main.py` for a page of its own at the first visit of a deep link.
"""

from __future__ import annotations

import streamlit as st


def pages() -> dict[str, st.Page]:
    """The pages by name, in the order of the navigation."""
    from designer_app.screens import data, design, home, runs, targets

    return {
        "home": st.Page(home.show, title="Home", icon=":material/home:", default=True),
        "design": st.Page(
            design.show, title="Design", icon=":material/account_tree:", url_path="design"
        ),
        "runs": st.Page(runs.show, title="Runs", icon=":material/history:", url_path="runs"),
        "data": st.Page(data.show, title="Data", icon=":material/photo_library:", url_path="data"),
        "targets": st.Page(
            targets.show, title="Targets", icon=":material/memory:", url_path="targets"
        ),
    }


def open_pipeline(pipeline_id: str, run_id: str | None = None) -> None:
    """Go to the Design page with a pipeline, following a run of it."""
    query = {"pipeline": pipeline_id} | ({"run": run_id} if run_id else {})
    st.switch_page(pages()["design"], query_params=query)
