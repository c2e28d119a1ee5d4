"""Runs page: finished and active runs, newest first; live, searchable, comparable."""

from __future__ import annotations

import streamlit as st

from designer_app.application import current
from designer_app.editor.component import mount_screen
from designer_app.screens.navigation import follow_list, page
from designer_app.translation import _


def show() -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", key="runs-head"):
        st.title(_("Runs"), anchor=False)
        icon = ":material/experiment:"
        st.page_link(page("sweep"), label=_("Sweeps"), icon=icon, width="content")
    application = current()
    application.session.runner.refresh_without_starting()
    follow_list(mount_screen(application, "runs", key="history"))
