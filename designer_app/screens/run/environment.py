"""Environment tab: versions, hardware and commit at the start of the run."""

from __future__ import annotations

import streamlit as st

from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from modules.formatting import format_bytes
from pipelines.store.database.lineage import environment_of

NAMES = {
    "program": "Pipeline Designer",
    "commit": _("Commit"),
    "python": "Python",
    "platform": _("System"),
    "processor": _("Processor"),
    "cores": _("Cores"),
    "gpus": _("GPUs"),
    "memory_bytes": _("Memory"),
    "host": _("Machine"),
}


def environment(subject: RunView) -> None:
    """Draw the tab."""
    recorded = environment_of(subject.application.session.database, subject.id)
    if recorded is None:
        st.info(
            _("The environment of this run is recorded when the run starts.")
            if subject.is_live
            else _("The environment of this run was not recorded. New runs record it.")
        )
        return
    machine, libraries = st.columns(2, gap="large")
    with machine:
        st.subheader(_("Machine and software"), anchor=False)
        facts = [
            {_("Property"): name, _("Value"): _written(key, recorded.get(key))}
            for key, name in NAMES.items()
        ]
        st.dataframe(facts, hide_index=True, width="stretch", key="run-machine")
    with libraries:
        st.subheader(_("Libraries"), anchor=False)
        versions = recorded.get("libraries", {})
        rows = [{_("Library"): name, _("Version"): version} for name, version in versions.items()]
        st.dataframe(rows, hide_index=True, width="stretch", key="run-libraries")


def _written(key: str, value: object) -> str:
    if value in (None, ""):
        return "unknown"
    return format_bytes(float(str(value))) if key == "memory_bytes" else str(value)
