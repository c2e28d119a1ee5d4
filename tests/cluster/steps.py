"""Steps that tests send to a cluster, and what they look for in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from safetensors.numpy import load_file

from modules.artifacts import TrainedModel
from modules.catalog import builtin_catalog
from pipelines.document.document import PipelineDocument, load_document
from pipelines.document.overrides import apply_overrides
from pipelines.events import ProblemData, RunState
from pipelines.lessons.pipeline_files import LIBRARY_DIR
from tests.cluster.conftest import Lab, UnsharedRayLab
from tests.cluster.machines import wait_for
from tests.pipelines.conftest import build
from tests.pipelines.lessons.lessons import with_light_network

NUM_EPOCHS = 40
LONG: dict[str, Any] = {"epochs": NUM_EPOCHS, "seconds": 0.2}
"""A probe that runs for as long as a test needs it to."""
LONGER = 1000
"""Epochs that no test waits for: the most there may be."""
SHORT = (
    *("train.epochs=1", "train.reproducible=on", "train.regenerate_output=true"),
    "split.fraction_of_images_in_the_first_output=0.2",
)


def probing(*, nodes: int = 2, processes: int = 1, **more: Any) -> PipelineDocument:
    """One step whose ranks meet."""
    settings = {"target": "cluster", "node_count": nodes, "process_count_per_node": processes}
    settings |= {"regenerate_output": True, **more.pop("run_settings", {})}
    return build({}, {"probe": {"module": "probe", "run_settings": settings, **more}})


def pulsing(**more: Any) -> PipelineDocument:
    """One step that begins and ends quickly, and is long enough between."""
    return probing(module="pulse", **{**LONG, **more})


def begin(lab: Lab, **more: Any) -> str:
    """Submit a long probe, and wait until its second epoch."""
    return under_way(lab, probing(**{**LONG, **more}))


def under_way(lab: Lab, document: PipelineDocument) -> str:
    """Submit it, and wait until its step is in the second epoch."""
    run_id = lab.submit(document)
    wait_for(lambda: epochs(lab.state(run_id)) >= 2, "the second epoch")
    return run_id


def epochs(state: RunState) -> int:
    step = state.steps["probe"]
    assert step.problem is None, step.problem
    return int((step.progress or {}).get("done", 0))


def problem_of(state: RunState) -> ProblemData:
    problem = state.steps["probe"].problem
    assert problem is not None
    return problem


def digits(target: str, nodes: int, processes: int) -> PipelineDocument:
    placed = (f"target={target}", f"node_count={nodes}", f"process_count_per_node={processes}")
    # one thread each: sums in another order would differ in their last bits
    changes = [*SHORT, *(f"train.{each}" for each in placed), "train.cores_per_process=1"]
    document = with_light_network(load_document(LIBRARY_DIR / "06-distributed.json"))
    return apply_overrides(document, changes, builtin_catalog())


def same_training(lab: Lab, *places: tuple[str, int, int]) -> None:
    """Train the digits at two places (target, nodes, processes): the models must be equal."""
    models = []
    for place in places:
        state = lab.finish(lab.submit(digits(*place), "--to", "train"))
        assert state.status == "completed", state.problem
        models.append(TrainedModel(lab.outputs(state, "train")["trained_model"]))
    there, here = models
    assert there.description["world_size"] == here.description["world_size"]
    name = "Top-1 validation accuracy"
    assert list(there.history[name]) == list(here.history[name])
    weights = [load_file(each.weights_path) for each in models]
    assert weights[0].keys() == weights[1].keys()
    assert all(np.array_equal(weights[0][name], weights[1][name]) for name in weights[0])


def waited_for(state: RunState) -> str | None:
    facts = [each["facts"] for each in state.steps["probe"].phases if each["phase"] == "scaling"]
    return facts[-1].get("waits_for") if facts else None


def findings(lab: Lab, target: str) -> list[dict[str, Any]]:
    """What a check of a target says."""
    return list(lab.designer("target", "check", target, check=False)["findings"])


def processes_left(lab: Lab) -> list[list[int]]:
    """What of ours runs on each machine."""
    lines = [lab.machines.commands(name) for name in ("m1", "m2")]
    return [[pid for pid, line in each if "pipelines.workers" in line] for each in lines]


def nothing_is_left(lab: UnsharedRayLab) -> None:
    """Neither processes nor files of steps are on the machines, nor is anything in the store."""
    lab.wait_until_empty(40)
    for name in ("m1", "m2"):
        kept = lab.kept_on(name)
        assert not [each for each in kept if "/runs/" in each or "/artifacts/." in each], kept
    wait_for(lambda: lab.store.objects("prefix/steps/") == [], "the store to be empty", 40)
