"""Targets: what this machine offers to nodes, and more simulated nodes to learn with."""

from __future__ import annotations

import re

import streamlit as st

from designer_app.application import Application, current
from pipelines.store.targets import TargetStore
from pipelines.targets.base import TargetOffer

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def show() -> None:
    """Draw the page."""
    application = current()
    st.title("Compute targets")
    st.caption("Where nodes run. Choose one in a pipeline's settings or in a node's run settings.")
    offers = application.runs.offers().values()
    st.dataframe([_row(offer) for offer in offers], hide_index=True, width="stretch")
    st.subheader("Add a target")
    _add(application)


def _row(offer: TargetOffer) -> dict[str, object]:
    kind = "simulated on this machine" if offer.simulated else f"{offer.kind}: this machine"
    memory = f"{offer.memory_bytes / 1e9:.1f} GB" if offer.memory_bytes else ""
    return {
        "Target": offer.name,
        "Kind": kind,
        "Nodes": offer.max_nodes,
        "Processes a node": offer.processes_per_node,
        "GPUs a node": offer.gpus,
        "Memory a node": memory,
    }


def _add(application: Application) -> None:
    with st.form("add-target", border=True):
        st.write("This machine as several simulated nodes: training on many nodes, tried on one.")
        name = st.text_input("Name", key="target-name", placeholder="four-nodes", max_chars=64)
        nodes = st.number_input("Simulated nodes", 1, 64, 4, key="target-nodes")
        if not st.form_submit_button("Add", key="target-add", type="primary"):
            return
    if NAME.fullmatch(name) is None:
        st.error("The name must be small letters, digits, - and _. Change it, then add again.")
        return
    try:
        settings = {"simulated_nodes": int(nodes)}
        TargetStore(application.runs.database).add(name, "local", settings)
    except ValueError:
        st.error("That name is built in. Choose another one.")
        return
    st.rerun()
