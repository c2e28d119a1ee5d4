"""The zygote: every request is answered, however they arrive; its end is the hosts' end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.loading import sha256
from pipelines.workers.fork_server_client import Ended, Started, Zygote
from pipelines.workers.step_spec import StepSpec


@pytest.fixture
def zygote(tmp_path: Path) -> Iterator[Zygote]:
    made = Zygote("nothing", log_path=tmp_path / "zygote.log")
    yield made
    made.stop()


def hear(zygote: Zygote, count: int) -> list[Started | Ended]:
    """The next messages, as many as asked for."""
    heard: list[Started | Ended] = []
    deadline = time.monotonic() + 60
    while len(heard) < count:
        assert time.monotonic() < deadline, f"heard only {heard}"
        heard.extend(zygote.messages())
        time.sleep(0.01)
    return heard


def test_requests_that_arrive_together_are_all_answered(zygote: Zygote, tmp_path: Path) -> None:
    tokens = [f"token {number}" for number in range(5)]
    requests = [
        {"start": token, "spec": str(tmp_path / "no.json"), "node_rank": 0} for token in tokens
    ]
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    zygote.connection.sendall(lines[:30])  # in the middle of a line
    time.sleep(0.2)
    zygote.connection.sendall(lines[30:])
    heard = hear(zygote, 10)
    assert {each.token for each in heard if isinstance(each, Started)} == set(tokens)
    ended = {each.token: each.code for each in heard if isinstance(each, Ended)}
    assert ended == dict.fromkeys(tokens, 1), "a host without a specification must fail"


def test_a_dead_zygote_ends_every_host_it_was_asked_for(zygote: Zygote, tmp_path: Path) -> None:
    zygote.process.kill()
    zygote.process.wait()
    zygote.start("late", tmp_path / "no.json", 0)
    assert hear(zygote, 1) == [Ended("late", None)]
    assert not zygote.is_open


@pytest.mark.parametrize("ending", ["os._exit(3)", "raise SystemExit(3)"])
def test_an_unfit_file_harms_no_step_but_its_own(
    zygote: Zygote, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"import os\n{ending}\n", "utf-8")
    origin = {"kind": "file", "location": str(path), "code_hash": sha256(path.read_bytes())}
    place = str(tmp_path)
    spec = StepSpec(
        *("run", "own", 1, "own", origin, {}, {}, "0" * 64), *(place, place, place, place, place)
    )
    spec.write()
    zygote.start("unfit", spec.spec_path, 0, origin=origin, module="own")
    zygote.start("next", tmp_path / "no.json", 0)
    heard = hear(zygote, 4)
    ended = {each.token: each.code for each in heard if isinstance(each, Ended)}
    assert ended == {"unfit": 3 if "_exit" in ending else 1, "next": 1}


ENDLESS = """
import os, pathlib, time
pathlib.Path({trace!r}).open("a").write(f"{{os.getppid()}} ")
while True:
    time.sleep(1)
"""


def test_a_file_that_never_ends_delays_no_other_step(zygote: Zygote, tmp_path: Path) -> None:
    path, trace = tmp_path / "own.py", tmp_path / "trace"
    path.write_text(ENDLESS.format(trace=str(trace)), "utf-8")
    origin = {"kind": "file", "location": str(path), "code_hash": sha256(path.read_bytes())}
    place = str(tmp_path)
    spec = StepSpec(
        *("run", "own", 1, "own", origin, {}, {}, "0" * 64), *(place, place, place, place, place)
    )
    spec.write()
    zygote.start("endless", spec.spec_path, 0, origin=origin, module="own")
    while not trace.exists():
        time.sleep(0.01)
    for number in range(3):  # the first would get a spare that has begun to load the file
        zygote.start(f"next {number}", tmp_path / "no.json", 0)
    heard = hear(zygote, 7)
    ended = {each.token: each.code for each in heard if isinstance(each, Ended)}
    assert ended == {f"next {number}": 1 for number in range(3)}
    assert set(trace.read_text().split()) == {str(zygote.process.pid)}, "in hosts, nowhere else"
