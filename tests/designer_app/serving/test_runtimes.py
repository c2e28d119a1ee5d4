"""An endpoint changes from torch to another runtime without a failed or another answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import torch

from designer_app.serving import runtime_change
from designer_app.serving.settings import EndpointSettings
from modules.artifacts import TrainedModel
from modules.compute.switches import VARIABLE
from modules.context import Context
from modules.export.network import load_network, onnx_network
from modules.scoring.backends import installed_runtimes
from modules.scoring.guarded_runtime import GuardedRuntime
from modules.scoring.kept_runtimes import MOST_DISTURBED, KeptRuntime, RuntimeCache
from modules.scoring.picture_scoring import open_picture_scorer
from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.serving.endpoints import Caller, Running, picture, running
from tests.modules.scoring.small import EDGE, own_model
from tests.pipelines.registry.trained import trained_run
from tests.polling import wait_for

INSTALLED = installed_runtimes()
pytestmark = [
    pytest.mark.skipif(not INSTALLED, reason="needs the extra onnx or openvino"),
    pytest.mark.skipif(torch.cuda.is_available(), reason="on a GPU torch computes"),
]
NAME = INSTALLED[-1] if INSTALLED else ""


@pytest.fixture(autouse=True)
def switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture(scope="module")
def registered(runs: RunService) -> RegisteredVersion:
    """A model with a small network of own code."""
    registry = ModelRegistry(runs.database, runs.artifacts)
    run_id = trained_run(runs, 1, save=own_model)
    [(_, artifact_id, port)] = registry.trained_by(run_id)
    return registry.register(artifact_id, port, "own")


@pytest.fixture(scope="module")
def model(registered: RegisteredVersion) -> TrainedModel:
    assert isinstance(registered.artifact, TrainedModel)
    return registered.artifact


@pytest.fixture(scope="module")
def content(model: TrainedModel) -> bytes:
    exported = onnx_network(model, load_network(model), (EDGE, EDGE), batch=True)
    return bytes(exported.SerializeToString())


@pytest.fixture
def cache(model: TrainedModel, place: Workspace, tmp_path: Path) -> Iterator[RuntimeCache]:
    with open_picture_scorer(model, Context(tmp_path / "scratch")) as scorer:
        made = RuntimeCache(place.cache_dir, scorer.runtime_key(model))
    yield made
    for path in made.folder.glob(f"{made.key}*"):
        path.unlink()


@pytest.fixture
def settings(place: Workspace) -> EndpointSettings:
    return EndpointSettings(place, "own@1", "own")


def runtime(caller: Caller) -> dict[str, Any]:
    return dict(caller.get("/status").json["runtime"])


def settled(endpoint: Running) -> dict[str, Any]:
    return wait_for(lambda: (found := runtime(endpoint.caller))["settled"] and found)


def probabilities(caller: Caller, num: int) -> np.ndarray:
    replies = [caller.score(picture(number)).json for number in range(num)]
    return np.array([list(reply["probabilities"].values()) for reply in replies])


def trials() -> list[psutil.Process]:
    """The processes of this test that compare runtimes."""
    return [child for child in psutil.Process().children(recursive=True) if is_trial(child)]


def is_trial(process: psutil.Process) -> bool:
    try:
        return runtime_change.PROGRAM in process.cmdline()
    except psutil.NoSuchProcess:  # also one that has ended and is not reaped, of another test
        return False


def test_a_kept_runtime_answers_as_torch_did(
    settings: EndpointSettings, cache: RuntimeCache, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "endpoint-runtimes")
        with running(settings) as endpoint:
            found = settled(endpoint)
            assert found["name"] == "torch"
            assert VARIABLE in found["reason"]
            expected = probabilities(endpoint.caller, 8)
    cache.keep(KeptRuntime(NAME, content))
    with running(settings) as endpoint:
        statuses = []
        over = threading.Event()

        def call() -> None:
            while not over.is_set():
                statuses.append(endpoint.caller.score(picture(1)).status)

        thread = threading.Thread(target=call)
        thread.start()
        assert settled(endpoint) == {"name": NAME, "settled": True, "reason": None}
        over.set()
        thread.join()
        assert set(statuses) == {200}
        answers = probabilities(endpoint.caller, 8)
        metrics = endpoint.caller.get("/metrics").body.decode()
        assert f'designer_runtime_info{{runtime="{NAME}"}} 1' in metrics
    assert np.array_equal(answers.argmax(1), expected.argmax(1))
    assert np.abs(answers - expected).max() < 1e-4


def test_torch_answers_once_the_runtime_fails(
    settings: EndpointSettings, cache: RuntimeCache, content: bytes
) -> None:
    class Failing:
        name = NAME

        def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            raise RuntimeError(f"out of memory for {len(images_NCHW)} images")

    cache.keep(KeptRuntime(NAME, content))
    with running(settings) as endpoint:
        assert settled(endpoint)["name"] == NAME
        current = endpoint.server.endpoint.versions.current
        assert current is not None
        guarded = current.scorer.scorer.choice.runtime
        assert isinstance(guarded, GuardedRuntime)
        expected = endpoint.caller.score(picture(1)).json["probabilities"]
        guarded.other = Failing()
        answer = endpoint.caller.score(picture(1)).json["probabilities"]
        assert answer == pytest.approx(expected, abs=1e-4)
        found = runtime(endpoint.caller)
        assert found["name"] == "torch"
        assert f"{NAME} failed" in found["reason"]
        assert "out of memory" in found["reason"]


def test_a_damaged_file_is_ignored_and_another_process_compares_again(
    settings: EndpointSettings, cache: RuntimeCache, content: bytes
) -> None:
    cache.keep(KeptRuntime(NAME, content[:-1] + b"x"))
    (cache.folder / f"{cache.key}.onnx").write_bytes(content)
    with running(settings) as endpoint:
        [trial] = wait_for(trials)
        assert runtime(endpoint.caller) == {"name": "torch", "settled": False, "reason": None}
        assert endpoint.caller.score(picture(1)).status == 200
    assert not trial.is_running()  # the endpoint has ended it


def test_a_choice_for_torch_is_followed_with_its_reason(
    settings: EndpointSettings, cache: RuntimeCache
) -> None:
    cache.keep(KeptRuntime("torch", reason="The network cannot be exported."))
    with running(settings) as endpoint:
        reason = "The network cannot be exported."
        assert settled(endpoint) == {"name": "torch", "settled": True, "reason": reason}
        assert trials() == []


def test_a_file_that_no_runtime_opens_stays_with_torch(
    settings: EndpointSettings, cache: RuntimeCache
) -> None:
    cache.keep(KeptRuntime(NAME, b"not a model"))
    with running(settings) as endpoint:
        assert settled(endpoint)["name"] == "torch"
        assert endpoint.caller.score(picture(1)).status == 200


def test_a_killed_comparison_is_remembered_for_a_day(
    settings: EndpointSettings, cache: RuntimeCache
) -> None:
    with running(settings) as endpoint:
        [trial] = wait_for(trials)
        trial.kill()
        found = settled(endpoint)
        assert (found["name"], endpoint.caller.score(picture(1)).status) == ("torch", 200)
        assert "ended with code" in found["reason"]
    kept = cache.find()
    assert kept is not None
    assert kept.reason == found["reason"]


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Whether the machine is quiet; endpoints look without a pause."""
    made = threading.Event()
    monkeypatch.setattr(runtime_change, "is_quiet", made.is_set)
    monkeypatch.setattr(runtime_change, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(runtime_change, "QUIET_LOOK_SECONDS", 0.01)
    return made


DISTURBED = KeptRuntime("torch", reason="Other work.", is_final=False, num_disturbed=1)


def test_a_disturbed_comparison_is_repeated_once_the_machine_is_quiet(
    settings: EndpointSettings, cache: RuntimeCache, quiet: threading.Event
) -> None:
    cache.keep(DISTURBED)
    with running(settings) as endpoint:
        assert settled(endpoint) == {"name": "torch", "settled": True, "reason": "Other work."}
        assert endpoint.caller.score(picture(1)).status == 200
        assert trials() == []
        quiet.set()
        [trial] = wait_for(trials)
        assert not runtime(endpoint.caller)["settled"]
        trial.kill()
        found = settled(endpoint)
        assert (found["name"], endpoint.caller.score(picture(1)).status) == ("torch", 200)
        assert "ended with code" in found["reason"]
    kept = cache.find()
    assert kept is not None
    assert not kept.may_repeat  # a comparison that is killed is not repeated before a day


def test_the_choice_of_another_endpoint_is_taken_over(
    settings: EndpointSettings, cache: RuntimeCache, content: bytes, quiet: threading.Event
) -> None:
    cache.keep(DISTURBED)
    with running(settings) as endpoint:
        assert settled(endpoint)["name"] == "torch"
        cache.keep(KeptRuntime(NAME, content))
        quiet.set()
        wait_for(lambda: runtime(endpoint.caller)["name"] == NAME)
        assert runtime(endpoint.caller) == {"name": NAME, "settled": True, "reason": None}
        assert trials() == []


def test_disturbed_comparisons_have_an_end(
    settings: EndpointSettings, cache: RuntimeCache, quiet: threading.Event
) -> None:
    cache.keep(replace(DISTURBED, num_disturbed=MOST_DISTURBED))
    quiet.set()
    with running(settings) as endpoint:
        assert settled(endpoint)["reason"] == "Other work."
        current = endpoint.server.endpoint.versions.current
        assert current is not None
        task = current.runtime._task
        assert task is not None
        wait_for(task.done)
        assert trials() == []


@pytest.mark.extended
def test_a_quiet_machine_ends_with_a_choice(
    settings: EndpointSettings, cache: RuntimeCache, quiet: threading.Event
) -> None:
    cache.keep(DISTURBED)
    quiet.set()
    with running(settings) as endpoint:
        wait_for(lambda: (kept := cache.find()) and kept.num_disturbed != 1)
        assert endpoint.caller.score(picture(1)).status == 200


def test_a_cache_that_cannot_be_written_leaves_torch(
    settings: EndpointSettings, cache: RuntimeCache
) -> None:
    cache.folder.mkdir(exist_ok=True)
    aside = cache.folder.with_name("aside")
    cache.folder.rename(aside)
    cache.folder.write_text("a file, not a folder")
    try:
        with running(settings) as endpoint:
            found = settled(endpoint)
            assert found["name"] == "torch"
            assert "cannot be stored" in found["reason"]
    finally:
        cache.folder.unlink()
        aside.rename(cache.folder)


@pytest.mark.extended
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread looks twice a second")
@pytest.mark.parametrize("is_deployed", [False, True])
def test_a_killed_endpoint_leaves_no_process(
    is_deployed: bool, place: Workspace, cache: RuntimeCache, registered: RegisteredVersion
) -> None:
    """A deployed one is a process whose fork serves."""
    assert registered.reference == "own@1"
    command = [sys.executable, "-m", "designer_app.command", "serve", "own@1", "--port", "0"]
    command += ["--workspace", str(place.root)]
    own = {"DESIGNER_ENDPOINT_PARENT": str(os.getpid())} if is_deployed else {}
    environment = {**os.environ, **own}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
        [trial] = wait_for(trials)
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_for(lambda: not trial.is_running() or trial.status() == psutil.STATUS_ZOMBIE)
    assert cache.find() is None


@pytest.mark.extended
def test_an_endpoint_compares_once_and_answers_meanwhile(
    settings: EndpointSettings, cache: RuntimeCache
) -> None:
    with running(settings) as endpoint:
        expected = probabilities(endpoint.caller, 8)
        first = settled(endpoint)
        answers = probabilities(endpoint.caller, 8)
    assert np.abs(answers - expected).max() < 1e-4
    kept = cache.find()
    assert kept is not None
    assert (kept.name, kept.reason) == (first["name"], None)
    with running(settings) as endpoint:
        assert settled(endpoint) == first
        assert trials() == []
