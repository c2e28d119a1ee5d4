"""Endpoints page: state, requests, latency, a test, samples of calls, keys and logs."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, opened_entry
from designer_app.screens.consume_samples import LANGUAGES, samples
from designer_app.screens.deploy_form import SHOWN, deploy, references
from designer_app.screens.navigation import page
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures, heading, nothing_here
from designer_app.viewers.try_picture import try_picture
from designer_app.viewers.viewed_output import ViewedOutput
from modules.formatting import format_count, format_seconds
from pipelines.automation.endpoint_keeper import endpoint_log
from pipelines.errors import DesignerError
from pipelines.inspection.artifact_info import facts_of
from pipelines.registry.caller_keys import SLOTS, CallerKeys
from pipelines.registry.endpoint_files import dockerfile, systemd_unit
from pipelines.registry.endpoints import DeployedEndpoint
from pipelines.store.artifacts.cache_keys import library_version
from pipelines.store.database.endpoints import ChallengerReport, ServedReport

REFRESH_SECONDS = 2.0
LOG_CHARACTERS = 20_000


def show() -> None:
    """Draw the page."""
    application = current()
    about = _("Models that other programs can call over HTTP.")
    if not application.session.endpoints.all():
        heading(_("Endpoints"), about)
        _nothing_yet(application)
        return
    title, action = _("Endpoints"), _("Deploy")
    if heading(title, about, action=action, key="endpoint-new", kind="secondary"):
        deploy(application)
    _drawn(application)


def _nothing_yet(application: Application) -> None:
    text = _(
        "An endpoint serves a registered model: programs send images over HTTP and receive "
        "labels. It runs in the background and follows its model's alias to new versions."
    )
    has_models = bool(application.session.models.all())
    action = _("Deploy a model") if has_models else _("Open Models")
    if nothing_here(_("No endpoints yet"), text, action=action, key="endpoint-begin"):
        if has_models:
            deploy(application)
        else:
            st.switch_page(page("models"))


def _drawn(application: Application) -> None:
    endpoints = {endpoint.name: endpoint for endpoint in application.session.endpoints.all()}
    name = opened_entry(list(endpoints), SHOWN)
    _cards(application, name, {key: endpoint.state for key, endpoint in endpoints.items()})
    endpoint = endpoints[name]
    st.subheader(plain(name))
    _state(application, name)
    _actions(application, endpoint)
    test, consume, keys, logs = st.tabs([_("Test"), _("Consume"), _("Keys"), _("Logs")])
    with test:
        _test(application, endpoint)
    with consume:
        _consume(application, endpoint)
    with keys:
        _keys(application, endpoint)
    with logs:
        _logs(application, endpoint)


@st.fragment(run_every=REFRESH_SECONDS)
def _cards(application: Application, shown: str, states: Mapping[str, str]) -> None:
    """Draw the cards, again every two seconds; the whole page if it shows another state.

    Args:
        application: Application of the workspace.
        shown: Endpoint whose details are below.
        states: State of each endpoint when the page was drawn, which its buttons depend on.
    """
    endpoints = application.session.endpoints.all()
    now = {endpoint.name: endpoint.state for endpoint in endpoints}
    if now != states:
        st.rerun()
    entries = [_entry(endpoint) for endpoint in endpoints]
    if chosen_entry(entries, SHOWN, _("Endpoints")) != shown:
        st.rerun()


def _entry(endpoint: DeployedEndpoint) -> Entry:
    served = endpoint.served or {}
    return Entry(
        id=endpoint.name,
        title=endpoint.name,
        text=_("{model} at {address}", model=_model(endpoint), address=endpoint.address),
        figure=format_count(int(served.get("requests") or 0)),
        figure_name=_("requests"),
        badges=(_state_text(endpoint.state),),
    )


def _model(endpoint: DeployedEndpoint) -> str:
    return str((endpoint.served or {}).get("model") or endpoint.settings.model)


def _state_text(state: str) -> str:
    return {
        "stopped": _("stopped"),
        "starting": _("starting"),
        "ready": _("ready"),
        "not ready": _("not ready"),
        "waiting": _("restarting"),
        "failed": _("failed"),
    }.get(state, state)


@st.fragment(run_every=REFRESH_SECONDS)
def _state(application: Application, name: str) -> None:
    """Draw the state, again every two seconds."""
    try:
        endpoint = application.session.endpoints.find(name)
    except DesignerError:  # removed in another tab
        return
    served = endpoint.served or {}
    runtime = served.get("runtime")
    figures(
        {
            _("State"): _state_text(endpoint.state),
            _("Model"): _model(endpoint),
            _("Runtime"): "–" if runtime is None else runtime["name"],
            _("Requests"): format_count(int(served.get("requests") or 0)),
            _("Errors"): format_count(int(served.get("errors") or 0)),
            _("Median time"): _seconds(served.get("median_seconds")),
            _("99th percentile"): _seconds(served.get("p99_seconds")),
        },
        "endpoint",
        help={_("Runtime"): runtime["reason"] if runtime else None},
    )
    problem = served.get("reason") or served.get("last_problem")
    if problem and endpoint.state != "stopped":
        st.error(plain(str(problem)))
    elif endpoint.state == "failed":
        st.error(_("The process ended several times. See Logs, then press Start."))
    _drift(served)
    _compared(served.get("challenger"))


def _compared(challenger: ChallengerReport | None) -> None:
    """Draw how often the second version gives the same label."""
    if challenger is None:
        return
    agreement = challenger.get("agreement")
    said = _(
        "{model} answers {percent:g} % of the requests.",
        model=challenger["model"],
        percent=challenger["percent"],
    )
    if agreement is not None:
        said += " " + _(
            "Both versions gave the same label for {share:.1f} % of {count:,} "
            "{count:image|images}.",
            share=100 * agreement,
            count=challenger["compared"],
        )
    st.info(plain(said))


def _seconds(value: float | None) -> str:
    """Return a latency; below one second in milliseconds, as clients measure it."""
    if value is None:
        return "–"
    return format_seconds(value) if value >= 1 else f"{format_count(round(1000 * value))} ms"


def _drift(served: ServedReport) -> None:
    """Draw whether the classes of requests are those of the training images."""
    drift = served.get("drift")
    if drift is None:
        return
    if drift["verdict"] == "similar":
        st.caption(_("The predicted classes are as frequent as in the training images."))
    elif drift["verdict"] == "different":
        st.warning(
            plain(
                _(
                    "The predicted classes differ from the training images, most for {label}. "
                    "Check whether the requests still contain such images.",
                    label=drift["most"],
                )
            )
        )


def _actions(application: Application, endpoint: DeployedEndpoint) -> None:
    endpoints = application.session.endpoints
    with st.container(horizontal=True, key="endpoint-actions"):
        if endpoint.stopped or endpoint.state == "failed":
            if st.button(_("Start"), key="endpoint-start", type="primary"):
                endpoints.start(endpoint.name)
                application.session.runner.ensure()
                st.rerun()
        elif st.button(_("Stop"), key="endpoint-stop"):
            endpoints.stop(endpoint.name)
            st.rerun()
        st.link_button(
            _("Open page"),
            endpoint.address,
            icon=":material/open_in_new:",
            disabled=endpoint.state != "ready",
            help=_("A page on which anyone on this machine can try the model."),
        )
        with st.popover(_("Other version")):
            _versions(application, endpoint)
        with st.popover(_("Compare")):
            _challenge(application, endpoint)
        with st.popover(_("Files")):
            _files(application, endpoint)
        with st.popover(_("Remove")):
            st.write(_("Its keys are removed. The model stays."))
            if st.button(_("Remove endpoint"), key="endpoint-remove", type="primary"):
                endpoints.remove(endpoint.name)
                st.rerun()


def _versions(application: Application, endpoint: DeployedEndpoint) -> None:
    st.write(_("It is loaded and checked first. If it is rejected, the current one stays."))
    chosen = st.selectbox(_("Model"), references(application), key="endpoint-version", index=None)
    if st.button(_("Serve"), key="endpoint-swap", type="primary", disabled=chosen is None):
        with errors_shown():
            application.session.endpoints.swap(endpoint.name, str(chosen))
            st.rerun()
    previous = endpoint.settings.previous
    if previous and st.button(_("Return to {model}", model=previous), key="endpoint-rollback"):
        with errors_shown():
            application.session.endpoints.rollback(endpoint.name)
            st.rerun()


def _challenge(application: Application, endpoint: DeployedEndpoint) -> None:
    st.write(_("A second version scores the same requests; both answers are compared."))
    chosen = st.selectbox(
        _("Second version"), references(application), key="endpoint-second", index=None
    )
    percent = st.slider(_("Requests that it answers, in percent"), 0, 100, 0, key="endpoint-share")
    if st.button(_("Compare"), key="endpoint-compare", type="primary", disabled=chosen is None):
        with errors_shown():
            application.session.endpoints.challenge(endpoint.name, chosen, float(percent))
            st.rerun()
    if endpoint.settings.challenger and st.button(_("Stop comparing"), key="endpoint-alone"):
        application.session.endpoints.challenge(endpoint.name, None)
        st.rerun()


def _files(application: Application, endpoint: DeployedEndpoint) -> None:
    st.write(_("They run the endpoint without the designer's runner."))
    unit = systemd_unit(endpoint, application.settings.workspace.root)
    image = dockerfile(endpoint, library_version("pipeline-designer"))
    for name, text in ((f"designer-{endpoint.name}.service", unit), ("Dockerfile", image)):
        st.download_button(name, text, name, key=f"endpoint-file-{name}", on_click="ignore")


def _test(application: Application, endpoint: DeployedEndpoint) -> None:
    """Draw the field for an image, which the served version classifies with a heat map.

    The app scores it, not the endpoint: a test changes neither its counters nor its drift.
    """
    text = _("The app scores the image with the same version. Tests do not count as requests.")
    st.caption(text)
    with errors_shown():
        registered = application.session.models.find(_model(endpoint))
        facts = facts_of(registered.artifact.path)
        workspace = application.settings.workspace
        run_id = registered.version.run_id or ""
        try_picture(ViewedOutput(workspace, facts, "endpoint-try", run_id))


def _consume(application: Application, endpoint: DeployedEndpoint) -> None:
    keys = _stored_keys(application, endpoint)
    st.code(f"{endpoint.address}/score", language=None)
    made = samples(endpoint.address, needs_key=bool(keys.all()))
    for tab, (title, text) in zip(st.tabs(list(made)), made.items(), strict=True):
        with tab:
            st.code(text, language=LANGUAGES[title])


def _stored_keys(application: Application, endpoint: DeployedEndpoint) -> CallerKeys:
    return CallerKeys(application.session.database, f"endpoint:{endpoint.name}")


def _keys(application: Application, endpoint: DeployedEndpoint) -> None:
    keys = _stored_keys(application, endpoint)
    present = {key.slot: key for key in keys.all()}
    if not present:
        st.write(_("Without a key, every program on this machine may call the endpoint."))
    for slot in SLOTS:
        key = present.get(slot)
        with st.container(horizontal=True, vertical_alignment="center"):
            when = "" if key is None else time.strftime("%d %b %Y", time.localtime(key.created))
            said = _("Key {slot}: none", slot=slot)
            if key is not None:
                said = _("Key {slot}: created {when}", slot=slot, when=when)
            st.write(said)
            label = _("Create") if key is None else _("Replace")
            if st.button(label, key=f"endpoint-key-{slot}"):
                _show_new_key(slot, keys.rotate(slot))
            if key is not None and st.button(_("Remove"), key=f"endpoint-revoke-{slot}"):
                keys.remove(slot)
                st.rerun()


@st.dialog(_("New key"))
def _show_new_key(slot: int, key: str) -> None:
    st.write(_("Copy key {slot} now: only its hash is stored.", slot=slot))
    st.code(key, language=None)
    if st.button(_("Done"), key="endpoint-key-done", type="primary"):
        st.rerun()


def _logs(application: Application, endpoint: DeployedEndpoint) -> None:
    path = endpoint_log(application.settings.workspace, endpoint.name)
    if not path.is_file():
        st.write(_("No output yet."))
        return
    text = path.read_text(encoding="utf-8", errors="replace")[-LOG_CHARACTERS:]
    st.code(text or _("No output yet."), language=None, height=320)
