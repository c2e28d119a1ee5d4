"""Targets page: where nodes can run, checks of each target, and a form to add one."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, open_entry
from designer_app.screens.target_settings import settings_fields
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures, heading
from designer_app.ui.pipeline_names import names_of
from modules.formatting import format_bytes, format_cost, plural
from pipelines.document.target_offer import TargetOffer
from pipelines.store.database.targets import BUILT_IN, TargetRecord, TargetStore
from pipelines.targets.finding import Finding
from pipelines.targets.kinds import all_kinds, target_kind

NAMES = {
    "local": "this machine",
    "slurm": "Slurm",
    "ray": "Ray",
    "ssh": "machines by SSH",
}
SHOWN = "targets"


def show() -> None:
    """Draw the page."""
    application = current()
    about = "Where nodes run. Select one in the settings of a pipeline or node."
    if heading("Compute targets", about, action="Add target", key="target-new"):
        _add(application)
    offers = application.session.targets.offers()
    records = {record.name: record for record in application.session.targets.all()}
    drawn = [_entry(record, offers.get(name)) for name, record in records.items()]
    name = chosen_entry(drawn, SHOWN, "Compute targets")
    _look_into(application, records[name], offers.get(name))


def _entry(record: TargetRecord, offer: TargetOffer | None) -> Entry:
    if offer is None:
        return Entry(
            record.name,
            record.name,
            "Its settings cannot be read. Remove the target and add it again.",
        )
    processes = "process" if offer.processes_per_node == 1 else "processes"
    per_machine = f"{offer.processes_per_node:,} {processes} per machine"
    gpus = f", {plural(offer.gpus, 'GPU')}" if offer.reports_gpus and offer.gpus else ""
    memory = f", {format_bytes(offer.memory_bytes)}" if offer.memory_bytes else ""
    price = offer.price_per_hour
    cost = f", {format_cost(price)} per machine and hour" if price is not None else ""
    return Entry(
        id=record.name,
        title=record.name,
        text=f"{per_machine}{gpus}{memory}{cost}",
        figure=f"{offer.max_nodes:,}",
        figure_name="machine" if offer.max_nodes == 1 else "machines",
        badges=(_kind(offer), *(("preemptible",) if offer.is_preemptible else ())),
    )


def _kind(offer: TargetOffer) -> str:
    if offer.simulated:
        return "simulated on this machine"
    return NAMES.get(offer.kind) or target_kind(offer.kind).title


def _look_into(application: Application, record: TargetRecord, offer: TargetOffer | None) -> None:
    st.subheader(plain(record.name))
    if offer is not None:
        figures(_figures(offer))
    if record.kind != "local" and record.settings:
        st.caption(plain(", ".join(f"{key}={value}" for key, value in record.settings.items())))
    used = application.session.pipelines.using_target(record.name)
    if used:
        st.caption(plain(f"Used by {names_of(used)}."))
    with st.container(horizontal=True):
        checking = st.button("Test", key="target-check")
        if record.name not in BUILT_IN and st.button("Remove ...", key="target-remove"):
            _confirm_removal(application.session.targets, record.name, names_of(used))
    if checking:
        _check(application, record.name)


def _figures(offer: TargetOffer) -> dict[str, str]:
    gpus = {"GPUs per machine": f"{offer.gpus:,}"} if offer.reports_gpus else {}
    memory, price = offer.memory_bytes, offer.price_per_hour
    return {
        "Machines": f"{offer.max_nodes:,}",
        "Processes per machine": f"{offer.processes_per_node:,}",
        **gpus,
        **({"Memory per machine": format_bytes(memory)} if memory else {}),
        **({"Price per machine and hour": format_cost(price)} if price is not None else {}),
    }


def _check(application: Application, name: str) -> None:
    with st.spinner("Testing ... (on a cluster this waits for free machines)"):
        findings = list(application.session.targets.check(name, application.session.workspace))
    failed = next((finding for finding in findings if not finding.ok), None)
    if failed is None:
        st.success(f"{name} works.")
    else:
        st.error(plain(f"{failed.message} {failed.cure}"))
    st.markdown("  \n".join(_finding(finding) for finding in findings))


def _finding(finding: Finding) -> str:
    mark = ":green[:material/check:]" if finding.ok else ":red[:material/close:] fails:"
    cure = "" if finding.ok else f" {plain(finding.cure)}"
    return f"{mark} **{plain(finding.name)}** {plain(finding.message)}{cure}"


@st.dialog("Add target", width="large")
def _add(application: Application) -> None:
    titles = {kind.name: kind.title for kind in all_kinds()}
    kind = st.radio(
        "Kind", list(titles), format_func=titles.__getitem__, key="target-kind", horizontal=True
    )
    with st.form("add-target", border=False):
        name, settings = settings_fields(kind)
        if not st.form_submit_button("Add", key="target-add", type="primary"):
            return
    try:
        application.session.targets.add(name, kind, settings)
    except ValueError as error:
        st.error(plain(error))
        return
    open_entry(SHOWN, name)
    st.rerun()


@st.dialog("Remove target?")
def _confirm_removal(store: TargetStore, name: str, users: str) -> None:
    if users:
        st.warning(f"It is used by {plain(users)}: select another one there before they run.")
    st.write(f"Nodes can no longer be sent to **{plain(name)}**. Runs that used it are kept.")
    if st.button("Remove", key="target-remove-go", type="primary"):
        store.remove(name)
        st.rerun()
