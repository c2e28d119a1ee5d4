"""Secrets reach the processes of a step, and nothing else: no file, event, answer or replay."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from modules.files.redaction import Redaction
from pipelines.cli import app
from pipelines.events import RunState
from pipelines.execution.plan import make_plan
from pipelines.problems import PipelineError
from pipelines.replay.recording import record
from pipelines.runs.run_service import RunService
from pipelines.workers.secret_store import SecretStore
from tests import toy
from tests.json_values import as_json
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, contents, run

VALUE = 'hunter2 or "longer" än that'
TELL = """
import os
print("got", os.environ["TOKEN"])
raise SystemExit(os.environ["TOKEN"] if "fails" in "{ending}" else 0)
"""


def printing_run(runs: RunService, ending: str = "returns") -> tuple[str, RunState]:
    node = {"module": "launch", "code": TELL.replace("{ending}", ending), "secrets": ["TOKEN"]}
    return run(runs, build({}, {"own": node}))


@pytest.fixture
def secrets(runs: RunService) -> SecretStore:
    store = SecretStore(runs.workspace)
    store.set("TOKEN", VALUE)
    return store


def holders(folder: Path) -> list[str]:
    """The files that hold the value, as it is or as JSON writes it; the database's are its own."""
    forms = (VALUE.encode(), json.dumps(VALUE)[1:-1].encode())
    result = contents(folder).items()
    return sorted(path.name for path, text in result if any(form in text for form in forms))


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize("ending", ["returns", "fails"])
def test_a_value_that_was_printed_has_stars_once_its_process_has_ended(
    runs: RunService, ending: str
) -> None:
    run_id, state = printing_run(runs, ending)
    assert state.status == ("failed" if ending == "fails" else "completed"), state.problem
    log = runs.workspace.node_dir(run_id, "own") / "70_driver_log_0.txt"
    assert f"got {'*' * len(VALUE.encode())}" in log.read_text("utf-8")
    assert holders(runs.workspace.root) == ["secrets.json"]
    events = [vars(event) for event in runs.store.events_after(run_id)]
    assert VALUE not in json.dumps([events, as_json(state)], ensure_ascii=False)
    shown = designer(runs, "runs", "logs", run_id, "own")
    assert f"got {'*' * len(VALUE.encode())}" in shown.output
    assert VALUE not in shown.output
    recording = record(runs, run_id)
    assert not any(VALUE.encode() in tail for tail in recording.logs.values())


RAISE = '''
import warnings
from typing import Annotated
from modules import Context, Field, Parameters, SecretNames, Table, module


class LeakParameters(Parameters):
    names: Annotated[list[str], SecretNames()] = Field([], title="Names", description="Which.")


@module(title="Leak", category="Own", summary="Tell all.")
def leak(parameters: LeakParameters, context: Context) -> Table:
    """Tell its secret in every way there is."""
    value = context.secrets["TOKEN"]
    context.warn("The value is " + value)
    context.summary("It is " + value)
    raise ValueError(value)
'''


@pytest.mark.usefixtures("secrets")
def test_a_module_that_tells_its_secret_is_not_heard(runs: RunService) -> None:
    (runs.workspace.modules_dir / "leak.py").write_text(RAISE, encoding="utf-8")
    run_id, state = run(runs, build({}, {"own": {"module": "leak", "names": ["TOKEN"]}}))
    step = state.steps["own"]
    assert state.status == "failed"
    assert VALUE not in json.dumps(as_json(state), ensure_ascii=False)
    assert step.warnings == [f"The value is {'*' * len(VALUE.encode())}"]
    events = [vars(event) for event in runs.store.events_after(run_id)]
    assert VALUE not in json.dumps(events, ensure_ascii=False)


def test_a_secret_that_is_not_set_is_a_problem(runs: RunService) -> None:
    runs.workspace.secrets_path.unlink(missing_ok=True)
    with pytest.raises(PipelineError) as refused:
        printing_run(runs)
    [problem] = refused.value.problems
    assert (problem.code, problem.node, problem.parameter) == ("3064", "own", "secrets")
    assert problem.cure.endswith("`designer secrets set TOKEN`.")


def test_a_key_knows_a_secrets_name_and_version() -> None:
    node = {"module": "launch", "secrets": ["TOKEN"]}
    document = build({}, {"own": node})
    keys = {
        make_plan(document, toy.CATALOG, lambda *_: "", secrets=known)["own"].key
        for known in ({}, {"TOKEN": 1}, {"TOKEN": 2})
    }
    assert len(keys) == 3


def test_secrets_are_set_listed_and_removed(runs: RunService, secrets: SecretStore) -> None:
    place = ["--workspace", str(runs.workspace.root), "--json"]
    done = CliRunner().invoke(app, ["secrets", "set", "TOKEN", *place], input="another one\n")
    assert json.loads(done.output) == {"name": "TOKEN", "version": 2}
    assert secrets.values(["TOKEN", "OTHER"]) == {"TOKEN": "another one"}
    listed = designer(runs, "secrets", "list", "--json")
    assert json.loads(listed.output) == {"secrets": {"TOKEN": 2}}
    assert "another one" not in designer(runs, "secrets", "list").output
    assert designer(runs, "secrets", "remove", "TOKEN").exit_code == 0
    assert secrets.versions() == {}
    assert designer(runs, "secrets", "remove", "TOKEN").exit_code == 1
    assert secrets.set("TOKEN", "anew") == 3


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of Unix")
def test_only_its_user_may_read_them(runs: RunService, secrets: SecretStore) -> None:
    assert secrets.versions()
    assert stat.S_IMODE(runs.workspace.secrets_path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("name", "value"),
    [("PATH", "long enough"), ("1A", "long enough"), ("A B", "long enough"), ("A", "abc")],
)
def test_what_cannot_be_a_secret_is_refused(runs: RunService, name: str, value: str) -> None:
    place = ["--workspace", str(runs.workspace.root)]
    assert CliRunner().invoke(app, ["secrets", "set", name, *place], input=value).exit_code == 1


def test_a_value_across_the_ends_of_a_range_has_its_stars(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_bytes(b"one secret two")
    redaction = Redaction(["secret"])
    whole = b"one ****** two"
    for start in range(len(whole)):
        for length in range(len(whole)):
            assert redaction.read(log, start, length) == whole[start : start + length]


@pytest.mark.parametrize(
    ("written", "shown"),
    [("say secr", "say ****"), ("say sec", "say sec"), ("secre secre", "secre *****")],
)
def test_a_value_that_is_only_begun_at_the_end_of_a_growing_log_has_its_stars(
    tmp_path: Path, written: str, shown: str
) -> None:
    log = tmp_path / "log.txt"
    log.write_text(written)
    redaction = Redaction(["secret"])
    assert redaction.read(log, 0, 100).decode() == shown
    assert redaction.read(log, 0, len(written)).decode() == shown
    log.write_text("say secret!")
    assert redaction.read(log, 4, 100) == b"******!"
