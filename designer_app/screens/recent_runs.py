"""Most recent runs, for the start page."""

from __future__ import annotations

import time

import streamlit as st

from designer_app.application import Application
from designer_app.screens.navigation import page
from designer_app.screens.run.header import COLOURS
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.pipeline_names import labels_in_runs
from modules.formatting import format_seconds
from pipelines.runs.headline import Headline
from pipelines.runs.results import headline_in
from pipelines.sentences.status_words import status_words
from pipelines.store.database.history import RunFilter

SHOWN = 4
LOOKED_AT = 200
"""Number of newest runs that are searched for the newest result of each pipeline."""


def newest_headlines(application: Application) -> dict[str, Headline]:
    """Return the result of the newest successful run by pipeline, among the newest runs of all."""
    headlines: dict[str, Headline] = {}
    completed = RunFilter(status=("completed",))
    for row in application.session.history.search(completed, limit=LOOKED_AT).rows:
        headline = headline_in(row)
        if headline is not None and row.pipeline_id is not None:
            headlines.setdefault(row.pipeline_id, headline)
    return headlines


def pipelines_under_way(application: Application) -> dict[str, str]:
    """Return ``running`` or ``queued`` by pipeline, for runs that have not ended."""
    wanted = RunFilter(status=("queued", "running"))
    rows = application.session.history.search(wanted, limit=LOOKED_AT).rows
    return {
        row.pipeline_id: status_words(row.status) for row in rows if row.pipeline_id is not None
    }


def recent_runs(application: Application) -> None:
    """Draw the runs side by side; nothing if there are none."""
    rows = application.session.history.search(RunFilter(), limit=SHOWN).rows
    if not rows:
        return
    labels = labels_in_runs(rows, application.session.pipelines.all())
    st.subheader(_("Recent runs"), anchor=False)
    for column, row in zip(st.columns(SHOWN, gap="small"), rows, strict=False):
        with column, st.container(border=True, gap="xsmall"):
            address = {"run": row.id}
            st.page_link(page("run"), label=plain(row.name or row.id), query_params=address)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.badge(status_words(row.status), color=COLOURS.get(row.status, "gray"))
                headline = headline_in(row)
                if headline is not None:
                    st.markdown(f"**{headline.text}** {plain(headline.described)}")
            when = time.strftime("%d %b, %H:%M", time.localtime(row.created))
            took = (
                ""
                if row.seconds is None
                else ", " + _("took {time}", time=format_seconds(row.seconds))
            )
            pipeline = plain(
                labels.get(row.pipeline_id or "") or row.pipeline_name or row.experiment
            )
            st.caption(f"{pipeline} · {when}{took}")
