"""Pages of the app with their titles and addresses."""

from __future__ import annotations

import streamlit as st

from designer_app.screens import (
    compare,
    data,
    design,
    endpoints,
    environments,
    help,
    home,
    models,
    published,
    run,
    runs,
    sweep,
    targets,
)
from designer_app.translation import _


def pages() -> dict[str, st.Page]:
    """Return the pages by name, in the order of the navigation."""
    return {
        "home": st.Page(home.show, title=_("Home"), icon=":material/home:", default=True),
        "design": st.Page(
            design.show, title=_("Design"), icon=":material/account_tree:", url_path="design"
        ),
        "runs": st.Page(runs.show, title=_("Runs"), icon=":material/history:", url_path="runs"),
        "run": st.Page(
            run.show,
            title=_("Run"),
            icon=":material/play_circle:",
            url_path="run",
            visibility="hidden",
        ),
        "sweep": st.Page(
            sweep.show,
            title=_("Sweeps"),
            icon=":material/experiment:",
            url_path="sweep",
            visibility="hidden",
        ),
        "compare": st.Page(
            compare.show,
            title=_("Compare"),
            icon=":material/compare:",
            url_path="compare",
            visibility="hidden",
        ),
        "models": st.Page(
            models.show, title=_("Models"), icon=":material/package_2:", url_path="models"
        ),
        "endpoints": st.Page(
            endpoints.show, title=_("Endpoints"), icon=":material/cloud:", url_path="endpoints"
        ),
        "published": st.Page(
            published.show, title=_("Published"), icon=":material/schedule:", url_path="published"
        ),
        "data": st.Page(
            data.show, title=_("Data"), icon=":material/photo_library:", url_path="data"
        ),
        "environments": st.Page(
            environments.show,
            title=_("Environments"),
            icon=":material/deployed_code:",
            url_path="environments",
        ),
        "targets": st.Page(
            targets.show, title=_("Targets"), icon=":material/memory:", url_path="targets"
        ),
        "help": st.Page(help.show, title=_("Help"), icon=":material/help:", url_path="help"),
    }
