"""The fields of a new target, by its kind."""

from __future__ import annotations

from typing import Any

import streamlit as st

INTERFACE = ("interface", "Network interface", "found by itself")
SLURM_WORDS = (
    ("partition", "Partition", "gpu"),
    ("account", "Account", ""),
    ("qos", "QOS", ""),
    ("gres", "GRES of each machine", "gpu:4"),
    ("time_limit", "Time limit of a job", "4:00:00"),
    INTERFACE,
)
OF_MACHINES = (
    ("shared_folder", "Folder that all machines share", "the workspace's own"),
    ("python", "Python on the machines", "the one that the designer runs with"),
)
KEEP_WARM = ("keep_warm", "Minutes that machines keep torch loaded", "0: steps begin anew")
COUNTS_OF_MACHINES = (
    ("max_nodes", "Most machines", 1, 2),
    ("processes_per_node", "Processes a machine", 1, 1),
    ("cpus_per_process", "CPUs a process", 1, 1),
    ("gpus_per_process", "GPUs a process", 0, 0),
)
OF_PODS = (
    ("namespace", "Namespace", "default"),
    ("context", "Context", "the current one of kubectl"),
    ("queue", "Queue of Kueue", "none"),
    ("memory", "Memory of each pod", "32Gi"),
)
KUBERNETES_REST = (
    ("shared_folder", "Folder that the claim is here", "the workspace's own"),
    ("python", "Python in the image", "python3"),
    ("pull_secret", "Secret of the image's registry", ""),
    ("node_selector", "Labels of the nodes", "accelerator=a100"),
    ("kubeconfig", "Kubeconfig", "the one of kubectl"),
    ("user", "Number of the user that pods run as", "your own"),
    INTERFACE,
)
SLURM_REST = (
    *OF_MACHINES,
    ("extra", "More options of sbatch", "--constraint=a100"),
)


def settings_fields(kind: str) -> tuple[str, dict[str, Any]]:
    """Draw them; gives the name and what was set."""
    name, settings = _of_kind(kind)
    return name, {**settings, **_terms()}


def _terms() -> dict[str, Any]:
    """What is asked of targets of every kind."""
    price, tier = st.columns([2, 4], vertical_alignment="bottom")
    set_price = price.text_input(
        "Price of a machine an hour",
        key="target-price_per_hour",
        placeholder="in your currency",
        help="Forecasts and runs then say what they cost.",
    )
    is_preemptible = tier.checkbox(
        "Its machines may be taken away",
        key="target-tier",
        help="A step that loses one begins again from its last checkpoint, up to five times.",
    )
    priced = {"price_per_hour": set_price} if set_price else {}
    return {**priced, **({"tier": "preemptible"} if is_preemptible else {})}


def _of_kind(kind: str) -> tuple[str, dict[str, Any]]:
    match kind:
        case "slurm":
            return _slurm()
        case "ray":
            return _ray()
        case "kubernetes":
            return _kubernetes()
        case "ssh":
            return _ssh()
        case _:
            return _simulated()


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
    return name, _with_more(settings, SLURM_REST)


def _ray() -> tuple[str, dict[str, Any]]:
    st.write(
        "A cluster that runs already, known by the address of its dashboard; the workspace lies in "
        "a folder that all machines see at the same path."
    )
    named, at, token = st.columns([2, 3, 3], vertical_alignment="bottom")
    name = named.text_input("Name", key="target-name", placeholder="ray", max_chars=64)
    settings: dict[str, Any] = {
        "address": at.text_input(
            "Address", key="target-address", placeholder="http://ray.example.org:8265"
        ),
        "token_file": token.text_input(
            "File with the token", key="target-token_file", placeholder="only you may read it"
        ),
    }
    return name, _with_more({**settings, **_counts()}, (*OF_MACHINES, INTERFACE, KEEP_WARM))


def _counts() -> dict[str, int]:
    return {
        key: int(place.number_input(title, least, 10_000, first, key=f"target-{key}"))
        for place, (key, title, least, first) in zip(st.columns(4), COUNTS_OF_MACHINES, strict=True)
    }


def _kubernetes() -> tuple[str, dict[str, Any]]:
    st.write(
        "A cluster that kubectl reaches from here. Its pods run an image that has the project, and "
        "mount the workspace from a claim at the same path. Not yet tried on a real cluster."
    )
    named, of_image, of_claim = st.columns([2, 4, 2], vertical_alignment="bottom")
    name = named.text_input("Name", key="target-name", placeholder="pods", max_chars=64)
    settings: dict[str, Any] = {
        "image": of_image.text_input(
            "Image", key="target-image", placeholder="registry.example.org/designer:0.1"
        ),
        "claim": of_claim.text_input("Claim", key="target-claim", placeholder="workspace"),
    }
    for place, (key, title, example) in zip(st.columns(4), OF_PODS, strict=True):
        settings[key] = place.text_input(title, key=f"target-{key}", placeholder=example)
    return name, _with_more({**settings, **_counts()}, KUBERNETES_REST)


def _ssh() -> tuple[str, dict[str, Any]]:
    st.write(
        "Machines that this one logs in to with a key, one step at a time on each; the workspace "
        "lies in a folder that all machines see at the same path."
    )
    named, listed = st.columns([2, 4], vertical_alignment="bottom")
    name = named.text_input("Name", key="target-name", placeholder="lab", max_chars=64)
    hosts = listed.text_input("Machines", key="target-hosts", placeholder="gpu1, gpu2")
    user, interface, processes = st.columns(3, vertical_alignment="bottom")
    settings: dict[str, Any] = {
        "hosts": hosts,
        "user": user.text_input("User there", key="target-user", placeholder="ssh decides"),
        "interface": interface.text_input(
            "Network interface", key="target-interface", placeholder="found by itself"
        ),
        "processes_per_node": int(
            processes.number_input("Processes a machine", 1, 1024, 1, key="target-processes")
        ),
    }
    return name, _with_more(settings, OF_MACHINES)


def _with_more(
    settings: dict[str, Any], fields: tuple[tuple[str, str, str], ...]
) -> dict[str, Any]:
    """With those that are seldom set; without those that were left empty."""
    with st.expander("More settings"):
        for key, title, example in fields:
            settings[key] = st.text_input(title, key=f"target-{key}", placeholder=example)
    return {key: value for key, value in settings.items() if value != ""}
