"""Targets: what this machine offers to nodes, and more simulated nodes to learn with."""

from __future__ import annotations

import re

import streamlit as st

from designer_app.application import Application, current
from designer_app.ui.markdown import plain
from designer_app.ui.pipeline_names import names_of
from modules.formatting import format_bytes
from pipelines.store.targets import BUILT_IN, TargetStore
from pipelines.targets.offer import TargetOffer

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def show() -> None:
    """Draw the page."""
    application = current()
    st.title("Compute targets")
    st.caption("Where nodes run. Choose one in a pipeline's settings or in a node's run settings.")
    offers = application.session.targets.offers().values()
    st.dataframe([_row(offer) for offer in offers], hide_index=True, width="stretch")
    _remove(application)
    st.subheader("Add a target")
    _add(application)


def _row(offer: TargetOffer) -> dict[str, object]:
    kind: str = "this machine" if offer.kind == "local" else offer.kind
    if offer.simulated:
        kind = "simulated on this machine"
    memory = format_bytes(offer.memory_bytes) if offer.memory_bytes else ""
    return {
        "Target": offer.name,
        "Kind": kind,
        "Machines": offer.max_nodes,
        "Processes a machine": offer.processes_per_node,
        "GPUs a machine": offer.gpus,
        "Memory a machine": memory,
    }


def _add(application: Application) -> None:
    with st.form("add-target", border=True):
        st.write("This machine as several simulated ones: training on many, tried on one.")
        named, counted, button = st.columns([4, 2, 1], vertical_alignment="bottom")
        name = named.text_input("Name", key="target-name", placeholder="four-nodes", max_chars=64)
        nodes = counted.number_input("Simulated machines", 1, 64, 4, key="target-nodes")
        if not button.form_submit_button("Add", key="target-add", type="primary", width="stretch"):
            return
    if NAME.fullmatch(name) is None:
        st.error("The name must be small letters, digits, - and _. Change it, then add again.")
        return
    try:
        settings = {"simulated_nodes": int(nodes)}
        application.session.targets.add(name, "local", settings)
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
