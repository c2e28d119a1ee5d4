"""Rank of this process, from the variables of launchers."""

import json
import os
from typing import Mapping, MutableMapping

RANK_NAMES = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
PLACES = ("NODE_RANK", "LOCAL_RANK")
"""Variables that distinguish the first process from others a script starts, as in Lightning."""


def rank(environ: "Mapping[str, str]" = os.environ) -> int:
    """Return the rank of this process, 0 for the first and for a single process."""
    for name in RANK_NAMES:
        if environ.get(name, "").isdigit():
            return int(environ[name])
    if "TF_CONFIG" in environ:
        return _rank_of_tensorflow(environ["TF_CONFIG"])
    return sum(int(environ[name]) for name in PLACES if environ.get(name, "").isdigit())


def _rank_of_tensorflow(text: str) -> int:
    """Return 0 for the chief, or for worker 0 if there is none."""
    try:
        config = json.loads(text)
        first = "chief" if "chief" in config["cluster"] else "worker"
        task = config["task"]
        return 0 if task["type"] == first and int(task["index"]) == 0 else 1 + int(task["index"])
    except (ValueError, KeyError, TypeError):
        return 0


def name_rank_in_tracking_address(environ: "MutableMapping[str, str]" = os.environ) -> None:
    """Add this rank to ``MLFLOW_TRACKING_URI``, as only metrics of the first one count."""
    address, number = environ.get("MLFLOW_TRACKING_URI"), rank(environ)
    if address and number and "/rank/" not in address:
        environ["MLFLOW_TRACKING_URI"] = f"{address}/rank/{number}"
