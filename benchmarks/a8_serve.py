"""A8: requests to an endpoint, to LitServe, MLServer and BentoML, and to a bare Starlette app."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import psutil

from benchmarks import pictures
from benchmarks.harness import (
    BenchmarkError,
    Bound,
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
    only,
)
from benchmarks.ours_random_model import write_model
from benchmarks.processes import PEER_PYTHON, ROOT, SERVING_PYTHON, run_ours, run_peer
from benchmarks.request_load import (
    BARE_IMAGE,
    IMAGE_FORM,
    V2_IMAGE,
    Load,
    RequestForm,
    has_runtime,
    is_idle,
    is_ready,
    send_load,
)
from modules.artifacts import TrainedModel, write_json
from modules.files.hashing import stat_fingerprint
from pipelines.session import WorkspaceSession
from pipelines.store.artifacts.manifest import seal
from pipelines.workspace import Workspace


@dataclass(frozen=True)
class Server:
    """A server of the same network."""

    name: str
    module: str
    """It is started with a folder and a port."""
    form: RequestForm = BARE_IMAGE
    python: Path = Path(sys.executable)
    package: str = ""
    """Whose version is reported; none for what is not a peer."""


OURS = Server("Pipeline Designer", "designer_app.command")
BARE = Server("ONNX Runtime behind Starlette", "benchmarks.bare_server")
PEERS = {
    "litserve": Server(
        "LitServe", "benchmarks.peers.serve_litserve", IMAGE_FORM, PEER_PYTHON, "litserve"
    ),
    "mlserver": Server(
        "MLServer", "benchmarks.peers.serve_mlserver", V2_IMAGE, SERVING_PYTHON, "mlserver"
    ),
    "bentoml": Server(
        "BentoML",
        "benchmarks.peers.serve_bentoml",
        replace(IMAGE_FORM, ready_path="/readyz"),
        SERVING_PYTHON,
        "bentoml",
    ),
    "bare": BARE,
}
CALLERS = (1, 8, 32)
START_SECONDS, END_SECONDS = 180.0, 30.0
WARM_REQUESTS, WARM_CALLERS = 16, 8
"""Enough for the first, slow request of each worker."""
MOST_TIMES_BARE = Bound(1.5, 3.0)
"""CPU time of a request, as multiples of the bare app's."""
OPERATIONS = [
    {"operation": "resize", "size": 256},
    {"operation": "center_crop", "size": 224},
]
KEY = "a8"
SET_UP = 'Run: make bench ARGS="A8"'
LEAST_SAME = 0.9
"""Labels of random weights that agree: a grey level more or less changes some."""


@dataclass(frozen=True)
class Size:
    """How many requests are sent by so many callers at a time."""

    requests: int
    pictures: int


FULL, SMALL = Size(400, 50), Size(24, 6)


def measure(options: Options) -> Report:
    """Each server answers the same requests, by one, 8 and 32 callers."""
    size = SMALL if options.small else FULL
    make = pictures.drawn if options.small else pictures.photos
    folder = make(options.scratch / "images", size.pictures)
    contents = [path.read_bytes() for path in sorted(folder.rglob("*.*")) if path.is_file()]
    report = Report(
        "A8",
        "Serve",
        f"ResNet-18 at 224 pixels with random weights in fp32; {size.requests} JPEG files by "
        "keep-alive connections, once the endpoint has chosen its runtime; CPU time is that of the "
        "server's processes.",
    )
    chosen = _chosen(options)
    with _model(options.scratch / "model") as workspace:
        servers = _Servers(workspace, options.scratch)
        if any(server.package for server in chosen):
            servers.write_network()
        contenders = [
            Contender(server.name, partial(servers.measure, server, contents, size.requests))
            for server in chosen
        ]
        spreads = alternate(contenders, options.rounds, options.earlier("Requests"))
    for server in chosen:
        if server.package:
            report.note_versions(run_peer("installed", server.package, python=server.python))
    for callers in CALLERS:
        rate, cpu, slow = _names(callers)
        last = chosen[-1].name
        report.scenarios += [
            Scenario(f"Requests of {callers}: a second", only(spreads, rate), last, "requests/s"),
            Scenario(f"Requests of {callers}: CPU time", only(spreads, cpu), last, "ms"),
            Scenario(f"Requests of {callers}: 99th percentile", only(spreads, slow), last, "ms"),
        ]
    if BARE in chosen:
        cpu = _names(8)[1]
        times = spreads[OURS.name][cpu].median / spreads[BARE.name][cpu].median
        report.checks.append(
            Check.at_most(
                "CPU time of a request of 8, times the bare app's", times, MOST_TIMES_BARE
            )
        )
    return report


def _chosen(options: Options) -> list[Server]:
    """Return ours and the wanted peers. One that is not installed is an error only if named."""
    chosen = [OURS]
    for peer, server in PEERS.items():
        if not options.wants(peer):
            continue
        if server.python.exists():
            chosen.append(server)
        elif options.peers is None:
            sys.stderr.write(f"A8: {server.name} is not installed and not measured. {SET_UP}\n")
        else:
            raise BenchmarkError(f"{server.name} is not installed. {SET_UP}")
    return chosen


def _names(callers: int) -> tuple[str, str, str]:
    return f"{callers}: rate", f"{callers}: CPU", f"{callers}: p99"


@contextmanager
def _model(folder: Path) -> Iterator[Workspace]:
    """A workspace with the model, registered as ``net``."""
    workspace = Workspace.at(folder / "workspace").make()
    with WorkspaceSession(workspace) as session:
        artifacts = session.artifacts

        def make() -> str:
            staging = artifacts.staging_dir(KEY, "model", 1)
            place = staging / "trained_model"
            write_model(place, "resnet18", [f"class {number}" for number in range(10)])
            model = TrainedModel(place)
            facts = {
                **model.description,
                "precision": "fp32",
                "inference_transformation": OPERATIONS,
                "input_size": {"height": 224, "width": 224},
            }
            write_json(place / "model.json", facts)
            made_by = {"key": KEY, "run_id": KEY, "node": "model", "module": "benchmark"}
            seal(place, TrainedModel(place), made_by)
            return artifacts.commit(staging, KEY, KEY, "model", stat_fingerprint(staging))

        session.models.register_made(make, "trained_model", "net", None, None)
    yield workspace
    shutil.rmtree(folder, ignore_errors=True)


class _Servers:
    """The servers, started again for each round; their labels must agree."""

    def __init__(self, workspace: Workspace, scratch: Path) -> None:
        self._workspace = workspace
        self._scratch = scratch
        self._expected: list[str] = []
        with WorkspaceSession(workspace) as session:
            self._model = session.models.find("net").artifact.path

    def write_network(self) -> None:
        """Write the ONNX file that the peers load."""
        run_ours("ours_network_file", "--model", self._model, "--folder", self._scratch)

    def measure(self, server: Server, contents: list[bytes], requests: int) -> Sample:
        port = _free_port()
        sample: dict[str, float] = {}
        with self._started(server, port) as pid:
            send_load(port, pid, contents, WARM_REQUESTS, WARM_CALLERS, server.form)
            for callers in CALLERS:
                load = send_load(port, pid, contents, requests, callers, server.form)
                self._check(server.name, load)
                rate, cpu, slow = _names(callers)
                sample |= {rate: load.rate, cpu: load.cpu_ms, slow: load.p99_ms}
        return sample

    def _check(self, name: str, load: Load) -> None:
        if load.failed:
            raise BenchmarkError(f"{name} failed {load.failed} requests. See its log.")
        self._expected = self._expected or load.labels
        same = sum(map(str.__eq__, load.labels, self._expected)) / len(load.labels)
        if same < LEAST_SAME:
            raise DisagreementError(name, f"{same:.0%} of the labels", f"{LEAST_SAME:.0%}")

    def _arguments(self, server: Server, port: int) -> list[str]:
        if server == OURS:
            return ["serve", "net", "--port", str(port), "--workspace", str(self._workspace.root)]
        return [str(self._model if server == BARE else self._scratch), str(port)]

    @contextmanager
    def _started(self, server: Server, port: int) -> Iterator[int]:
        log_path = self._scratch / f"{port}.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [server.python, "-m", server.module, *self._arguments(server, port)],
                cwd=self._scratch,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )
        try:
            # A server can be ready before all its workers are: they start until it is idle.
            _wait(
                lambda: is_ready(port, server.form.ready_path) and is_idle(process.pid),
                process,
                log_path,
                server.name,
            )
            if server == OURS:
                _wait(lambda: has_runtime(port), process, log_path, server.name)
            yield process.pid
        finally:
            _end(process)


def _wait(
    condition: Callable[[], bool], process: subprocess.Popen[bytes], log: Path, name: str
) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            text = log.read_text(errors="replace")[-2000:]
            raise BenchmarkError(f"{name} did not start: {text}")
        time.sleep(0.1)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server, and its workers if it leaves them."""
    workers = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _gone, left = psutil.wait_procs(workers, timeout=5)
    for worker in left:
        worker.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
