"""Hooks of users' modules that exit, hang, crash or raise: one mistake on their node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.operating_system.process_table import process_facts
from pipelines.document.document import dump_document
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import as_process
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import node, wired
from tests.pipelines.execution.runner_processes import has_ended
from tests.polling import wait_for

pytestmark = pytest.mark.extended

HOOKS = """
from __future__ import annotations

import ctypes
import os
import subprocess
import time
from typing import Literal

from pydantic import Field, field_validator

from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError
from modules.forecast import StepForecast
from modules.parameters import Parameters
from modules.artifacts import AnyDirectory
from modules.spec import ParameterFinding


def misbehave(way: str) -> None:
    if way == "exit":
        os._exit(5)
    elif way == "crash":
        ctypes.string_at(0)
    elif way == "loop":
        while True:
            time.sleep(1)
    elif way == "raise":
        raise ValueError("no luck")
    elif way == "error":
        raise InvalidDatasetError("It is odd.", cure="Make it even.", parameter="check")


def files():
    names = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    return [os.readlink(name) for name in names if os.path.exists(name)]


class OddParameters(Parameters):
    parse: str = Field("", title="Parse", description="What its validator does.")
    check: str = Field("", title="Check", description="What its check does.")
    fingerprint: str = Field("", title="Fingerprint", description="What its fingerprint does.")
    forecast: str = Field("", title="Forecast", description="What its forecast does.")

    @field_validator("parse")
    @classmethod
    def _parsed(cls, value: str) -> str:
        misbehave(value)
        return value.upper()


def _check(parameters):
    misbehave(parameters.check)
    if parameters.check == "tell":
        told = [*os.environ, *files(), str(os.getpid())]
        yield ParameterFinding("check", " ".join(told), "None.")
    if parameters.check == "start":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        yield ParameterFinding("check", str(child.pid), "None.")


def _fingerprint(parameters, context):
    misbehave(parameters.fingerprint)
    return parameters.parse


def _forecast(inputs, parameters, context):
    misbehave(parameters.forecast)
    return StepForecast(images_processed=7)


@module(title="Odd", category="Bad", summary="Behave badly.", check=_check,
        fingerprint=_fingerprint, forecast=_forecast)
def odd(parameters: OddParameters, context: Context) -> AnyDirectory:
    folder = context.new_folder()
    (folder / "parse").write_text(parameters.parse)
    return AnyDirectory.write(folder)
"""


@pytest.fixture
def odd(shared_runs: RunService) -> Iterator[RunService]:
    """A workspace with a module whose hooks do what its parameters say."""
    path = shared_runs.workspace.modules_dir / "odd.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(HOOKS, encoding="utf-8")
    yield shared_runs
    path.unlink()


def command(
    runs: RunService, folder: Path, name: str, **parameters: str
) -> tuple[int, dict[str, Any]]:
    """The exit code and the JSON object of a command about a pipeline with that module."""
    path = folder / "pipeline.json"
    path.write_text(dump_document(wired([node("odd", "odd", **parameters)])), encoding="utf-8")
    done = as_process(runs, name, path, "--json")
    return done.returncode, json.loads(done.stdout)


WAYS = {
    "exit": ("exit code 5", "Remove the call"),
    "crash": ("SIGSEGV", "Fix the file"),
    "loop": ("did not finish within 10 seconds", "Move slow or blocking code"),
    "raise": ("no luck", ""),
}


def by_way(*ways: str) -> list[Any]:
    """Parameters: the other ways are tried with the other hooks, which run in the same process."""
    others = [way for way in [*WAYS, "error"] if way not in ways]
    return [*ways, *(pytest.param(way, marks=pytest.mark.full) for way in others)]


@pytest.mark.parametrize(
    ("hook", "way"),
    [
        ("check", "crash"),
        ("check", "loop"),
        ("parse", "raise"),
        *(
            pytest.param(hook, way, marks=pytest.mark.full)  # as with the other hook
            for hook in ("check", "parse")
            for way in WAYS
            if (hook, way) not in (("check", "crash"), ("check", "loop"), ("parse", "raise"))
        ),
    ],
)
def test_a_check_that_misbehaves_is_a_mistake_on_its_node(
    hook: str, way: str, odd: RunService, tmp_path: Path
) -> None:
    code, output = command(odd, tmp_path, "validate", **{hook: way})
    assert code == 1
    [problem] = output["problems"]
    assert problem["node"] == "odd"
    assert WAYS[way][0] in problem["message"]
    assert WAYS[way][1] in problem["cure"]


@pytest.mark.parametrize("way", by_way("exit", "error"))
def test_a_fingerprint_that_misbehaves_fails_its_node(way: str, odd: RunService) -> None:
    _, state = run(odd, wired([node("odd", "odd", fingerprint=way)]))
    assert state.status == "failed"
    problem = state.steps["odd"].problem
    assert problem is not None
    assert problem["node"] == "odd"
    words, code = ("It is odd.", "0018") if way == "error" else (WAYS[way][0], "3100")
    assert words in problem["message"]
    assert problem["code"] == code
    assert problem["cure"].endswith(".")


@pytest.mark.parametrize("way", by_way("crash", "error"))
def test_a_forecast_that_misbehaves_is_a_finding(way: str, odd: RunService, tmp_path: Path) -> None:
    code, output = command(odd, tmp_path, "forecast", forecast=way)
    assert code == 0
    [result] = output["nodes"][0]["findings"]
    assert ("It is odd." if way == "error" else WAYS[way][0]) in result["message"]


def test_sound_hooks_are_heard_and_steps_run_the_code(odd: RunService, tmp_path: Path) -> None:
    code, output = command(odd, tmp_path, "forecast", parse="even")
    assert (code, output["nodes"][0]["images_processed"]) == (0, 7)
    _, state = run(odd, wired([node("odd", "odd", parse="even")]))
    assert state.status == "completed", state.problem
    assert (
        Path(odd.artifacts.outputs(state.steps["odd"])["output"]) / "parse"
    ).read_text() == "EVEN"
    code, output = command(odd, tmp_path, "validate", nothing="x")
    assert [(problem["code"], problem["parameter"]) for problem in output["problems"]] == [
        ("3010", "nothing")
    ]


def test_the_code_is_given_no_secrets_and_no_files(
    odd: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = ("AWS_SECRET_ACCESS_KEY", "DATABASE_PASSWORD", "DESIGNER_TOKEN", "HF_TOKEN", "MY_URL")
    for name in secrets:
        monkeypatch.setenv(name, "hidden")
    _, output = command(odd, tmp_path, "validate", check="tell")
    [problem] = output["problems"]
    words = problem["message"].split()
    assert "PATH" in words
    assert not {*words} & {*secrets}
    assert not [word for word in words if str(odd.workspace.root) in word]
    assert str(os.getpid()) not in words


def test_what_the_code_starts_ends_with_it(odd: RunService, tmp_path: Path) -> None:
    _, output = command(odd, tmp_path, "validate", check="start")
    pid = int(output["problems"][0]["message"])
    wait_for(lambda: has_ended(pid), 5.0)


ASKING = """
import sys
from pathlib import Path
from pipelines.user_modules.workspace_catalog import load_catalog
from pipelines.workspace import Workspace
module = load_catalog(Workspace.at(sys.argv[1])).get("odd")
[found] = module.check(module.parameters_type.model_validate({"check": "tell"}))
print(found.message.split()[-1], flush=True)
sys.stdin.read()
"""


def test_the_code_ends_with_whoever_asked_it(odd: RunService) -> None:
    command = [sys.executable, "-c", ASKING, str(odd.workspace.root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stdout is not None
        child = int(asking.stdout.readline())
        facts = process_facts(child)
        assert facts is not None
        family = [child, facts.parent]
        asking.kill()
    wait_for(lambda: all(map(has_ended, family)), 5.0)
