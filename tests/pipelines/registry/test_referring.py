"""Removing what is unused in the very moment in which somebody registers it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import NotFoundError
from pipelines.registry import model_files
from pipelines.registry.models import ModelRegistry
from pipelines.registry.written_files import register_file
from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.garbage_collection import CollectionResult
from tests.pipelines.registry.trained import trained_run

ENOUGH_SECONDS = 0.5
"""For what need not wait; whoever waits as it must is not hurried by it."""


@pytest.fixture
def registry(runs: RunService) -> ModelRegistry:
    return ModelRegistry(runs.database, runs.artifacts)


def collected(runs: RunService) -> CollectionResult:
    with runs.runner.sweeping() as alone:
        assert alone
        return runs.artifacts.sweep()


class Interruption:
    """Begins something on another thread when a function of an object is about to be called."""

    def __init__(self, place: object, name: str, subject: Callable[[], Any]) -> None:
        self._function, self._what = getattr(place, name), subject
        self._threads = ThreadPoolExecutor()
        self._begun: Future[Any] | None = None
        setattr(place, name, self)

    def __call__(self, *value: Any, **named: Any) -> Any:
        if self._begun is None:
            self._begun = self._threads.submit(self._what)
            wait([self._begun], ENOUGH_SECONDS)
        return self._function(*value, **named)

    def result(self) -> Any:
        """What came of it, when that has ended too."""
        assert self._begun is not None
        with self._threads:
            return self._begun.result()


def without_its_run(runs: RunService, registry: ModelRegistry) -> tuple[str, str]:
    """Artifact and port of a model that nothing refers to, but that is there still."""
    run_id = trained_run(runs)
    ((_, artifact_id, port),) = registry.trained_by(run_id)
    registry.register(artifact_id, port, "before")
    RunHistory(runs).delete(run_id)
    registry.delete("before")
    return artifact_id, port


def test_what_is_being_registered_is_not_swept(runs: RunService, registry: ModelRegistry) -> None:
    artifact_id, port = without_its_run(runs, registry)
    gc = Interruption(registry.store, "add", lambda: collected(runs))
    registry.register(artifact_id, port, "m")
    assert gc.result().artifact_ids == []
    registry.find("m").artifact.check()


def test_nor_with_the_run_that_made_it(runs: RunService, registry: ModelRegistry) -> None:
    run_id = trained_run(runs)
    ((_, artifact_id, port),) = registry.trained_by(run_id)
    deletion = Interruption(registry.store, "add", lambda: RunHistory(runs).delete(run_id))
    registry.register(artifact_id, port, "m")
    assert [item.used_by for item in deletion.result().kept] == [["m@1"]]
    registry.find("m").artifact.check()


@pytest.mark.parametrize("step", ["seal", "stat_fingerprint"])
def test_nor_is_the_copy_of_a_file_that_becomes_a_model(
    runs: RunService,
    registry: ModelRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    file = tmp_path / "weights.bin"
    file.write_bytes(b"learnt")
    run_id = trained_run(runs)
    monkeypatch.setattr(model_files, step, getattr(model_files, step))  # put back afterwards
    gc = Interruption(model_files, step, lambda: collected(runs))
    place = register_file(registry, file, run_id, "train", "m")
    assert gc.result().leftovers == []
    copy = runs.artifacts.root / place.version.artifact
    assert (copy / "files" / "weights.bin").read_bytes() == b"learnt"
    assert collected(runs).artifact_ids == []


def test_what_is_being_swept_is_not_registered(runs: RunService, registry: ModelRegistry) -> None:
    artifact_id, port = without_its_run(runs, registry)

    def register() -> None:
        registry.register(artifact_id, port, "m")

    late = Interruption(runs.artifacts.index, "remove", register)
    assert collected(runs).artifact_ids == [artifact_id]
    with pytest.raises(NotFoundError):
        late.result()
    assert registry.all() == []


def test_a_dataset_is_copied_while_the_store_is_swept(
    runs: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from modules.datasets import registered
    from pipelines.registry.datasets import RegisteredDatasets

    (tmp_path / "pictures" / "cats").mkdir(parents=True)
    (tmp_path / "pictures" / "cats" / "1.png").write_bytes(b"a picture")
    monkeypatch.setattr(registered, "_put_in_place", registered._put_in_place)
    gc = Interruption(registered, "_put_in_place", lambda: collected(runs))
    datasets = RegisteredDatasets(runs.workspace, runs.database)
    added = datasets.add(tmp_path / "pictures", "cats")
    assert gc.result().leftovers == []
    copied = datasets.location("cats", added.version) / "cats" / "1.png"
    assert copied.read_bytes() == b"a picture"
