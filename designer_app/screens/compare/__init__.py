"""Compare page: two to eight runs side by side, with the first as the baseline."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from designer_app.application import Application, current
from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.screens.compare.graph import graph
from designer_app.screens.compare.metrics import metrics
from designer_app.screens.compare.parameters import parameters
from designer_app.screens.compare.prediction_changes import prediction_changes
from designer_app.screens.compare.winner import headline_text, winner
from designer_app.screens.navigation import page
from designer_app.screens.run.header import COLOURS
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import nothing_here, tab_title
from designer_app.ui.query_params import query_ids
from modules.formatting import format_seconds
from pipelines.problems import PipelineError
from pipelines.runs.compared_runs import MAX_RUNS, MIN_RUNS
from pipelines.runs.comparison import compare
from pipelines.sentences.status_words import status_words

TABS: dict[str, Callable[[ComparisonView], None]] = {
    _("Metrics"): metrics,
    _("Flipped predictions"): prediction_changes,
    _("Parameters"): parameters,
    _("Graph"): graph,
}


def show() -> None:
    """Draw the page of the runs in the address."""
    st.page_link(page("runs"), label=_("Runs"), icon=":material/arrow_back:")
    st.title(_("Compare"), anchor=False)
    compared = _compared(current())
    if compared is None:
        return
    tab_title(_("Compare"), *[run.name for run in compared.runs[:2]])
    winner(compared)
    _headers(compared)
    drawn = st.tabs(list(TABS), key="compare-tab", on_change="rerun")
    for tab, draw in zip(drawn, TABS.values(), strict=True):
        if tab.open:
            with tab:
                draw(compared)


def _compared(application: Application) -> ComparisonView | None:
    store = application.session.runs.store
    wanted = query_ids("run", "run_id")[:MAX_RUNS]
    run_ids = [run_id for run_id in wanted if store.record(run_id) is not None]
    if len(run_ids) < MIN_RUNS:
        _too_few(num_gone=len(wanted) - len(run_ids))
        return None
    if len(run_ids) < len(wanted):
        st.warning(
            _(
                "{count} {count:run was|runs were} deleted and {count:is|are} not compared.",
                count=len(wanted) - len(run_ids),
            )
        )
    try:
        return ComparisonView(application, compare(application.session.runs, run_ids))
    except (LookupError, PipelineError) as error:
        st.error(plain(error))
        return None


def _too_few(num_gone: int) -> None:
    """Draw the reason why nothing is compared, and a button to choose runs."""
    title = _("Runs of this comparison were deleted") if num_gone else _("No runs selected")
    what_to_do = _("Select two to eight runs on the page Runs, then press Compare.")
    why = _("They were deleted, or the address is wrong.") if num_gone else ""
    text = f"{why} {what_to_do}".lstrip()
    if nothing_here(title, text, action=_("Open Runs"), key="compare-runs"):
        st.switch_page(page("runs"))


def _headers(compared: ComparisonView) -> None:
    """Draw a card for each run; the first is the baseline, and any other may become it."""
    columns = st.columns(len(compared.runs), gap="small")
    for place, (column, run) in enumerate(zip(columns, compared.runs, strict=True)):
        with column, st.container(border=True, gap="xsmall", height="stretch"):
            label = f"{compared.letter(place)}: {run.name or run.run_id}"
            st.page_link(page("run"), label=plain(label), query_params={"run": run.run_id})
            is_best = place == compared.comparison.winner
            st.markdown(headline_text(compared.comparison.headlines[place], is_best))
            mark = f"compare-mark-{place}"  # as high with a badge as with a button
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key=mark):
                st.badge(status_words(run.status), color=COLOURS.get(run.status, "gray"))
                _baseline(compared, place)
            took = "" if run.seconds is None else f" · {format_seconds(run.seconds)}"
            version = (
                ""
                if run.version is None
                else _("Version **{version}** · ", version=plain(run.version))
            )
            st.caption(f"{version}{plain(run.experiment)} · {run.run_id}{took}")


def _baseline(compared: ComparisonView, place: int) -> None:
    """Draw the mark of the baseline, or the button that makes a run the baseline."""
    if place == 0:
        st.badge(_("Baseline"), icon=":material/star:", color="gray")
        return
    key = f"compare-baseline-{place}"
    if st.button(_("Use as baseline"), icon=":material/star:", type="tertiary", key=key):
        run_ids = [run.run_id for run in compared.runs]
        st.query_params["run"] = [run_ids.pop(place), *run_ids]
        st.rerun()
