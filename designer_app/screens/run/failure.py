"""Failure card of a run: its details, and a button that fixes the problem and resumes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from designer_app.screens.navigation import open_run
from designer_app.screens.run.run_view import RunView
from designer_app.ui.error_messages import guarded
from designer_app.ui.markdown import plain
from pipelines.editing.remedies import Remedy, remedy_of

MAX_EVIDENCE = 20_000


def failure_card(subject: RunView) -> None:
    """Draw the card of the failed node; nothing if none failed."""
    problem = subject.state.problem
    if problem is None:
        return
    node = problem.get("node")
    where = f"**{plain(subject.title(node))}**: " if node else ""
    headline, lines = headline_and_lines(problem["message"])
    st.error(f"{where}{plain(headline)}\n\n{plain(problem['cure'])}", icon=":material/error:")
    if lines:
        st.code(lines, language=None, wrap_lines=True)
    _evidence(problem)
    remedy = cure_of(subject)
    if remedy is not None:
        _cure(subject, remedy)


def headline_and_lines(message: str) -> tuple[str, str]:
    """Return the error as a sentence, and the log lines that explain it; often none."""
    headline, _, lines = message.partition("\n")
    return (f"{headline.removesuffix(':')}." if headline.endswith(":") else headline), lines


def cure_of(subject: RunView) -> Remedy | None:
    """Return the automatic fix for the problem of a finished run."""
    problem = subject.state.problem
    if problem is None or subject.is_live:
        return None
    return remedy_of(problem, subject.document, subject.catalog)


def _evidence(problem: Mapping[str, Any]) -> None:
    details = problem.get("details") or {}
    _table(details, "run-evidence", expanded=True)
    _table(details.get("echoes") or {}, "run-echoes", expanded=False)
    text = problem.get("evidence") or problem.get("traceback")
    if text:
        with st.expander("Traceback"):
            st.code(str(text)[:MAX_EVIDENCE], language=None, wrap_lines=True)


def _table(details: Mapping[str, Any], key: str, *, expanded: bool) -> None:
    """Draw a small table of details; nothing if there are none."""
    rows = details.get("rows") or []
    if not rows:
        return
    with st.expander(plain(details.get("title") or "Evidence"), expanded=expanded):
        table = [{"What": name, "Found": value} for name, value in rows]
        st.dataframe(table, hide_index=True, width="content", key=key)
        more = int(details.get("num_rows") or 0) - len(rows)
        if more > 0:
            st.caption(f"And {more:,} more. See the log of this node.")


def _cure(subject: RunView, remedy: Remedy) -> None:
    pressed = st.button(
        f"{plain(remedy.label)} and run again",
        key="run-cure",
        type="primary",
        icon=":material/build:",
        help="Start a new run with this change. Earlier nodes are reused; the saved pipeline is "
        "not changed.",
    )
    if pressed:
        history = subject.application.session.history
        guarded(lambda: open_run(history.resubmit(subject.id, document=remedy.document)))
