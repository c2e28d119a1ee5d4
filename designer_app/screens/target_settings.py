"""The fields of a new target, by its kind."""

from __future__ import annotations

from typing import Any

import streamlit as st

SLURM_WORDS = (
    ("partition", "Partition", "gpu"),
    ("account", "Account", ""),
    ("qos", "QOS", ""),
    ("gres", "GRES of each machine", "gpu:4"),
    ("time_limit", "Time limit of a job", "4:00:00"),
    ("interface", "Network interface", "found by itself"),
)
SLURM_REST = (
    ("shared_folder", "Folder that all machines share", "the workspace's own"),
    ("python", "Python on the machines", "the one that the designer runs with"),
    ("extra", "More options of sbatch", "--constraint=a100"),
)


def settings_fields(kind: str) -> tuple[str, dict[str, Any]]:
    """Draw them; gives the name and what was set."""
    return _slurm() if kind == "slurm" else _simulated()


def _simulated() -> tuple[str, dict[str, Any]]:
    st.write("This machine as several simulated ones: training on many, tried on one.")
    named, counted = st.columns([4, 2], vertical_alignment="bottom")
    name = named.text_input("Name", key="target-name", placeholder="four-nodes", max_chars=64)
    nodes = counted.number_input("Simulated machines", 1, 64, 4, key="target-nodes")
    return name, {"simulated_nodes": int(nodes)}


def _slurm() -> tuple[str, dict[str, Any]]:
    st.write(
        "A cluster that this machine gives jobs to; the workspace lies in a folder that all "
        "machines see at the same path."
    )
    named, nodes, processes = st.columns([4, 2, 2], vertical_alignment="bottom")
    name = named.text_input("Name", key="target-name", placeholder="cluster", max_chars=64)
    settings: dict[str, Any] = {
        "max_nodes": int(nodes.number_input("Most machines", 1, 10_000, 2, key="target-max_nodes")),
        "processes_per_node": int(
            processes.number_input("Processes a machine", 1, 1024, 1, key="target-processes")
        ),
    }
    columns = st.columns(3)
    for number, (key, title, example) in enumerate(SLURM_WORDS):
        place = columns[number % 3]
        settings[key] = place.text_input(title, key=f"target-{key}", placeholder=example)
    with st.expander("More settings"):
        for key, title, example in SLURM_REST:
            settings[key] = st.text_input(title, key=f"target-{key}", placeholder=example)
    return name, {key: value for key, value in settings.items() if value != ""}
