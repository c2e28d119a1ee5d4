"""Form of a new schedule, with its next five times while it is filled in."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, TypedDict

import streamlit as st
from pydantic import ValidationError

from designer_app.application import Application
from designer_app.screens.parameter_field import parameter_fields
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from pipelines.automation.schedules import Schedules
from pipelines.automation.settings import ScheduleSettings
from pipelines.automation.times import check_cron, local_zone, next_times, zone_of
from pipelines.automation.watched_source import absolute_source
from pipelines.document.document import parse_document
from pipelines.document.edits import free_name

CRON, EVERY, WATCH = "cron", "every", "watch"
LOOK_MINUTES = 5.0


@st.dialog(_("Add schedule"), width=SMALL)
def add_schedule(application: Application, published: str) -> None:
    """Draw the form, and add the schedule."""
    kinds = {
        CRON: _("at times (cron)"),
        EVERY: _("every few minutes"),
        WATCH: _("when data has changed"),
    }
    name = st.text_input(_("Name"), value=_free_name(application, published), key="schedule-name")
    kind = st.radio(
        _("Run"), list(kinds), format_func=kinds.__getitem__, key="schedule-kind", horizontal=True
    )
    trigger = _trigger(application, str(kind))
    settings = None
    with errors_shown():
        settings = _settings(published, trigger)
        _preview(settings)
    values = _values(application, published)
    missed = {
        "once": _("run once"),
        "skip": _("skip them"),
        "all": _("run up to 10"),
    }
    overlap = {
        "skip": _("skip the new one"),
        "queue": _("wait for it"),
        "cancel": _("cancel it"),
    }
    chosen_missed = st.selectbox(
        _("Missed times"),
        list(missed),
        format_func=missed.__getitem__,
        key="schedule-missed",
    )
    chosen_overlap = st.selectbox(
        _("If the previous run is still running"),
        list(overlap),
        format_func=overlap.__getitem__,
        key="schedule-overlap",
    )
    is_added = dialog_buttons(_("Add"), key="schedule-add", disabled=settings is None)
    if not is_added or settings is None:
        return
    if not name.strip():
        st.error(_("Enter a name."))
        return
    with errors_shown():
        policies = {"missed": chosen_missed, "overlap": chosen_overlap, "parameters": values}
        whole = settings.model_copy(update=policies)
        Schedules(application.session.runs).add(name.strip(), whole)
        st.rerun()


def _free_name(application: Application, published: str) -> str:
    schedules = Schedules(application.session.runs).all()
    return free_name({schedule.name for schedule in schedules}, published, "-")


def _values(application: Application, published: str) -> dict[str, Any]:
    """Draw a field for each pipeline parameter; return the values that are not the default.

    Later versions may have other defaults, so those are read when the schedule fires.
    """
    version = application.session.published.find(published).newest
    document = parse_document(version.document)
    fields = parameter_fields(document, application.session.catalog, "schedule-parameter")
    defaults = {entry.id: entry.default for entry in document.parameters}
    return {
        name: value
        for name, value in fields.items()
        if value is not None and value != defaults[name]
    }


class ScheduleTrigger(TypedDict, total=False):
    """Settings of a schedule that say when it fires; none while the form is incomplete."""

    cron: str
    zone: str
    every_minutes: float
    watched: str


def _trigger(application: Application, kind: str) -> ScheduleTrigger:
    if kind == EVERY:
        minutes = st.number_input(_("Minutes"), 1.0, 525_600.0, 60.0, key="schedule-minutes")
        return {"every_minutes": float(minutes)}
    if kind == WATCH:
        source = st.text_input(
            _("Dataset or folder"),
            key="schedule-source",
            placeholder="dataset:birds",
            help=_("It is looked at every five minutes, and must be the same at two looks."),
        )
        root = application.settings.workspace.root
        watched = absolute_source(source.strip(), root) if source.strip() else None
        return {"watched": watched, "every_minutes": LOOK_MINUTES} if watched else {}
    expression = st.text_input(
        _("Minute, hour, day, month, weekday"),
        value="0 8 * * 1-5",
        key="schedule-cron",
        help=_("`0 8 * * 1-5` is 8:00 on workdays, `*/30 * * * *` every half hour."),
    )
    zone = st.text_input(_("Time zone"), value=local_zone(), key="schedule-zone")
    return {"cron": expression.strip(), "zone": zone.strip()}


def _settings(published: str, trigger: ScheduleTrigger) -> ScheduleSettings | None:
    """Return checked settings; None while the form is incomplete."""
    if not trigger:
        return None
    if "cron" in trigger:
        zone_of(trigger["zone"])
        check_cron(trigger["cron"], trigger["zone"])
    try:
        return ScheduleSettings(published=published, **trigger)
    except ValidationError as error:
        st.error(plain(error.errors()[0]["msg"]))
        return None


def _preview(settings: ScheduleSettings | None) -> None:
    if settings is None or settings.watched is not None:
        return
    zone, now = zone_of(settings.zone), time.time()
    times = [
        datetime.fromtimestamp(at, zone).strftime("%a %d %b %Y, %H:%M %Z")
        for at in next_times(settings, now, now)
    ]
    st.caption("  \n".join([_("Next five times:"), *map(plain, times)]))
