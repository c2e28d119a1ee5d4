"""Aliases that move by rule: figures of both versions, force, history, and what is refused."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import TrainedModel
from pipelines.errors import InUseError, NotFoundError, RefusedError
from pipelines.inspection.alias_moves import AliasMoves, compare_here, mover
from pipelines.inspection.questions import GoldenAnswer
from pipelines.registry.model_report import model_entry, move_entries
from pipelines.registry.models import ModelRegistry, Mover
from pipelines.runs.run_service import RunService
from tests.modules.export.pictures import CLASSES, lively_model, soft_picture
from tests.pipelines.registry.trained import trained_run

BY = Mover("ann", "cli", "for the talk")


@pytest.fixture
def registry(runs: RunService) -> ModelRegistry:
    return ModelRegistry(runs.store.database, runs.artifacts)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """Ten images of the colours of the classes."""
    folder = tmp_path / "golden"
    for number in range(10):
        place = folder / CLASSES[number % len(CLASSES)].replace("/", "_")
        place.mkdir(parents=True, exist_ok=True)
        soft_picture(70, 66, 500 + number).save(place / f"{number}.png")
    return folder


def _versions(runs: RunService, registry: ModelRegistry, count: int = 3) -> None:
    """Versions of the model ``m``."""
    for seed in range(1, count + 1):
        ((_, artifact_id, port),) = registry.trained_by(trained_run(runs, seed=seed))
        registry.register(artifact_id, port, "m")


def _moves(runs: RunService, registry: ModelRegistry, figures: dict[str, Any]) -> AliasMoves:
    """Moves with given figures instead of predictions."""
    base = {"images": 200, "right": 0, "before": 190, "low": 0.91, "is_as_good": False}

    def compare(model: Path, current: Path | None, golden: Path) -> GoldenAnswer:
        assert golden.is_dir()
        assert current is not None
        assert TrainedModel(model).classes == TrainedModel(current).classes
        return GoldenAnswer(**{**base, **figures})  # type: ignore[typeddict-item]

    return AliasMoves(registry, runs.workspace, compare)


def test_a_worse_version_is_refused_with_both_figures(
    runs: RunService, registry: ModelRegistry, golden: Path
) -> None:
    _versions(runs, registry)
    figures: dict[str, Any] = {"right": 170}
    moves = _moves(runs, registry, figures)
    moves.move("m", "best", 1, BY)  # without a rule nothing is compared
    model = moves.set_rule("m", "best", str(golden), BY)
    assert model.rules == {"best": {"golden": str(golden)}}
    assert model_entry(registry, model).rules == {"best": str(golden)}
    with pytest.raises(RefusedError) as refused:
        moves.move("m", "best", 2, BY)
    assert refused.value.message == (
        "m@2 is right on 170 of 200 golden images (85.0 %), m@1 on 190 (95.0 %, from 91.0 % with "
        "its interval)."
    )
    assert registry.find("m@best").version.version == 1
    figures |= {"right": 183, "is_as_good": True}
    assert moves.move("m", "best", 2, BY).aliases == {"best": 2}
    assert moves.move("m", "best", 2, BY, force=True).rules == {"best": {"golden": str(golden)}}
    changes = [entry.change for entry in move_entries(registry, "m")]
    assert changes == [
        "moved from version 1 to 2; 183 of 200 golden images right, 190 before",
        "rule set: not worse on golden images",
        "set to version 1",
    ]


def test_force_is_recorded_with_who_and_why(
    runs: RunService, registry: ModelRegistry, golden: Path
) -> None:
    _versions(runs, registry)
    moves = _moves(runs, registry, {"right": 100})
    moves.move("m", "best", 1, BY)
    moves.set_rule("m", "best", str(golden), BY)
    moves.move("m", "best", 3, Mover("eve", "api", "the customer wants it"), force=True)
    [newest, *_] = move_entries(registry, "m")
    assert (newest.author, newest.reason, newest.forced) == (
        "eve by the API",
        "the customer wants it",
        True,
    )
    assert newest.change.endswith("; forced")
    assert newest.comparison is not None
    assert (newest.comparison["right"], newest.comparison["current"]) == (100, 1)


def test_no_way_around_the_rule(runs: RunService, registry: ModelRegistry, golden: Path) -> None:
    _versions(runs, registry)
    moves = _moves(runs, registry, {})
    moves.move("m", "best", 1, BY)
    moves.set_rule("m", "best", str(golden), BY)
    with pytest.raises(RefusedError, match="has a rule"):
        registry.set_alias("m", "best", 2)
    with pytest.raises(RefusedError, match="would be removed with it"):
        moves.move("m", "best", None, BY)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs, seed=9))
    with pytest.raises(RefusedError, match="Register without the alias"):
        registry.register(artifact_id, port, "m", alias="best")
    assert registry.find("m").version.version == 3  # nothing was registered
    with pytest.raises(InUseError, match="the alias best, which has a rule"):
        registry.delete("m", 1)
    assert moves.move("m", "best", None, BY, force=True).aliases == {}
    assert registry.find("m").model.rules == {}


def test_what_cannot_be_compared_is_refused_unless_forced(
    runs: RunService, registry: ModelRegistry, golden: Path
) -> None:
    _versions(runs, registry)
    moves = _moves(runs, registry, {})
    moves.move("m", "best", 1, BY)
    moves.set_rule("m", "best", str(golden), BY)
    golden.rename(golden.with_name("gone"))
    with pytest.raises(RefusedError, match="The rule of 'best' cannot be checked"):
        moves.move("m", "best", 2, BY)
    moves.move("m", "best", 2, BY, force=True)
    assert "not compared" in move_entries(registry, "m")[0].change
    for bad in (str(golden), "dataset:none", "dataset:none@1", str(golden.parent / "gone/none")):
        with pytest.raises(RefusedError, match="is not a folder of images"):
            moves.set_rule("m", "best", bad, BY)
    for name, alias in (("m", "other"), ("n", "best")):
        with pytest.raises(NotFoundError):
            moves.set_rule(name, alias, None, BY)
    assert moves.set_rule("m", "best", None, BY).rules == {}
    with pytest.raises(RefusedError, match="reason"):
        moves.move("m", "best", 1, Mover("ann", "cli", "x" * 1001))


def test_one_of_two_moves_at_once_is_refused(
    runs: RunService, registry: ModelRegistry, golden: Path
) -> None:
    _versions(runs, registry)
    meanwhile = threading.Event()

    def compare(*_: Any) -> GoldenAnswer:
        if not meanwhile.is_set():
            meanwhile.set()
            moves.move("m", "best", 3, BY)
        return GoldenAnswer(images=9, right=9, before=9, low=0.7, is_as_good=True)

    moves = AliasMoves(registry, runs.workspace, compare)
    moves.move("m", "best", 1, BY)
    moves.set_rule("m", "best", str(golden), BY)
    with pytest.raises(RefusedError, match="moved meanwhile"):
        moves.move("m", "best", 2, BY)
    assert registry.find("m@best").version.version == 3


@pytest.mark.extended
def test_real_models_on_real_images(
    runs: RunService, registry: ModelRegistry, golden: Path, tmp_path: Path
) -> None:
    """A trained network, and one whose classes are in another order: always wrong."""
    for classes in (CLASSES, [*CLASSES[1:], CLASSES[0]]):
        save = partial(lively_model, classes=[name.replace("/", "_") for name in classes])
        ((_, artifact_id, port),) = registry.trained_by(trained_run(runs, seed=1, save=save))
        registry.register(artifact_id, port, "m")
    (golden / "ant" / "broken.png").write_bytes(b"no image")
    moves = AliasMoves(registry, runs.workspace, compare_here)
    moves.move("m", "best", 2, mover("cli"))
    moves.set_rule("m", "best", str(golden), mover("cli"))
    moves.move("m", "best", 1, mover("cli"))  # a better one
    [newest, *_] = move_entries(registry, "m")
    assert newest.comparison is not None
    assert newest.comparison["images"] == 11
    right, before = newest.comparison["right"], newest.comparison["before"]
    assert isinstance(right, int)
    assert isinstance(before, int)
    assert right > 5 > before
    with pytest.raises(RefusedError, match=r"m@2 is right on \d of 11 golden images"):
        moves.move("m", "best", 2, mover("cli"))
    other = tmp_path / "other/zebra"
    other.mkdir(parents=True)
    soft_picture(70, 66, 1).save(other / "1.png")
    moves.set_rule("m", "best", str(other.parent), mover("cli"))
    with pytest.raises(RefusedError, match="contains no image of a class that m@2 knows"):
        moves.move("m", "best", 2, mover("cli"))
