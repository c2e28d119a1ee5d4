"""Failure of a run with its evidence; the card on the canvas has the button that fixes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain

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


def headline_and_lines(message: str) -> tuple[str, str]:
    """Return the error as a sentence, and the log lines that explain it; often none."""
    headline, _, lines = message.partition("\n")
    return (f"{headline.removesuffix(':')}." if headline.endswith(":") else headline), lines


def _evidence(problem: Mapping[str, Any]) -> None:
    details = problem.get("details") or {}
    _table(details, "run-evidence")
    _table(details.get("echoes") or {}, "run-echoes")
    text = problem.get("evidence") or problem.get("traceback")
    if text:
        with st.expander(_("Traceback")):
            st.code(str(text)[:MAX_EVIDENCE], language=None, wrap_lines=True)


def _table(details: Mapping[str, Any], key: str) -> None:
    """Draw a folded table of details, which leaves room for the graph; nothing without any."""
    rows = details.get("rows") or []
    if not rows:
        return
    with st.expander(plain(details.get("title") or _("Evidence"))):
        table = [{_("Property"): name, _("Value"): value} for name, value in rows]
        st.dataframe(table, hide_index=True, width="content", key=key)
        more = int(details.get("num_rows") or 0) - len(rows)
        if more > 0:
            st.caption(_("And {more:,} more. See the log of this node.", more=more))
