"""Lineage tab: the origin of a run and everything derived from it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from designer_app.screens.navigation import page
from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.sentences.status_words import status_words
from pipelines.store.database.lineage import Lineage, RunLink, lineage_of

SHOWN = 12


def lineage(subject: RunView) -> None:
    """Draw the tab."""
    origin = lineage_of(subject.application.session.database, subject.id)
    if origin == Lineage():
        st.info(_("This run is not related to other runs: it repeats none and shares no results."))
        return
    sides = (
        {_("Repeats"): origin.repeats, _("Reused from"): origin.reused_from},
        {_("Repeated by"): origin.repeated_by, _("Reused by"): origin.reused_by},
    )
    filled = [side for side in sides if any(side.values())]
    for column, side in zip(st.columns(len(filled), gap="large"), filled, strict=True):
        with column:
            for heading, links in side.items():
                _links(subject, heading, links)


def _links(subject: RunView, heading: str, links: Sequence[RunLink]) -> None:
    if not links:
        return
    st.subheader(heading, anchor=False)
    for link in links[:SHOWN]:
        mine = [title for node, title in subject.titles.items() if node in link.nodes]
        nodes = ", ".join(mine[:SHOWN])
        with st.container(border=True, gap="xxsmall"):
            if link.name is None:
                st.write(_("`{run_id}`: this run was deleted", run_id=link.run_id))
            else:
                st.page_link(page("run"), label=plain(link.name), query_params={"run": link.run_id})
                st.caption(f"`{link.run_id}`, {status_words(link.status or '')}")
            if nodes:
                more = (
                    " " + _("and {count:,} more", count=len(mine) - SHOWN)
                    if len(mine) > SHOWN
                    else ""
                )
                st.caption(plain(f"{nodes}{more}"))
    if len(links) > SHOWN:
        st.caption(_("And {count:,} more. Search the runs to find them.", count=len(links) - SHOWN))
