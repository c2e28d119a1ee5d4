"""Targets page: where nodes can run, checks of each target, and a form to add one."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, open_entry
from designer_app.screens.target_settings import settings_fields
from designer_app.translation import _
from designer_app.ui.dialogs import MEDIUM, SMALL, dialog_buttons
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures, heading
from designer_app.ui.pipeline_names import names_of
from modules.formatting import format_bytes, format_cost, format_count
from pipelines.document.target_offer import TargetOffer
from pipelines.store.database.targets import BUILT_IN, TargetRecord, TargetStore
from pipelines.targets.finding import Finding
from pipelines.targets.kinds import all_kinds, target_kind

NAMES = {
    "local": _("this machine"),
    "slurm": "Slurm",
    "ray": "Ray",
    "ssh": _("machines by SSH"),
}
SHOWN = "targets"


def show() -> None:
    """Draw the page."""
    application = current()
    about = _("Where nodes run. Select one in the settings of a pipeline or node.")
    if heading(_("Compute targets"), about, action=_("Add target"), key="target-new"):
        _add(application)
    offers = application.session.targets.offers()
    records = {record.name: record for record in application.session.targets.all()}
    drawn = [_entry(record, offers.get(name)) for name, record in records.items()]
    name = chosen_entry(drawn, SHOWN, _("Compute targets"))
    _look_into(application, records[name], offers.get(name))


def _entry(record: TargetRecord, offer: TargetOffer | None) -> Entry:
    if offer is None:
        return Entry(
            record.name,
            record.name,
            _("Its settings cannot be read. Remove the target and add it again."),
        )
    per_machine = _(
        "{count:,} {count:process|processes} per machine", count=offer.processes_per_node
    )
    has_gpus = offer.reports_gpus and offer.gpus
    gpus = _("{count:,} {count:GPU|GPUs}", count=offer.gpus) if has_gpus else ""
    memory = format_bytes(offer.memory_bytes) if offer.memory_bytes else ""
    price = offer.price_per_hour
    cost = "" if price is None else _("{cost} per machine and hour", cost=format_cost(price))
    return Entry(
        id=record.name,
        title=record.name,
        text=", ".join(filter(None, (per_machine, gpus, memory, cost))),
        figure=format_count(offer.max_nodes),
        figure_name=_("{count:machine|machines}", count=offer.max_nodes),
        badges=(_kind(offer), *((_("preemptible"),) if offer.is_preemptible else ())),
    )


def _kind(offer: TargetOffer) -> str:
    if offer.simulated:
        return _("simulated on this machine")
    return NAMES.get(offer.kind) or target_kind(offer.kind).title


def _look_into(application: Application, record: TargetRecord, offer: TargetOffer | None) -> None:
    st.subheader(plain(record.name))
    if offer is not None:
        figures(_figures(offer), "target")
    if record.kind != "local" and record.settings:
        st.caption(plain(", ".join(f"{key}={value}" for key, value in record.settings.items())))
    used = application.session.pipelines.using_target(record.name)
    users = names_of(used, application.session.pipelines.all())
    if used:
        st.caption(plain(_("Used by {names}.", names=users)))
    with st.container(horizontal=True):
        checking = st.button(_("Test"), key="target-check")
        if record.name not in BUILT_IN and st.button(_("Remove ..."), key="target-remove"):
            _confirm_removal(application.session.targets, record.name, users)
    if checking:
        _check(application, record.name)


def _figures(offer: TargetOffer) -> dict[str, str]:
    gpus = {_("GPUs per machine"): format_count(offer.gpus)} if offer.reports_gpus else {}
    memory, price = offer.memory_bytes, offer.price_per_hour
    return {
        _("Machines"): format_count(offer.max_nodes),
        _("Processes per machine"): format_count(offer.processes_per_node),
        **gpus,
        **({_("Memory per machine"): format_bytes(memory)} if memory else {}),
        **({_("Price per machine and hour"): format_cost(price)} if price is not None else {}),
    }


def _check(application: Application, name: str) -> None:
    with st.spinner(_("Testing ... (on a cluster this waits for free machines)")):
        findings = list(application.session.targets.check(name, application.session.workspace))
    failed = next((finding for finding in findings if not finding.ok), None)
    if failed is None:
        st.success(_("{name} works.", name=name))
    else:
        st.error(plain(f"{failed.message} {failed.cure}"))
    st.markdown("  \n".join(_finding(finding) for finding in findings))


def _finding(finding: Finding) -> str:
    mark = ":green[:material/check:]" if finding.ok else ":red[:material/close:] " + _("fails:")
    cure = "" if finding.ok else f" {plain(finding.cure)}"
    return f"{mark} **{plain(finding.name)}** {plain(finding.message)}{cure}"


@st.dialog(_("Add target"), width=MEDIUM)
def _add(application: Application) -> None:
    titles = {kind.name: kind.title for kind in all_kinds()}
    kind = st.radio(
        _("Kind"), list(titles), format_func=titles.__getitem__, key="target-kind", horizontal=True
    )
    with st.form("add-target", border=False):
        name, settings = settings_fields(kind)
        with st.container(horizontal=True, horizontal_alignment="right"):
            is_added = st.form_submit_button(_("Add"), key="target-add", type="primary")
    if not is_added:
        return
    try:
        application.session.targets.add(name, kind, settings)
    except ValueError as error:
        st.error(plain(error))
        return
    open_entry(SHOWN, name)
    st.rerun()


@st.dialog(_("Remove target?"), width=SMALL)
def _confirm_removal(store: TargetStore, name: str, users: str) -> None:
    if users:
        st.warning(
            _(
                "It is used by {users}: select another one there before they run.",
                users=plain(users),
            )
        )
    st.write(
        _(
            "Nodes can no longer be sent to **{name}**. Runs that used it are kept.",
            name=plain(name),
        )
    )
    if dialog_buttons(_("Remove"), key="target-remove-go"):
        store.remove(name)
        st.rerun()
