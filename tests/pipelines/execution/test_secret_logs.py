"""No file of a workspace holds a secret while its step runs, nor after anything was killed."""

from __future__ import annotations

import os
import re
import signal
import stat
from pathlib import Path

import pytest

from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.workers.secret_store import SecretStore
from tests.pipelines.conftest import build, contents, finish
from tests.pipelines.execution.runner_processes import has_ended
from tests.polling import wait_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix kills and has modes")
VALUE = "canary-7f3a9b0c"
STARS = "*" * len(VALUE)
TALK = '''
import os, signal, subprocess, sys, time
from pathlib import Path
from typing import Annotated
from modules import Context, Field, Parameters, SecretNames, Table, module


class TalkParameters(Parameters):
    names: Annotated[list[str], SecretNames()] = Field([], title="Names", description="Which.")
    gate: str = Field("", title="Gate", description="The file to wait for.")
    is_killed: bool = Field(False, title="Killed", description="Whether it kills itself.")
    writes_itself: bool = Field(False, title="Writes", description="Whether it opens a log.")


@module(title="Talk", category="Own", summary="Print all.")
def talk(parameters: TalkParameters, context: Context) -> Table:
    """Print its secret in every way."""
    value = context.secrets["TOKEN"]
    if parameters.writes_itself:
        with context.log_path(1).open("w") as log:
            log.write(f"raw {value}\\n")
    print("stdout", value, flush=True)
    print("stderr", value, file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-c", "import sys; print('argument', sys.argv[1])", value])
    if os.fork() == 0:
        os.write(1, f"forked {value}\\n".encode())
        os._exit(0)
    os.wait()
    os.write(1, b"x" * 65_530 + value.encode())
    print("\\nhalves", value[:9], end="", flush=True)
    print(" pid", os.getpid(), file=sys.stderr, flush=True)
    print("halves", value[:9], end="", flush=True)
    while parameters.gate and not Path(parameters.gate).exists():
        time.sleep(0.02)
    print(value[9:], flush=True)
    print("line\\n" * 20_000 + "the end", flush=True)
    if parameters.is_killed:
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError(value)
'''


def submit(runs: RunService, **parameters: object) -> tuple[str, Path]:
    """Start a step that talks, and wait until it has; its run and its log."""
    (runs.workspace.modules_dir / "talk.py").write_text(TALK, encoding="utf-8")
    SecretStore(runs.workspace).set("TOKEN", VALUE)
    node = {"module": "talk", "names": ["TOKEN"], **parameters}
    run_id = runs.submit(RunRequest(build({}, {"own": node})))
    log = runs.workspace.node_dir(run_id, "own") / "70_driver_log_0.txt"
    wait_for(lambda: log.exists() and b" pid " in log.read_bytes())
    return run_id, log


def holders(runs: RunService) -> set[str]:
    """The files that hold the value, those of secrets aside."""
    result = contents(runs.workspace.root).items()
    held = {path.name for path, content in result if VALUE.encode() in content}
    return held - {"secrets.json", "secrets_in_use.json"}


def test_a_log_is_private_and_redacted_while_its_step_runs(
    runs: RunService, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    run_id, log = submit(runs, gate=str(gate))
    assert holders(runs) == set()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    kept = runs.workspace.secrets_in_use_path
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    gate.touch()
    assert finish(runs, run_id).status == "failed"
    assert holders(runs) == set()
    assert not kept.exists()
    text = log.read_text()
    for word in ("stdout", "stderr", "argument", "forked", "halves", "ValueError:"):
        assert f"{word} {STARS}" in text


def test_all_that_a_killed_host_has_printed_is_in_its_log_and_redacted(runs: RunService) -> None:
    run_id, log = submit(runs, is_killed=True)
    assert finish(runs, run_id).status == "failed"
    assert holders(runs) == set()
    assert log.read_text().endswith("line\n" * 20_000 + "the end\n")


def test_a_cancelled_step_is_redacted_with_the_value_that_it_was_given(
    runs: RunService, tmp_path: Path
) -> None:
    run_id, _ = submit(runs, gate=str(tmp_path / "gate"), writes_itself=True)
    assert holders(runs) == {"70_driver_log_1.txt"}
    SecretStore(runs.workspace).set("TOKEN", "another value")
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    assert holders(runs) == set()
    assert not runs.workspace.secrets_in_use_path.exists()


def test_the_next_runner_redacts_what_a_killed_one_left(runs: RunService, tmp_path: Path) -> None:
    run_id, log = submit(runs, gate=str(tmp_path / "gate"), writes_itself=True)
    SecretStore(runs.workspace).remove("TOKEN")
    host = int(re.findall(r" pid (\d+)", log.read_text())[0])
    runner = current_runner(runs.workspace)
    assert runner is not None
    runner.identity.signal(signal.SIGKILL)
    wait_for(lambda: has_ended(host))
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    wait_for(lambda: not runs.workspace.secrets_in_use_path.exists())
    assert holders(runs) == set()


def test_a_step_uses_and_hides_the_value_that_it_was_submitted_with(runs: RunService) -> None:
    store = SecretStore(runs.workspace)
    attempt = runs.workspace.node_dir("a-run", "own") / "attempt-1"
    store.set("TOKEN", VALUE)
    store.in_use.keep(attempt, store.values(["TOKEN"]))
    store.set("TOKEN", "another value")
    assert store.in_use.of(attempt) == {"TOKEN": VALUE}
    assert store.redaction().text(f"{VALUE} another value") == f"{STARS} {'*' * 13}"
    store.in_use.settle(lambda *_: True)
    assert not runs.workspace.secrets_in_use_path.exists()
