"""Published page: pipelines to run again with other values, their schedules and callers."""

from __future__ import annotations

import json
import shlex
import time
from datetime import datetime
from typing import Any

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry
from designer_app.screens.navigation import open_run
from designer_app.screens.parameter_field import parameter_fields
from designer_app.screens.publish_form import SHOWN, publish
from designer_app.screens.schedule_form import add_schedule
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import heading, nothing_here
from pipelines.automation.schedules import Schedule, Schedules
from pipelines.automation.start_lines import start_lines
from pipelines.automation.times import zone_of
from pipelines.document.document import parse_document
from pipelines.execution.runner_lock import current_runner
from pipelines.registry.caller_keys import SLOTS
from pipelines.runs.published_runs import PublishedRuns
from pipelines.store.database.published import PublishedPipeline, PublishedVersion


def show() -> None:
    """Draw the page."""
    application = current()
    about = _("Fixed versions of pipelines. Run them here, from a program or on a schedule.")
    pipelines = {pipeline.name: pipeline for pipeline in application.session.published.all()}
    if not pipelines:
        heading(_("Published pipelines"), about)
        text = _(
            "A published pipeline does not change when you edit the pipeline it came from. It has "
            "versions, can be called by other programs, and runs on schedules."
        )
        title, action = _("No published pipelines yet"), _("Publish a pipeline")
        if nothing_here(title, text, action=action, key="published-begin"):
            publish(application)
        return
    title, action = _("Published pipelines"), _("Publish")
    if heading(title, about, action=action, key="published-new", kind="secondary"):
        publish(application)
    entries = [_entry(pipeline) for pipeline in pipelines.values()]
    pipeline = pipelines[chosen_entry(entries, SHOWN, _("Published pipelines"))]
    version = _version(pipeline)
    _removal(application, pipeline.name)
    run, schedules, calls = st.tabs([_("Run"), _("Schedules"), _("Calls")])
    with run:
        _run_form(application, version)
    with schedules:
        _schedules(application, pipeline.name)
    with calls:
        _calls(application, pipeline, version)


def _entry(pipeline: PublishedPipeline) -> Entry:
    when = time.strftime("%d %b %Y, %H:%M", time.localtime(pipeline.newest.created))
    return Entry(
        id=pipeline.name,
        title=pipeline.name,
        text=". ".join(filter(None, [pipeline.description, when])),
        figure=str(pipeline.newest.version),
        figure_name=_("newest version"),
    )


def _version(pipeline: PublishedPipeline) -> PublishedVersion:
    st.subheader(plain(pipeline.name))
    numbers = [version.version for version in reversed(pipeline.versions)]
    number = numbers[0]
    if len(numbers) > 1:
        key = f"published-version-{pipeline.name}"
        number = int(st.pills(_("Version"), numbers, default=number, key=key, required=True))
    version = pipeline.version(number)
    assert version is not None
    if version.description:
        st.caption(plain(version.description))
    return version


# run


def _run_form(application: Application, version: PublishedVersion) -> None:
    document = parse_document(version.document)
    key = f"published-run-{version.name}-{version.version}"
    with st.form(key, border=False):
        texts = parameter_fields(document, application.session.catalog, key)
        if not document.parameters:
            st.write(_("This pipeline has no parameters."))
        if not st.form_submit_button(_("Run"), key=f"{key}-go", type="primary"):
            return
    with errors_shown():
        values = {name: value for name, value in texts.items() if value is not None}
        submitted = PublishedRuns(application.session.runs).start(
            version.name,
            values,
            version=version.version,
            allowed_roots=application.settings.allowed_roots,
        )
        open_run(submitted.run_id)


# schedules


def _schedules(application: Application, name: str) -> None:
    schedules = Schedules(application.session.runs)
    own = [entry for entry in schedules.all() if entry.settings.published == name]
    if st.button(_("Add schedule"), key="schedule-new"):
        add_schedule(application, name)
    if not own:
        st.write(_("No schedules yet."))
    elif current_runner(application.settings.workspace) is None:
        st.warning(
            _(
                "No runner is alive, so nothing fires. The app starts one within seconds; without "
                "the app, the lines below do."
            )
        )
    for schedule in own:
        _schedule(schedules, schedule)
    if own:
        with st.expander(_("After a restart of the machine")):
            st.write(_("Schedules fire while a runner lives. One of these starts it again:"))
            for text in start_lines(application.settings.workspace.root).values():
                st.code(text, language="bash")


def _schedule(schedules: Schedules, schedule: Schedule) -> None:
    zone = zone_of(schedule.settings.zone)

    def shown(seconds: float) -> str:
        return datetime.fromtimestamp(seconds, zone).strftime("%a %d %b, %H:%M %Z")

    with st.container(border=True):
        st.write(f"**{plain(schedule.name)}** · {plain(_trigger(schedule))}")
        if values := schedule.settings.parameters:
            st.caption(plain(", ".join(f"{name} = {value}" for name, value in values.items())))
        if schedule.paused:
            st.write(plain(schedule.paused.capitalize()))
        elif schedule.next_times:
            st.caption(_("Next: {times}", times=[shown(at) for at in schedule.next_times]))
        rows = [
            {
                _("Planned"): shown(firing.planned),
                _("Status"): firing.status,
                _("Run"): firing.run_id,
                _("Reason"): firing.why,
            }
            for firing in schedule.firings[:5]
        ]
        if rows:
            st.dataframe(rows, hide_index=True)
        with st.container(horizontal=True):
            if schedule.paused:
                if st.button(_("Resume"), key=f"schedule-resume-{schedule.name}"):
                    schedules.resume(schedule.name)
                    st.rerun()
            elif st.button(_("Pause"), key=f"schedule-pause-{schedule.name}"):
                schedules.pause(schedule.name)
                st.rerun()
            if st.button(_("Remove"), key=f"schedule-remove-{schedule.name}"):
                schedules.remove(schedule.name)
                st.rerun()


def _trigger(schedule: Schedule) -> str:
    settings = schedule.settings
    if settings.cron is not None:
        return _("{cron} in {zone}", cron=settings.cron, zone=settings.zone)
    if settings.watched is not None:
        return _("when {source} has changed", source=settings.watched)
    minutes = settings.every_minutes
    return _("every {minutes:g} {minutes:minute|minutes}", minutes=minutes)


# calls


def _calls(
    application: Application, pipeline: PublishedPipeline, version: PublishedVersion
) -> None:
    name = version.name
    document = parse_document(version.document)
    call: dict[str, Any] = {
        "parameters": {parameter.id: parameter.default for parameter in document.parameters}
    }
    if version.version != pipeline.newest.version:
        call["version"] = version.version
    body = shlex.quote(json.dumps(call, ensure_ascii=False))
    address = f"http://127.0.0.1:{application.settings.port}/api/published/{name}/runs"
    st.write(_("Other programs start a run with a key of this pipeline:"))
    st.code(
        f"curl -X POST {address} \\\n  -H 'Authorization: Bearer KEY' \\\n"
        f"  -H 'Content-Type: application/json' \\\n  -d {body}",
        language="bash",
    )
    st.caption(
        _(
            "Parameters that are left out have these values. Repeated calls with the same header "
            "`Idempotency-Key` start one run."
        )
    )
    keys = application.session.published.keys(name)
    present = {key.slot: key for key in keys.all()}
    for slot in SLOTS:
        key = present.get(slot)
        with st.container(horizontal=True, vertical_alignment="center"):
            if key is None:
                st.write(_("Key {slot}: none", slot=slot))
            else:
                when = time.strftime("%d %b %Y", time.localtime(key.created))
                st.write(_("Key {slot}: created {when}", slot=slot, when=when))
            label = _("Create") if key is None else _("Replace")
            if st.button(label, key=f"published-key-{slot}"):
                _show_new_key(slot, keys.rotate(slot))
            if key is not None and st.button(_("Remove"), key=f"published-revoke-{slot}"):
                keys.remove(slot)
                st.rerun()


def _removal(application: Application, name: str) -> None:
    with st.popover(_("Remove")):
        st.write(_("Its runs stay. Programs and schedules can no longer start it."))
        if st.button(_("Remove {name}", name=name), key="published-remove", type="primary"):
            with errors_shown():
                Schedules(application.session.runs).require_unused(name, None)
                application.session.published.delete(name)
                st.rerun()


@st.dialog(_("New key"))
def _show_new_key(slot: int, key: str) -> None:
    st.write(_("Copy key {slot} now: only its hash is stored.", slot=slot))
    st.code(key, language=None)
    if st.button(_("Done"), key="published-key-done", type="primary"):
        st.rerun()
