"""Two machines of a script, played by two addresses of this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from modules.context import Machine
from modules.errors import FailedToEvaluateScriptError
from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.signals import KILL
from modules.scripts.launchers.process_description import ProcessDescription
from modules.scripts.machines import leader
from modules.scripts.machines.follower import Follower
from modules.scripts.machines.machine_files import MachineFiles, Request
from modules.scripts.supervisor import Start, Supervisor
from modules.scripts.work_folder import WorkFolder
from tests.modules.scripts.conftest import ScriptStep

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="nodes of clusters are machines with Linux")
FIRST = Machine("127.0.0.1", "lo", "127.0.0.0/8")
FOLLOW = """\
import sys
from pathlib import Path
from modules.context import Context, Machine
from modules.scripts.machines.follower import follow
attempt = Path(sys.argv[1])
follow(Context(
    attempt, attempt_dir=attempt, cache_dir=attempt / "own", rank=1, node_count=2, threads=1,
    secrets={"TOKEN": sys.argv[2]}, machine=Machine("127.0.0.2", "lo", "127.0.0.0/8"),
))
"""
TELL = """\
import os
place = os.path.basename(os.getcwd())
token = os.environ["TOKEN"]
print(os.environ["RANK"], os.environ["MASTER_ADDR"], token, token[::-1], place)
"""
FIRST_SECRET, SECRET = "of the first", "of the second machine"


@contextmanager
def second(step: ScriptStep) -> Iterator[subprocess.Popen[bytes]]:
    """The other machine, with a secret of its own."""
    attempt = step.node_dir / "attempt-1"
    attempt.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([sys.executable, "-c", FOLLOW, str(attempt), SECRET])
    try:
        yield process
        assert process.wait(30) == 0, "it follows until the first one is done"
    finally:
        process.kill()
        process.wait()


def on_two(**more: object) -> dict[str, object]:
    secrets = {"TOKEN": FIRST_SECRET}
    return {"node_count": 2, "threads": 1, "machine": FIRST, "secrets": secrets, **more}


def test_each_machine_starts_its_own_and_adds_its_own_secrets(step: ScriptStep) -> None:
    with second(step):
        step.run(TELL, settings=on_two())
    logs = [(step.node_dir / f"70_driver_log_{rank}.txt").read_text() for rank in (0, 1)]
    assert logs == [
        f"0 127.0.0.1 {'*' * len(FIRST_SECRET)} {FIRST_SECRET[::-1]} node-0\n",
        f"1 127.0.0.1 {'*' * len(SECRET)} {SECRET[::-1]} node-1\n",
    ]
    told = [each.read_text() for each in (step.node_dir / "attempt-1" / "machines").iterdir()]
    assert not any(SECRET in each or FIRST_SECRET in each for each in told)


def test_what_fails_on_the_other_machine_is_the_problem(step: ScriptStep) -> None:
    fails = "import os, time\nif os.environ['RANK'] == '1': raise ValueError('too warm here')\n"
    with second(step), pytest.raises(FailedToEvaluateScriptError, match="too warm here") as caught:
        step.run(fails + "time.sleep(600)", settings=on_two())
    assert caught.value.details is not None
    assert caught.value.details["rank"] == 1, "its log is the one to open"


def test_the_shared_folders_clock_decides_who_was_first(step: ScriptStep) -> None:
    work = WorkFolder.fresh(step.context(**on_two()), "first process")
    for rank, said, written in ((0, 50.0, 2000.0), (1, 9000.0, 1000.0)):
        path = work.reports / f"{rank}.json"
        path.write_text(json.dumps({"rank": rank, "time": said, "code": 1}))
        os.utime(path, (written, written))
    assert [each["rank"] for each in work.read_reports(by_folder=True)] == [1, 0]
    assert [each["rank"] for each in work.read_reports()] == [0, 1]


def test_a_variable_of_a_secrets_name_gives_way_on_every_machine(step: ScriptStep) -> None:
    with second(step):
        step.run(TELL, settings=on_two(variables={"TOKEN": "in the open"}))
    logs = [(step.node_dir / f"70_driver_log_{rank}.txt").read_text() for rank in (0, 1)]
    assert FIRST_SECRET[::-1] in logs[0]
    assert SECRET[::-1] in logs[1]


def test_a_program_that_the_other_machine_lacks_is_named(step: ScriptStep) -> None:
    files = MachineFiles.of(step.context(**on_two()))
    with second(step):
        log = step.node_dir / "log.txt"
        files.ask(1, "7", Request(["/nowhere/python"], {}, str(step.root), str(log)))
        process = leader.RemoteProcess(files, "7")
        assert process.wait() == 127
        assert "/nowhere/python cannot be started: No such file" in log.read_text()
        files.close()


def test_an_end_is_told_once_its_log_is_written(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, seen = step.node_dir / "log.txt", []
    log.parent.mkdir(parents=True)
    files = MachineFiles.of(step.context(**on_two()))

    def tell_end(files: MachineFiles, _: str, code: int) -> None:
        seen.append((code, log.read_text()))
        files.close()

    monkeypatch.setattr(MachineFiles, "tell_end", tell_end)
    files.ask(1, "7", Request(["/nowhere/python"], {}, str(step.root), str(log)))
    Follower(files, 1, lambda variables: variables, secrets=[SECRET]).run()
    [(code, text)] = seen
    assert code == 127
    assert "/nowhere/python cannot be started: No such file" in text


def test_a_signal_reaches_a_process_of_the_other_machine(step: ScriptStep) -> None:
    files = MachineFiles.of(step.context(**on_two()))
    with second(step):
        log = step.node_dir / "log.txt"
        words = ["/bin/sh", "-c", "echo $$; exec sleep 600"]
        files.ask(1, "1", Request(words, {}, str(step.root), str(log)))
        process = leader.RemoteProcess(files, "1")
        while not (log.exists() and log.read_text().strip()):
            time.sleep(0.02)
        assert process.poll() is None
        process.signal(KILL)
        assert process.wait() == -9
        assert not psutil.pid_exists(int(log.read_text()))
        files.close()


def test_one_listing_of_the_shared_folder_tells_of_all_ends(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = MachineFiles.of(step.context(**on_two()))
    numbers = [str(number) for number in range(120)]
    listings, list_folder = [], os.listdir

    def counted(path: str) -> list[str]:
        listings.append(path)
        return list_folder(path)

    def end_all() -> None:
        if time.monotonic() - began > 1:
            for number in numbers:
                files.tell_end(number, 0)

    description = ProcessDescription("rank", 1, ())
    starts = [Start(description, [number], {}, step.root, step.root / "log") for number in numbers]
    monkeypatch.setattr(os, "listdir", counted)
    began = time.monotonic()
    ends = Supervisor(
        starts, end_all, begin=lambda start: leader.RemoteProcess(files, start.argv[0])
    ).run()
    assert [end.code for end in ends] == [0] * len(numbers)
    own = [each for each in listings if str(each) == str(files.folder)]
    assert 2 <= len(own) <= 2 + 5 * (time.monotonic() - began)


def test_a_machine_that_is_ended_leaves_nothing(step: ScriptStep) -> None:
    files = MachineFiles.of(step.context(**on_two()))
    log, mark = step.node_dir / "log.txt", f"sleep {os.getpid() + 600_000}"
    attempt = step.node_dir / "attempt-1"
    with subprocess.Popen([sys.executable, "-c", FOLLOW, str(attempt), SECRET]) as process:
        try:
            words = ["/bin/sh", "-c", f"echo began; {mark}; true"]
            files.ask(1, "1", Request(words, {}, str(step.root), str(log)))
            while not (log.exists() and log.read_text().strip()):
                time.sleep(0.02)
        finally:
            (files.folder / "start-1-2.json").write_text("{}")  # what it cannot read ends it
        assert process.wait(30)
    # As facts to be read at once: others' processes may end meanwhile, and have no command then.
    running = [each.info["cmdline"] or [] for each in psutil.process_iter(["cmdline"])]
    assert mark not in map(" ".join, running)


def test_a_machine_that_does_not_come_is_told(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader, "READY_SECONDS", 0.2)
    with pytest.raises(FailedToEvaluateScriptError, match="Machine 1 was not ready"):
        step.run(TELL, settings=on_two())
