"""Runs page: finished and active runs, newest first; live, searchable, comparable."""

from __future__ import annotations

import streamlit as st

from designer_app.application import current
from designer_app.editor.component import mount_screen
from designer_app.screens.navigation import follow_list
from designer_app.translation import _


def show() -> None:
    """Draw the page."""
    st.title(_("Runs"))
    application = current()
    application.session.runner.refresh_without_starting()
    follow_list(mount_screen(application, "runs", key="history"))
