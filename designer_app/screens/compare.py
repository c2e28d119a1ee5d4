"""Compare: two to eight runs beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from designer_app.application import current
from designer_app.screens import pages
from designer_app.screens.address import all_named
from designer_app.screens.run.subject import RunSubject, find_run
from designer_app.screens.text import plain
from designer_app.screens.words import in_figures

MIN_RUNS, MAX_RUNS = 2, 8


def show() -> None:
    """Draw the page of the runs that the address names."""
    st.title("Compare", anchor=False)
    application = current()
    wanted = all_named("run", "run_id")[:MAX_RUNS]
    found = [subject for each in wanted if (subject := find_run(application, each))]
    if len(found) < MIN_RUNS:
        st.info("Choose two to eight runs in the list of runs, then press Compare.")
        st.page_link(pages()["runs"], label="Go to the runs")
        return
    for subject in found:
        label = f"{subject.row.name} ({subject.id})"
        st.page_link(pages()["run"], label=plain(label), query_params={"run": subject.id})
    st.subheader("Metrics", anchor=False)
    st.caption("The value of the last step, and how far it is from that of the first run.")
    st.dataframe(list(_metric_rows(found)), hide_index=True, width="stretch")


def _metric_rows(subjects: Sequence[RunSubject]) -> list[dict[str, str]]:
    last = [each.application.runs.store.last_values(each.id) for each in subjects]
    names = dict.fromkeys((node, name) for run in last for node in run for name in run[node])
    rows = []
    for node, name in names:
        values = [run.get(node, {}).get(name) for run in last]
        row = {"Node": subjects[0].titles.get(node, node), "Metric": name}
        for subject, value in zip(subjects, values, strict=True):
            row[subject.id] = _beside(value, values[0], is_first=subject is subjects[0])
        rows.append(row)
    return rows


def _beside(value: float | None, first: float | None, *, is_first: bool) -> str:
    if is_first or value is None or first is None:
        return in_figures(value)
    return f"{in_figures(value)} ({value - first:+.3g})"
