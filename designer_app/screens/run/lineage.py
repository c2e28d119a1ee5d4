"""Where a run comes from and what was made of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from designer_app.screens import pages
from designer_app.screens.run.subject import RunSubject
from designer_app.screens.text import plain
from pipelines.store.lineage import Lineage, RunLink, lineage_of

SHOWN = 12


def lineage(subject: RunSubject) -> None:
    """Draw the tab."""
    found = lineage_of(subject.application.runs.database, subject.id)
    if found == Lineage():
        st.info(
            "This run repeats no other one, reused nothing, and nothing was reused from it. "
            "Resubmit it, and the new run appears here."
        )
        return
    before, after = st.columns(2, gap="large")
    with before:
        _links(subject, "Repeats", found.repeats)
        _links(subject, "Reused from", found.reused_from)
    with after:
        _links(subject, "Repeated by", found.repeated_by)
        _links(subject, "Reused by", found.reused_by)


def _links(subject: RunSubject, heading: str, links: Sequence[RunLink]) -> None:
    if not links:
        return
    st.subheader(heading, anchor=False)
    for link in links[:SHOWN]:
        nodes = ", ".join(subject.titles.get(node, node) for node in link.nodes[:SHOWN])
        with st.container(border=True, gap=None):
            if link.name is None:
                st.write(f"`{link.run_id}`: this run was deleted")
            else:
                st.page_link(
                    pages()["run"], label=plain(link.name), query_params={"run": link.run_id}
                )
                st.caption(f"`{link.run_id}`, {link.status}")
            if nodes:
                more = f" and {len(link.nodes) - SHOWN:,} more" if len(link.nodes) > SHOWN else ""
                st.caption(plain(f"{nodes}{more}"))
    if len(links) > SHOWN:
        st.caption(f"And {len(links) - SHOWN:,} more: search the runs for them.")
