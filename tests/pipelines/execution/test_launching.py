"""Modules that start processes themselves: one host, run settings that reach it, keys, logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import Table
from pipelines.cli.reports import phases_text
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.events import RunState, fold
from pipelines.execution.plan import make_plan
from pipelines.problems import PipelineError
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from tests import toy
from tests.pipelines.conftest import build, run, value
from tests.pipelines.environments.toy_index import make_wheel
from tests.pipelines.execution.refusals import node, wired

pytestmark = pytest.mark.own_runner
TELL = """
import json, os
print(json.dumps(dict(os.environ)))
"""


def launching(code: str = TELL, **settings: Any) -> PipelineDocument:
    return build({}, {"own": {"module": "launch", "code": code, "run_settings": settings}})


def run_allowed(runs: RunService, document: PipelineDocument) -> tuple[str, RunState]:
    """Run a document whose variables were looked at."""
    runs.checks.allow_code_of(document)
    return run(runs, document)


def log_of(runs: RunService, run_id: str, rank: int) -> str:
    folder = runs.workspace.node_dir(run_id, "own")
    return (folder / f"70_driver_log_{rank}.txt").read_text("utf-8")


def key_of(document: PipelineDocument, node: str = "own") -> str:
    return make_plan(document, toy.CATALOG, lambda *_: "")[node].key


def test_a_module_that_launches_starts_all_processes_itself(runs: RunService) -> None:
    variables = {"GREETING": "hello there"}
    run_id, state = run_allowed(runs, launching(process_count_per_node=2, variables=variables))
    assert state.status == "completed", state.problem
    assert value(runs, state, "own") == 2
    results = [json.loads(log_of(runs, run_id, rank)) for rank in (0, 1)]
    assert [item["RANK"] for item in results] == ["0", "1"]
    assert {item["GREETING"] for item in results} == {"hello there"}
    assert all(item.keys() <= {"PATH", "RANK", "GREETING", "LC_CTYPE"} for item in results)


def test_what_the_module_says_itself_goes_to_the_launchers_log(runs: RunService) -> None:
    run_id, state = run(runs, launching("raise SystemExit(3)"))
    assert state.status == "failed"
    folder = runs.workspace.node_dir(run_id, "own")
    assert "ended with [3]" in (folder / "70_launcher_log.txt").read_text("utf-8")
    assert log_of(runs, run_id, 0) == ""


VARIED = '''
import os
from modules import Context, Table, module

@module(title="Print", category="Own", summary="Print a variable.")
def print_variable(context: Context) -> Table:
    """Print a variable of its environment."""
    import pandas as pd

    print("here:", os.environ.get("MINE"), os.environ.get("RANK"))
    return Table.write(context.new_folder(), pd.DataFrame({"a": [1]}))
'''


def test_variables_reach_modules_that_launch_nothing(runs: RunService) -> None:
    (runs.workspace.modules_dir / "print_variable.py").write_text(VARIED, encoding="utf-8")
    node = {"module": "print_variable", "run_settings": {"variables": {"MINE": "yes"}}}
    run_id, state = run_allowed(runs, build({}, {"own": node}))
    assert state.status == "completed", state.problem
    assert "here: yes 0" in log_of(runs, run_id, 0)


@pytest.mark.parametrize(
    "settings",
    [
        {"node_count": 2},
        {"process_count_per_node": 2},
        {"launcher": "mpi"},
        {"launcher": "tensorflow", "parameter_server_count": 1},
        {"variables": {"A": "1"}},
    ],
)
def test_how_processes_are_started_counts(settings: dict[str, Any]) -> None:
    assert key_of(launching(**settings)) != key_of(launching())


@pytest.mark.parametrize(
    "settings",
    [
        {"cores_per_process": 1},
        {"steps_per_gpu": 2},
        {"time_limit_minutes": 5},
        {"target": "other"},
    ],
)
def test_what_changes_no_result_does_not_count(settings: dict[str, Any]) -> None:
    assert key_of(launching(**settings)) == key_of(launching())


def test_nodes_times_processes_is_not_processes_times_nodes() -> None:
    assert key_of(launching(node_count=2)) != key_of(launching(process_count_per_node=2))


def parametrised(code: str, **values: Any) -> PipelineDocument:
    content = launching(code).to_json()
    content["parameters"] = [
        {"id": name, "type": "number", "default": item, "binds": []}
        for name, item in values.items()
    ]
    return parse_document(content)


def test_parameters_of_the_pipeline_reach_the_steps_that_name_them() -> None:
    code = "print({{parameters.rate}})"
    step = make_plan(parametrised(code, rate=0.5, other=1), toy.CATALOG, lambda *_: "")["own"]
    assert step.pipeline_parameters == {"rate": 0.5}
    assert step.key != key_of(parametrised(code, rate=0.25, other=1))
    assert step.key == key_of(parametrised(code, rate=0.5, other=2))


def test_steps_inside_see_the_parameters_around_them() -> None:
    inner = {"id": "own", "module": "launch", "parameters": {"code": "parameters.a parameters.b"}}
    parameter = {"type": "number", "binds": []}
    document = parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "nested",
            "parameters": [
                {"id": "a", "default": 1, **parameter},
                {"id": "b", "default": 2, **parameter},
            ],
            "definitions": [
                {"id": "d", "nodes": [inner], "parameters": [{"id": "b", **parameter}]}
            ],
            "nodes": [{"id": "front", "module": "definition:d", "parameters": {"b": 3}}],
            "links": [],
        }
    )
    step = make_plan(document, toy.CATALOG, lambda *_: "")["front/own"]
    assert step.pipeline_parameters == {"a": 1, "b": 3}


MEETING = """
import os, time
from pathlib import Path
folder = Path(os.environ["PLACE"])
(folder / os.environ["NAME"]).touch()
end = time.monotonic() + 120
while len(list(folder.iterdir())) < 2 and time.monotonic() < end:
    time.sleep(0.01)
raise SystemExit(len(list(folder.iterdir())) < 2)
"""


def test_steps_with_few_cores_share_a_machine(runs: RunService, tmp_path: Path) -> None:
    """Each waits until the other has begun: one after the other they would fail."""
    nodes = {
        name: {
            "module": "launch",
            "code": MEETING,
            "run_settings": {
                "cores_per_process": 1,
                "variables": {"PLACE": str(tmp_path), "NAME": name},
            },
        }
        for name in ("one", "two")
    }
    _, state = run_allowed(runs, build({}, nodes))
    assert state.status == "completed", state.problem


def phases_of(state: RunState, node: str = "own") -> list[str]:
    return [phase["phase"] for phase in state.steps[node].phases]


def test_each_phase_of_a_step_has_its_time(runs: RunService) -> None:
    run_id, state = run(runs, launching())
    assert phases_of(state) == ["preparing", "running", "post-processing"]
    step = state.steps["own"]
    times = [time for phase in step.phases for time in (phase["started"], phase["finished"])]
    assert times == sorted(time for time in times if time is not None)
    assert (times[0], times[-1]) == (step.started, step.finished)
    assert fold(runs.store.events_after(run_id)).steps["own"].phases == step.phases


def test_a_step_that_waits_for_room_says_what_it_waits_for(runs: RunService) -> None:
    """Each takes all cores, so one waits for the other."""
    nodes = {
        name: {"module": "launch", "run_settings": {"variables": {"NAME": name}}}
        for name in ("one", "two")
    }
    _, state = run_allowed(runs, build({}, nodes))
    scaled = [phases for node in nodes if "scaling" in (phases := phases_of(state, node))]
    assert scaled == [["scaling", "preparing", "running", "post-processing"]]
    [facts] = [
        phase["facts"]
        for node in nodes
        for phase in state.steps[node].phases
        if phase["phase"] == "scaling"
    ]
    assert facts == {"waits_for": "cores"}


def test_waiting_steps_say_how_many_are_before_them(runs: RunService) -> None:
    """Each takes all cores: one runs, one is next, and one waits behind that."""
    nodes = {
        name: {"module": "launch", "run_settings": {"variables": {"NAME": name}}}
        for name in ("one", "two", "three")
    }
    run_id, _ = run_allowed(runs, build({}, nodes))
    waits: dict[str, list[int]] = {}
    for event in runs.store.events_after(run_id):
        if event.kind == "StepPhase" and event.data["phase"] == "scaling":
            waits.setdefault(str(event.node), []).append(event.data.get("ahead", 0))
    assert sorted(waits.values()) == [[0], [1, 0]]


@pytest.fixture
def tiny(
    runs: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WorkspaceEnvironments]:
    """An environment with one tiny package, that nothing has built yet."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels, "tiny", "1.0")
    monkeypatch.setenv("UV_FIND_LINKS", str(wheels))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    runs.runner.stop()  # the next one has these variables
    environments = WorkspaceEnvironments(runs.workspace, runs.database)
    definition = EnvironmentDefinition(requirements=("tiny",))
    environments.keep("small", environments.resolve(definition))
    yield environments
    runs.runner.stop()


def test_an_environment_is_built_once_and_its_processes_run_in_it(
    runs: RunService, tiny: WorkspaceEnvironments
) -> None:
    code = "import tiny; print('tiny', tiny.version)"
    run_id, state = run(runs, launching(code, environment="small"))
    assert state.status == "completed", state.problem
    assert "tiny 1.0" in log_of(runs, run_id, 0)
    facts = state.steps["own"].phases[0]["facts"]
    assert (facts["environment"], facts["is_cached"]) == ("small@1", False)
    assert facts["num_bytes"] > 0
    log = runs.workspace.node_dir(run_id, "own") / "70_environment_log.txt"
    assert "small@1" in log.read_text("utf-8")
    message = phases_text(run_report(runs, run_id).nodes["own"].phases)
    assert re.match(
        r"Preparing .* \(small@1, built, .*B\), running .*, post-processing .*\.$", message
    )
    _, again = run(runs, launching(f"{code} ", environment="small@1"))
    assert again.steps["own"].phases[0]["facts"]["is_cached"] is True
    assert tiny.get("small").key


def test_an_environment_that_is_not_there_is_a_problem(
    runs: RunService, tiny: WorkspaceEnvironments
) -> None:
    with pytest.raises(PipelineError) as refused:
        run(runs, launching(environment="smal"))
    [problem] = refused.value.problems
    assert (problem.code, problem.node, problem.parameter) == ("3063", "own", "environment")
    assert problem.cure == "Did you mean 'small'?"
    assert problem.remedy == {"clear": "environment"}
    assert tiny.find("smal") is None


def test_what_is_in_an_environment_counts_and_its_name_does_not(
    tiny: WorkspaceEnvironments,
) -> None:
    document = launching(environment="small")
    other = tiny.keep("other", tiny.resolve(EnvironmentDefinition(requirements=("tiny",))))

    def key(record: EnvironmentRecord) -> str:
        steps = make_plan(document, toy.CATALOG, lambda *_: "", environment=lambda *_: record)
        return steps["own"].key

    assert key(tiny.get("small")) == key(other)
    assert key(other) != key(other.with_key("changed"))
    assert key(other) != key_of(launching())


@pytest.mark.full  # test_environment_script, without a run
@pytest.mark.extended
def test_a_script_between_two_modules_has_the_python_of_its_environment(
    runs: RunService, tiny: WorkspaceEnvironments
) -> None:
    code = "import tiny\n\ndef designer_main():\n    return {'table': [{'tiny': tiny.version}]}\n"
    script = node("script", "execute_python_script", code=code)
    script["run_settings"] = {"environment": "small"}
    document = wired([script])
    runs.checks.allow_code_of(document)
    assert runs.checks.problems(document) == []
    assert tiny.find("small@1") is not None
    _, state = run(runs, document)
    assert state.status == "completed", state.problem
    table = Table(Path(runs.artifacts.outputs(state.steps["script"])["table"]))
    assert table.rows.to_dict("records") == [{"tiny": "1.0"}]
    facts = state.steps["script"].phases[0]["facts"]
    assert (facts["environment"], facts["is_cached"]) == ("small@1", False)

    script["run_settings"] = {"launcher": "mpi"}
    assert [problem.code for problem in runs.checks.problems(wired([script]))] == ["3060"]
    script["run_settings"] = {"environment": "gone"}
    assert [problem.code for problem in runs.checks.problems(wired([script]))] == ["3063"]
