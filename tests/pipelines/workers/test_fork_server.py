"""The fork server: every request is answered, however they arrive; its end is the hosts' end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.loading import sha256
from pipelines.workers.fork_server_client import ForkServerClient, HostMessage
from pipelines.workers.fork_server_protocol import (
    HostEnded,
    HostStarted,
    Message,
    MessageReader,
    Ready,
    StartHost,
    encode,
)
from pipelines.workers.step_spec import StepSpec


def test_messages_are_read_from_whatever_pieces_they_come_in() -> None:
    messages: list[Message] = [
        Ready(0.5),
        StartHost("run/ä", "step.json", 1, {"kind": "import"}, "add"),
        HostStarted("run/ä", 7),
        HostEnded("run/ä", None),
    ]
    sent, reader = b"".join(encode(message) for message in messages), MessageReader()
    pieces = [sent[at : at + 7] for at in range(0, len(sent), 7)]
    assert [item for piece in pieces for item in reader.feed(piece)] == messages


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ForkServerClient]:
    made = ForkServerClient("nothing", log_path=tmp_path / "fork_server.log")
    yield made
    made.stop()


def receive(server: ForkServerClient, count: int) -> list[HostMessage]:
    """The next messages, as many as asked for."""
    received: list[HostMessage] = []
    deadline = time.monotonic() + 120
    while len(received) < count:
        assert time.monotonic() < deadline, f"received only {received}"
        received.extend(server.receive())
        time.sleep(0.01)
    return received


def test_requests_that_arrive_together_are_all_answered(
    server: ForkServerClient, tmp_path: Path
) -> None:
    tokens = [f"token {number}" for number in range(5)]
    lines = b"".join(encode(StartHost(token, str(tmp_path / "no.json"), 0)) for token in tokens)
    server.connection.sendall(lines[:30])  # in the middle of a line
    time.sleep(0.2)
    server.connection.sendall(lines[30:])
    received = receive(server, 10)
    assert {item.token for item in received if isinstance(item, HostStarted)} == set(tokens)
    ended = {item.token: item.code for item in received if isinstance(item, HostEnded)}
    assert ended == dict.fromkeys(tokens, 1), "a host without a specification must fail"


def test_a_dead_fork_server_ends_every_host_it_was_asked_for(
    server: ForkServerClient, tmp_path: Path
) -> None:
    server.process.kill()
    server.process.wait()
    server.start_host(StartHost("late", str(tmp_path / "no.json"), 0))
    assert receive(server, 1) == [HostEnded("late", None)]
    assert not server.is_open


@pytest.mark.parametrize("ending", ["os._exit(3)", "raise SystemExit(3)"])
def test_an_unfit_file_harms_no_step_but_its_own(
    server: ForkServerClient, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"import os\n{ending}\n", "utf-8")
    origin = {"kind": "file", "location": str(path), "code_hash": sha256(path.read_bytes())}
    place = str(tmp_path)
    spec = StepSpec(
        *("run", "own", 1, "own", origin, {}, {}, "0" * 64), *(place, place, place, place, place)
    )
    spec.write()
    server.start_host(StartHost("unfit", str(spec.spec_path), 0, origin, "own"))
    server.start_host(StartHost("next", str(tmp_path / "no.json"), 0))
    received = receive(server, 4)
    ended = {item.token: item.code for item in received if isinstance(item, HostEnded)}
    assert ended == {"unfit": 3 if "_exit" in ending else 1, "next": 1}


@pytest.mark.parametrize("gpus", [["MIG-6be1a6cf", "GPU-8932f937"], [3, 1]])
def test_a_host_sees_the_gpus_that_its_step_was_given(
    server: ForkServerClient, tmp_path: Path, gpus: list[str]
) -> None:
    """Numbers stand in the files of earlier versions."""
    path, trace = tmp_path / "own.py", tmp_path / "trace"
    text = "os.environ['CUDA_VISIBLE_DEVICES']"
    path.write_text(f"import os, pathlib\npathlib.Path({str(trace)!r}).write_text({text})\n")
    origin = {"kind": "file", "location": str(path), "code_hash": sha256(path.read_bytes())}
    place = str(tmp_path)
    spec = StepSpec(
        *("run", "own", 1, "own", origin, {}, {}, "0" * 64),
        *(place, f"{place}/staging", place, place, place),
        process_count_per_node=2,
        launches=True,
        gpus=gpus,
    )
    spec.write()
    server.start_host(StartHost("own", str(spec.spec_path), 0))
    receive(server, 2)
    assert trace.read_text() == ",".join(map(str, gpus))


ENDLESS = """
import os, pathlib, time
pathlib.Path({trace!r}).open("a").write(f"{{os.getppid()}} ")
while True:
    time.sleep(1)
"""


def test_a_file_that_never_ends_delays_no_other_step(
    server: ForkServerClient, tmp_path: Path
) -> None:
    path, trace = tmp_path / "own.py", tmp_path / "trace"
    path.write_text(ENDLESS.format(trace=str(trace)), "utf-8")
    origin = {"kind": "file", "location": str(path), "code_hash": sha256(path.read_bytes())}
    place = str(tmp_path)
    spec = StepSpec(
        *("run", "own", 1, "own", origin, {}, {}, "0" * 64), *(place, place, place, place, place)
    )
    spec.write()
    server.start_host(StartHost("endless", str(spec.spec_path), 0, origin, "own"))
    while not trace.exists():
        time.sleep(0.01)
    for number in range(3):  # the first would get a spare that has begun to load the file
        server.start_host(StartHost(f"next {number}", str(tmp_path / "no.json"), 0))
    received = receive(server, 7)
    ended = {item.token: item.code for item in received if isinstance(item, HostEnded)}
    assert ended == {f"next {number}": 1 for number in range(3)}
    assert set(trace.read_text().split()) == {str(server.process.pid)}, "in hosts, nowhere else"
