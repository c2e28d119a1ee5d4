"""Children that a user's module starts: none outlives its step, however the step ends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from modules.operating_system.process_table import process_facts
from modules.operating_system.processes import ProcessIdentity
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import build, finish
from tests.pipelines.execution.runner_processes import children_of, family, fork_server_of, host_of
from tests.polling import wait_for

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux adopts orphans"),
]

BREED = '''
import os, subprocess, time
from pathlib import Path
from typing import Literal
from pydantic import Field
from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.artifacts import Artifact, write_json
from modules.spec import PortDoc


class Brood(Artifact):
    """``brood.json``: nothing of interest."""

    colour = "green"


class BreedParameters(Parameters):
    folder: str = Field("", title="Folder", description="Where each child leaves its pid.")
    ending: Literal["returns", "raises", "waits"] = Field(
        "returns", title="Ending", description="What follows."
    )


LINGER = "trap '' TERM HUP; echo $$ > {path}.tmp; mv {path}.tmp {path}; while :; do sleep 600; done"


@module(title="Breed", category="Own", summary="Start children.", icon="bug", distributed=True)
def breed(parameters: BreedParameters, context: Context) -> Brood:
    """Start children of every kind."""
    folder = context.new_folder()
    write_json(folder / "brood.json", 0)  # before the ranks meet: rank 0 seals it as it returns
    names = ("plain", "session", "parent", "forked", "bare")
    files = [Path(parameters.folder, f"{name}-{context.rank}") for name in names]
    commands = [["sh", "-c", LINGER.format(path=file)] for file in files]
    subprocess.Popen(commands[0])
    subprocess.Popen(commands[1], start_new_session=True)
    nested = f"({commands[2][2]}) & wait"
    subprocess.Popen(["sh", "-c", nested.replace("$$", "$(exec sh -c 'echo $PPID')")])
    twice(lambda: linger(files[3]))
    twice(lambda: os.execve("/bin/sh", commands[4], {"PATH": os.environ["PATH"]}))
    ranks = range(context.world_size)  # the first to fail ends the others, whatever they are at
    while not all(Path(parameters.folder, f"{n}-{r}").exists() for n in names for r in ranks):
        time.sleep(0.01)
    context.progress(1, 2, "steps")
    while parameters.ending == "waits":
        time.sleep(0.1)
    if parameters.ending == "raises":
        raise ValueError("as asked")
    return Brood(folder)


def linger(file):
    file.with_suffix(".tmp").write_text(str(os.getpid()))
    os.rename(file.with_suffix(".tmp"), file)
    time.sleep(600)


def twice(then):
    """In a process that is nobody's child any more."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            then()
        os._exit(0)
'''
NUM_KINDS = 5


@pytest.fixture
def brood(tmp_path: Path) -> Iterator[Path]:
    """Where the children leave their pids; what a failing test leaves alive is ended."""
    folder = tmp_path / "brood"
    folder.mkdir()
    yield folder
    for item in alive(folder):
        item.signal(signal.SIGKILL)


def alive(folder: Path) -> list[ProcessIdentity]:
    """The children that live."""
    pids = [int(path.read_text()) for path in folder.iterdir() if path.suffix != ".tmp"]
    result = [ProcessIdentity.find(pid) for pid in pids]
    return [item for item in result if item is not None and item.is_alive]


def breeding(runs: RunService, brood: Path, ending: str, processes: int = 1) -> str:
    (runs.workspace.modules_dir / "breed.py").write_text(BREED, encoding="utf-8")
    settings = {"process_count_per_node": processes}
    node = {"module": "breed", "folder": str(brood), "ending": ending, "run_settings": settings}
    run_id = runs.submit(RunRequest(build({}, {"breed": node})))
    if ending == "waits":
        wait_for(lambda: len(alive(brood)) == processes * NUM_KINDS)
    return run_id


@pytest.mark.parametrize(("ending", "status"), [("returns", "completed"), ("raises", "failed")])
@pytest.mark.parametrize("processes", [1, 2])
def test_none_outlives_a_step_that_ends(
    runs: RunService, brood: Path, ending: str, status: str, processes: int
) -> None:
    state = finish(runs, breeding(runs, brood, ending, processes))
    assert state.status == status, state.problem
    assert len(list(brood.iterdir())) == processes * NUM_KINDS
    assert not alive(brood)


def test_none_outlives_a_cancelled_step(runs: RunService, brood: Path) -> None:
    run_id = breeding(runs, brood, "waits")
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    assert not alive(brood)


def guardian_of(runs: RunService) -> ProcessIdentity:
    runner, _ = family(runs)
    facts = process_facts(runner.pid)
    assert facts is not None
    return ProcessIdentity.of(facts.parent)


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    "victim",
    [host_of, fork_server_of, lambda runs: family(runs)[0]],
    ids=["host", "fork server", "runner"],
)
def test_none_outlives_a_killed(
    runs: RunService, brood: Path, victim: Callable[[RunService], ProcessIdentity], processes: int
) -> None:
    breeding(runs, brood, "waits", processes)
    guardian = guardian_of(runs)
    runner, _ = family(runs)
    victim(runs).signal(signal.SIGKILL)
    wait_for(lambda: not alive(brood), 5.0)
    wait_for(lambda: guardian.is_alive == runner.is_alive, 5.0)


def test_a_runner_that_loses_its_guardian_ends_with_all_that_it_started(
    runs: RunService, brood: Path
) -> None:
    run_id = breeding(runs, brood, "waits")
    runner, _ = family(runs)
    guardian_of(runs).signal(signal.SIGKILL)
    wait_for(lambda: not runner.is_alive, 10.0)
    assert not alive(brood)
    runs.runner.refresh_without_starting()
    assert runs.store.state(run_id).status == "queued", "it goes on with the next runner"


def test_none_outlives_a_killed_rank(runs: RunService, brood: Path) -> None:
    run_id = breeding(runs, brood, "waits", 2)
    rank = children_of(host_of(runs).pid)[0]  # what the ranks have started is younger
    ProcessIdentity.of(rank).signal(signal.SIGKILL)
    assert finish(runs, run_id).status == "failed"
    assert not alive(brood)


def test_the_next_runner_ends_what_nobody_was_left_to_end(runs: RunService, brood: Path) -> None:
    breeding(runs, brood, "waits")
    doomed = [guardian_of(runs), family(runs)[0]]
    for item in doomed:
        item.signal(signal.SIGSTOP)
    for item in doomed:
        item.signal(signal.SIGKILL)
    wait_for(lambda: not any(entry.is_alive for entry in doomed), 5.0)
    assert alive(brood)
    runs.runner.ensure()
    unmarked = (brood / "bare-0").read_text()  # it threw its environment away
    wait_for(lambda: [entry.pid for entry in alive(brood)] in ([], [int(unmarked)]), 5.0)


SCRIPT = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
else:
    os.wait()
print("stays", flush=True)
time.sleep(600)
"""
"""One process, and a grandchild of it in another session that is nobody's child."""


def marked(variable: str) -> set[int]:
    """The processes that have a variable in the environment they were started with."""
    result = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has gone
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                result.add(int(folder.name))
    return {pid for pid in result if (facts := process_facts(pid)) and facts.is_alive}


@pytest.fixture
def launched(runs: RunService) -> str:
    """The variable that tells the processes of a step that has launched two of them."""
    name = f"MINE_{uuid4().hex}"
    settings = {"process_count_per_node": 2, "variables": {name: "1"}}
    node = {"module": "launch", "code": SCRIPT, "run_settings": settings}
    document = build({}, {"own": node})
    runs.checks.allow_code_of(document)
    folder = runs.workspace.node_dir(runs.submit(RunRequest(document)), "own")
    logs = [folder / f"70_driver_log_{rank}.txt" for rank in (0, 1)]
    wait_for(lambda: [stays_of(log) for log in logs] == [2, 2])
    assert len(marked(f"{name}=1")) == 4
    return f"{name}=1"


def stays_of(log: Path) -> int:
    """How many processes have said that they stay: what they came from is gone by then."""
    return log.read_text().count("stays") if log.exists() else 0


def ancestor(pid: int, generations: int) -> int:
    for _ in range(generations):
        facts = process_facts(pid)
        assert facts is not None
        pid = facts.parent
    return pid


@pytest.mark.parametrize(
    "generations", [1, 2, 3], ids=["its host", "its fork server", "its runner"]
)
def test_nothing_of_a_script_outlives_a_killed(launched: str, generations: int) -> None:
    before = marked(launched)
    [host] = {ancestor(pid, 1) for pid in before} - before
    ProcessIdentity.of(ancestor(host, generations - 1)).signal(signal.SIGKILL)
    wait_for(lambda: not marked(launched) & before, 5.0)


def test_nothing_of_a_script_outlives_a_cancelled_run(runs: RunService, launched: str) -> None:
    [run_id] = runs.store.unfinished()
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    assert not marked(launched)
