"""Sweep page: trials, best value, importance; its values and its model are used from here."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

from designer_app.application import Application, current
from designer_app.editor.component import mount_screen
from designer_app.elements.register_model import register_model_form
from designer_app.elements.theme_watch import redraw_in_another_theme
from designer_app.screens.navigation import follow_list, open_comparison, open_run, page
from designer_app.screens.run.header import COLOURS
from designer_app.screens.sweep_charts import best_so_far, importances
from designer_app.screens.sweep_coordinates import parallel_coordinates
from designer_app.screens.sweep_repeats import repeated_table
from designer_app.screens.sweep_titles import (
    full_titles,
    metric_title,
    parameter_titles,
    space_words,
)
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown, guarded
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures, nothing_here, tab_title
from designer_app.ui.query_params import query_id
from modules.catalog import Catalog
from modules.search.spaces import value_text
from pipelines.errors import NotFoundError, PipelineNotFoundError
from pipelines.runs.metric_words import metric_text, metric_words
from pipelines.sentences.status_words import status_words
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.repeats import NUM_BEST, NUM_SEEDS
from pipelines.sweeps.sweep_reports import reason_text
from pipelines.sweeps.sweeps import Sweep, Sweeps

LIVE_SECONDS = 1.5
TRAINED_MODEL = "trained_model"
"""Port of a training whose model is registered."""


def show() -> None:
    """Draw the sweep in the address, or the list of sweeps."""
    application = current()
    sweeps = Sweeps(application.session.runs)
    sweep_id = query_id("sweep", "sweep_id")
    if sweep_id is None and "sweep" not in st.query_params:
        _list(sweeps.all())
        return
    try:
        sweep = sweeps.find(sweep_id or "")
    except NotFoundError:
        st.title(_("Sweep"))
        text = _("The address is wrong. See the list of sweeps.")
        if nothing_here(_("Sweep not found"), text, action=_("Open Sweeps"), key="sweep-list"):
            st.switch_page(page("sweep"))
        return
    tab_title(plain(sweep.row.name), _("Sweep"))
    with st.container(key="sweep-back"):
        st.page_link(page("sweep"), label=_("Sweeps"), icon=":material/arrow_back:")
    _refreshed_while_live(application, sweep)


def _list(sweeps: list[Sweep]) -> None:
    st.title(_("Sweeps"), anchor=False)
    if not sweeps:
        text = _(
            "A sweep tries several values of parameters. Click the flask next to a parameter in "
            "the settings of a node, enter the values, then run the pipeline."
        )
        if nothing_here(_("No sweeps yet"), text, action=_("Open Design"), key="sweeps-none"):
            st.switch_page(page("design"))
        return
    for sweep in sweeps:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            label, address = plain(sweep.row.name), {"sweep": sweep.id}
            st.page_link(page("sweep"), label=label, query_params=address, width="content")
            _badge(sweep)
            started = time.strftime("%d %b %Y, %H:%M", time.localtime(sweep.row.created))
            facts = [*_facts(sweep), _("started {time}", time=started)]
            st.caption(plain(" · ".join(facts)))


def _badge(sweep: Sweep) -> None:
    state = sweep.row.state
    colour = COLOURS.get("cancelled" if state in ("stopped", "stopping") else state, "gray")
    st.badge(status_words(state), color=colour)


def _facts(sweep: Sweep) -> list[str]:
    ended = sum(trial.finished is not None for trial in sweep.own_trials)
    most = sweep.settings.max_trials or 0
    facts = [_("{ended} of {count} {count:trial|trials} ended", ended=ended, count=most)]
    best = sweep.best
    if best is not None:
        facts.append(_("best {value}", value=_value_text(sweep, best)))
    repeats = len(sweep.trials) - len(sweep.own_trials)
    if repeats:
        done = sum(trial.finished is not None for trial in sweep.trials) - ended
        text = _("{done} of {count} {count:repetition|repetitions} ended", done=done, count=repeats)
        facts.append(text)
    return facts


def _value_text(sweep: Sweep, trial: TrialRow) -> str:
    objective = sweep.settings.objective
    if objective is None or trial.objective is None:
        return ""
    return metric_text(objective.metric, trial.objective)


def _refreshed_while_live(application: Application, sweep: Sweep) -> None:
    """Draw the sweep, and redraw it automatically while it continues."""
    read = [sweep]  # the first time this one, which was just read

    def part(sweep_id: str) -> None:
        now = read.pop() if read else Sweeps(application.session.runs).find(sweep_id)
        _draw(application, now)
        if sweep.is_active and not now.is_active:
            st.rerun()  # the whole page: it is no longer redrawn

    st.fragment(part, run_every=LIVE_SECONDS if sweep.is_active else None)(sweep.id)


def _draw(application: Application, sweep: Sweep) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(plain(sweep.row.name), width="content", anchor=False)
        _badge(sweep)
    st.caption(plain(" · ".join(_facts(sweep))))
    for reason in (sweep.row.reason, sweep.row.notes or None):
        text = reason_text(reason)
        if text:
            (st.error if sweep.row.state == "failed" else st.warning)(plain(text))
    titles = parameter_titles(sweep, application.session.catalog)
    _best(sweep, titles)
    _actions(application, sweep)
    repeated_table(sweep, titles)
    selected: frozenset[int] | None = None
    has_results = any(trial.objective is not None for trial in sweep.trials)
    left, right = st.columns(2, gap="medium")
    if has_results:
        with left:
            best_so_far(sweep)
        selected = parallel_coordinates(sweep, titles)
    _table(application, sweep, selected, titles)
    with st.expander(_("Settings of the sweep")):
        _settings(sweep, application.session.catalog)
    if has_results:
        redraw_in_another_theme("sweep-theme")
        with right:
            importances(sweep, titles)  # last, as it takes a second


def _best(sweep: Sweep, titles: Mapping[str, str]) -> None:
    best, objective = sweep.best, sweep.settings.objective
    if best is None or objective is None:
        return
    shown = {metric_words(objective.metric): _value_text(sweep, best)}
    shown |= {titles.get(place, place): value_text(value) for place, value in best.values.items()}
    figures(shown, "sweep")


def _actions(application: Application, sweep: Sweep) -> None:
    sweeps, best = Sweeps(application.session.runs), sweep.best
    with st.container(horizontal=True, gap="small"):
        if sweep.row.state == "running" and st.button(
            _("Stop"), key="sweep-stop", icon=":material/stop:"
        ):
            guarded(lambda: sweeps.stop(sweep.id))
            st.rerun()
        may_resume = not sweep.is_active and sweep.has_trials_left
        if may_resume and st.button(
            _("Resume"), key="sweep-resume", icon=":material/play_arrow:", type="primary"
        ):
            guarded(lambda: sweeps.resume(sweep.id))
            st.rerun()
        if best is None:
            return
        if sweep.row.pipeline_id is not None and st.button(
            _("Use these values"),
            key="sweep-use",
            icon=":material/done_all:",
            type="secondary" if may_resume else "primary",
            help=_("Set the best trial's values in the pipeline. Undo restores the earlier ones."),
        ):
            _use(application, sweep, sweep.recommended or best)
        if not sweep.is_active and st.button(
            _("Repeat the best {count} with other seeds", count=NUM_BEST),
            key="sweep-repeat",
            icon=":material/casino:",
            help=_("Run them {count} times more each, to see what is chance.", count=NUM_SEEDS),
        ):
            with errors_shown():
                sweeps.repeat(sweep.id)
                st.rerun()
        if best.run_id is not None:
            _register(application, best.run_id)
            if st.button(_("Open the best run"), key="sweep-run", icon=":material/play_circle:"):
                open_run(best.run_id)
        compared = [one.run_id for one in sweep.ranked if one.run_id][:NUM_BEST]
        if len(compared) > 1 and st.button(
            _("Compare the best {count}", count=len(compared)),
            key="sweep-compare",
            icon=":material/compare:",
        ):
            open_comparison(compared)


def _use(application: Application, sweep: Sweep, best: TrialRow) -> None:
    """Open the Design page, whose editor sets the values as one step."""
    pipeline_id = sweep.row.pipeline_id or ""
    try:
        application.session.pipelines.open(pipeline_id)
    except PipelineNotFoundError:
        st.warning(_("The pipeline of this sweep was deleted. Clone the best run instead."))
        return
    query = {"pipeline": pipeline_id, "sweep": sweep.id, "trial": str(best.number)}
    st.switch_page(page("design"), query_params=query)


def _register(application: Application, run_id: str) -> None:
    """Draw the form that registers the trained model of a run; nothing if there is none."""
    artifacts = application.session.runs.artifacts
    steps = application.session.runs.store.state(run_id).steps.values()
    ids = [step.artifact_id for step in steps if step.artifact_id is not None]
    trained = [one for one in ids if (artifacts.artifact_folder(one) / TRAINED_MODEL).is_dir()]
    if not trained:
        return
    label = _("Register the best model")
    with st.popover(label, key="sweep-register", icon=":material/inventory_2:"):
        register_model_form(application, trained[-1], TRAINED_MODEL, f"sweep-register-{run_id}")


def _table(
    application: Application,
    sweep: Sweep,
    selected: frozenset[int] | None,
    titles: Mapping[str, str],
) -> None:
    """Draw the trials; only the ``selected`` ones, by number, unless it is None."""
    st.subheader(_("Trials"), anchor=False)
    numbers = None if selected is None else sorted(selected)
    trials = {"sweep": sweep.id, "titles": titles, "numbers": numbers}
    follow_list(mount_screen(application, "runs", key=f"trials-{sweep.id}", trials=trials))


def _settings(sweep: Sweep, catalog: Catalog) -> None:
    settings, titles = sweep.settings, full_titles(sweep, catalog)
    facts = [(titles[place], space_words(space)) for place, space in settings.parameters.items()]
    facts.append((_("Strategy"), settings.strategy))
    if settings.objective is not None:
        goal = {"minimize": _("Lowest value"), "maximize": _("Highest value")}
        facts.append((_("Metric"), metric_title(sweep, catalog)))
        facts.append((_("Goal"), goal[settings.objective.goal]))
    if settings.pruning is not None:
        facts.append((_("Stop early"), settings.pruning.kind))
    facts.append((_("Trials at the same time"), str(settings.parallel)))
    for name, text in facts:
        st.markdown(f"**{plain(name)}** {plain(text)}")
