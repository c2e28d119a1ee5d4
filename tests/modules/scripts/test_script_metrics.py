"""What a script logs and prints becomes curves of its node, live, and the table of its outputs."""

from __future__ import annotations

import pytest

from modules.errors import InvalidScriptError
from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import run_training_script
from tests.modules.scripts.conftest import ScriptStep

SCRIPT = """
import json, os, urllib.request
from designer_log import designer_log
from azureml.core.run import Run

address, run = os.environ["MLFLOW_TRACKING_URI"], os.environ["MLFLOW_RUN_ID"]
for step in range(3):
    designer_log("ours", step / 2, step)
    Run.get_context().log("azure", step + 1)
    body = json.dumps({"run_id": run, "key": "tracked", "value": 1, "step": step + 5}).encode()
    urllib.request.urlopen(address + "/api/2.0/mlflow/runs/log-metric", body).read()
    print(f"epoch {step}: loss {step}.5", flush=True)
"""
WANTED = {
    "ours": [(0, 0.0), (1, 0.5), (2, 1.0)],
    "azure": [(0, 1.0), (1, 2.0), (2, 3.0)],
    "tracked": [(5, 1.0), (6, 1.0), (7, 1.0)],
    "loss": [(0, 0.5), (1, 1.5), (2, 2.5)],
}


@pytest.mark.parametrize("launcher", ["pytorch_process", "none"])
def test_all_ways_to_log_reach_the_node_once(step: ScriptStep, launcher: str) -> None:
    count = 2 if launcher == "pytorch_process" else 1
    outputs = step.run(
        SCRIPT,
        settings={"launcher": launcher, "process_count_per_node": count},
        log_patterns=["loss = loss ([0-9.]+)"],
    )
    points: dict[str, list[tuple[int, float]]] = {}
    for event in step.events:
        if event["kind"] == "metric":
            points.setdefault(event["name"], []).append((event["step"], event["value"]))
    assert points == WANTED
    rows = outputs.metrics.rows
    assert len(rows) == 12
    assert sorted(set(rows["name"])) == sorted(WANTED)
    assert step.warnings == []


def test_a_pattern_that_cannot_be_used_is_told_before_the_run(step: ScriptStep) -> None:
    parameters = ScriptParameters(typed_script="", log_patterns=["loss = (a+)+b"])
    check = run_training_script.check
    assert check is not None
    [finding] = check(parameters)
    assert (finding.parameter, finding.reason) == ("log_patterns", "pattern_nested")
    with pytest.raises(InvalidScriptError):
        step.run("", log_patterns=["loss"])


def test_a_model_that_the_script_registers_is_to_be_registered_here(step: ScriptStep) -> None:
    text = (
        "from azureml.core.run import Run\n"
        "open('outputs/model.pt', 'w').write('x')\n"
        "Run.get_context().register_model('birds', 'outputs/model.pt')\n"
    )
    step.run(text, settings={"process_count_per_node": 2})
    [warning] = [each for each in step.warnings if "register_model" in each]
    assert warning.endswith(
        "designer models register birds last --node NODE --file outputs/model.pt"
    )
