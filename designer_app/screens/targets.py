"""Targets: where nodes can run, whether they can there, and adding one."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application, current
from designer_app.screens.target_settings import settings_fields
from designer_app.ui.markdown import plain
from designer_app.ui.pipeline_names import names_of
from modules.formatting import format_bytes
from pipelines.store.targets import BUILT_IN, TargetRecord, TargetStore
from pipelines.targets.finding import Finding
from pipelines.targets.offer import TargetOffer

KINDS = {"local": "Simulated machines", "slurm": "Slurm cluster", "ssh": "Machines by SSH"}


def show() -> None:
    """Draw the page."""
    application = current()
    st.title("Compute targets")
    st.caption("Where nodes run. Choose one in a pipeline's settings or in a node's run settings.")
    offers = application.session.targets.offers()
    records = application.session.targets.all()
    rows = [_row(each, offers.get(each.name)) for each in records]
    st.dataframe(rows, hide_index=True, width="stretch")
    _check(application, [each.name for each in records])
    _remove(application)
    st.subheader("Add a target")
    _add(application)


def _row(record: TargetRecord, offer: TargetOffer | None) -> dict[str, object]:
    if offer is None:
        return {"Target": record.name, "Kind": record.kind, "Settings": "cannot be read"}
    memory = format_bytes(offer.memory_bytes) if offer.memory_bytes else ""
    settings = {} if record.kind == "local" else record.settings
    return {
        "Target": offer.name,
        "Kind": _kind(offer),
        "Machines": offer.max_nodes,
        "Processes a machine": offer.processes_per_node,
        "GPUs a machine": offer.gpus if offer.tells_gpus else None,
        "Memory a machine": memory,
        "Settings": ", ".join(f"{name}={value}" for name, value in settings.items()),
    }


def _kind(offer: TargetOffer) -> str:
    if offer.simulated:
        return "simulated on this machine"
    return {"local": "this machine", "slurm": "Slurm", "ssh": "machines by SSH"}.get(
        offer.kind, offer.kind
    )


def _check(application: Application, names: list[str]) -> None:
    chosen, button, _ = st.columns([2, 1, 3], vertical_alignment="bottom")
    name = chosen.selectbox("Check a target", names, key="target-checked")
    if not button.button("Check", key="target-check", width="stretch"):
        return
    with st.spinner("It is tried: on a cluster this waits for free machines."):
        findings = list(application.session.targets.check(str(name), application.session.workspace))
    st.dataframe([_finding(each) for each in findings], hide_index=True, width="stretch")
    failed = next((each for each in findings if not each.ok), None)
    if failed is None:
        st.success(f"{name} works.")
    else:
        st.error(plain(f"{failed.message} {failed.cure}"))


def _finding(finding: Finding) -> dict[str, str]:
    return {
        "Tried": finding.name,
        "Result": "works" if finding.ok else "fails",
        "Found": finding.message,
        "What to do": finding.cure,
    }


def _add(application: Application) -> None:
    kind = st.radio(
        "Kind", list(KINDS), format_func=KINDS.__getitem__, key="target-kind", horizontal=True
    )
    with st.form("add-target", border=True):
        name, settings = settings_fields(kind)
        if not st.form_submit_button("Add", key="target-add", type="primary"):
            return
    try:
        application.session.targets.add(name, kind, settings)
    except ValueError as error:
        st.error(plain(error))
        return
    st.rerun()


def _remove(application: Application) -> None:
    store = application.session.targets
    added = [each.name for each in store.all() if each.name not in BUILT_IN]
    if not added:
        return
    chosen, button, _ = st.columns([2, 1, 3], vertical_alignment="bottom")
    name = chosen.selectbox("Remove a target", added, index=None, key="target-removed")
    used = application.session.pipelines.using_target(name) if name else []
    if used:
        names = plain(names_of(used))
        st.warning(f"It is the target of {names}: these must be given another one before they run.")
    words = "Remove it all the same ..." if used else "Remove ..."
    if button.button(words, key="target-remove", disabled=name is None, width="stretch"):
        _confirm_removal(store, str(name))


@st.dialog("Remove this target?")
def _confirm_removal(store: TargetStore, name: str) -> None:
    st.write(f"Nodes can no longer be sent to **{plain(name)}**. Runs that used it are kept.")
    if st.button("Remove", key="target-remove-go", type="primary"):
        store.remove(name)
        st.rerun()
