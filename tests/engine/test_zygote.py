"""The zygote: every request is answered, however they arrive; its end is the hosts' end."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.loading import sha256
from pipelines.steps import StepSpec
from pipelines.zygotes import Ended, Started, Zygote
from tests import toy


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


THREADED = """
import threading, time
threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
"""


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ("", True),
        ("\n# changed since\n", False),
        (THREADED, False),
        ("raise KeyboardInterrupt", False),
    ],
    ids=["as it was", "changed", "starts a thread", "raises"],
)
def test_only_fit_files_of_users_are_kept_loaded(tmp_path: Path, changes: str, kept: bool) -> None:
    path = toy.install(tmp_path)
    source = path.read_bytes() + changes.encode()
    code_hash = sha256(source)
    if kept or "since" not in changes:
        path.write_bytes(source)
    program = (
        "import json, sys; from pipelines.user_code import UserCode\n"
        "UserCode().keep(json.loads(sys.argv[1]), 'add')\n"
        "print(any(name.startswith('_designer_file_') for name in sys.modules))\n"
    )
    origin = {"kind": "file", "location": str(path), "code_hash": code_hash}
    command = [sys.executable, "-c", program, json.dumps(origin)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(kept)), done.stderr
