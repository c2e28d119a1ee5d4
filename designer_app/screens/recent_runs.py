"""The newest runs, for the start page."""

from __future__ import annotations

import time

import streamlit as st

from designer_app.application import Application
from designer_app.screens.navigation import page
from designer_app.screens.run.header import COLOURS
from designer_app.ui.markdown import plain
from modules.formatting import format_seconds
from pipelines.store.history import RunFilter

SHOWN = 4


def recent_runs(application: Application) -> None:
    """Draw them beside each other; nothing where nothing has run yet."""
    rows = application.session.history.search(RunFilter(), limit=SHOWN).rows
    if not rows:
        return
    st.subheader("Recent runs")
    for column, row in zip(st.columns(SHOWN, gap="small"), rows, strict=False):
        with column, st.container(border=True, gap="xsmall"):
            address = {"run": row.id}
            st.page_link(page("run"), label=plain(row.name or row.id), query_params=address)
            st.badge(row.status, color=COLOURS.get(row.status, "gray"))
            when = time.strftime("%d %b, %H:%M", time.localtime(row.created))
            took = "" if row.seconds is None else f", took {format_seconds(row.seconds)}"
            st.caption(f"{when}{took}")
