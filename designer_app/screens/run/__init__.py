"""Run page: graph, times, logs, curves, outputs, parameters, environment, lineage."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from designer_app.application import Application, current
from designer_app.editor.component import mount_screen
from designer_app.screens.navigation import follow, page
from designer_app.screens.run.actions import actions
from designer_app.screens.run.environment import environment
from designer_app.screens.run.failure import failure_card
from designer_app.screens.run.header import add_forecast, header
from designer_app.screens.run.lineage import lineage
from designer_app.screens.run.metrics import metrics
from designer_app.screens.run.outputs import outputs
from designer_app.screens.run.parameters import parameters
from designer_app.screens.run.run_view import RunView, find_run
from designer_app.screens.run.tried import tried
from designer_app.translation import _
from designer_app.ui.page_parts import nothing_here, tab_title
from designer_app.ui.query_params import query_id
from designer_app.viewers.dialog import output_dialog
from pipelines.runs.results import headline_in
from pipelines.sentences.status_words import status_words

LIVE_SECONDS = 1.5
TABS: dict[str, Callable[[RunView], None]] = {
    _("Metrics"): metrics,
    _("Try an image"): tried,
    _("Outputs"): outputs,
    _("Parameters"): parameters,
    _("Environment"): environment,
    _("Lineage"): lineage,
}
LIVE_TABS = frozenset({_("Metrics"), _("Outputs")})


def show() -> None:
    """Draw the page of the run in the address."""
    application = current()
    run_id = query_id("run", "run_id")
    subject = find_run(application, run_id) if run_id else None
    if subject is None or run_id is None:
        _no_such_run()
        return
    headline = headline_in(subject.row)
    tab_title(
        headline.text if headline else status_words(subject.state.status),
        subject.row.name or run_id,
    )
    lines: list[DeltaGenerator] = []
    _refreshed_while_live(lambda now: lines.append(header(now)), subject)
    actions(subject)
    failure_card(subject)
    _tabs(subject)
    add_forecast(lines[-1], subject)


def _no_such_run() -> None:
    st.title(_("Run"))
    text = _("It was deleted, or the address is wrong. See Runs for all runs.")
    if nothing_here(_("Run not found"), text, action=_("Open Runs"), key="run-list"):
        st.switch_page(page("runs"))


def _tabs(subject: RunView) -> None:
    overview, *others = st.tabs([_("Overview"), *TABS], key="run-tab", on_change="rerun")
    with overview:  # drawn behind other tabs as well: it follows the run
        _overview(subject)
    for tab, (name, draw) in zip(others, TABS.items(), strict=True):
        if not tab.open:
            continue
        with tab:
            if name in LIVE_TABS:
                _refreshed_while_live(draw, subject)
            else:
                draw(subject)


def _overview(subject: RunView) -> None:
    """Draw the graph with the result, times and logs."""
    application, ended = subject.application, subject.state.finished
    # the trigger `refresh` fires when the run ends; the rerun of this script is all that it needs
    shown = mount_screen(application, "run", key="run-screen", run_id=subject.id, ended=ended)
    if shown is not None:
        output_dialog(application, shown.look, page=_("Run"), subject=subject.id)
        follow(shown.go)


def _refreshed_while_live(draw: Callable[[RunView], None], subject: RunView) -> None:
    """Draw a part, and redraw it automatically while the run continues."""
    read = [subject]  # the first time this run itself, which was just read

    def part(application: Application, run_id: str) -> None:
        now = read.pop() if read else find_run(application, run_id)
        if now is None:
            st.info(_("This run was deleted. Open Runs."))
        else:
            draw(now)

    seconds = LIVE_SECONDS if subject.is_live else None
    st.fragment(part, run_every=seconds)(subject.application, subject.id)
