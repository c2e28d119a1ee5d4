"""Runtimes for single pictures: chosen once, as right as torch, and torch when they fail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from modules.artifacts import TrainedModel, read_json, write_json
from modules.compute.precision import Precision
from modules.compute.switches import VARIABLE
from modules.context import Context
from modules.export.network import load_network, onnx_network
from modules.scoring import backends, runtime_trial
from modules.scoring.backends import PACKAGES, TorchRuntime, installed_runtimes
from modules.scoring.guarded_runtime import GuardedRuntime
from modules.scoring.kept_runtimes import KeptRuntime, RuntimeCache
from modules.scoring.picture_scoring import PictureScorer, open_picture_scorer
from modules.scoring.runtime_rates import TURNS, RuntimeRates, compared_rates
from modules.scoring.runtime_trial import LEAST_GAIN, _gain, choose
from tests.modules.scoring.small import BRANCHING, EDGE, PLAIN, own_model

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="on a GPU torch computes")
INSTALLED = installed_runtimes()
needs_runtimes = pytest.mark.skipif(not INSTALLED, reason="needs the extra onnx or openvino")


def pictures(num: int) -> list[npt.NDArray[np.uint8]]:
    random = np.random.default_rng(0)
    return [random.integers(0, 256, (EDGE, EDGE, 3), np.uint8) for _ in range(num)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return own_model(tmp_path_factory.mktemp("model") / "model")


@pytest.fixture(scope="module")
def content(model: TrainedModel) -> bytes:
    exported = onnx_network(model, load_network(model), (EDGE, EDGE), batch=True)
    return bytes(exported.SerializeToString())


@pytest.fixture
def scorer(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PictureScorer]:
    monkeypatch.delenv(VARIABLE, raising=False)
    with open_picture_scorer(model, Context(tmp_path / "scratch")) as opened:
        yield opened


@needs_runtimes
@pytest.mark.parametrize("name", INSTALLED)
def test_every_number_of_pictures_has_the_probabilities_of_torch(
    name: str, scorer: PictureScorer, content: bytes
) -> None:
    expected = {num: scorer.probabilities(pictures(num)) for num in (1, 2, 3, 64)}
    scorer.change_runtime(scorer.open_runtime(KeptRuntime(name, content)))
    assert scorer.runtime == (name, None)
    for num, expected_NK in expected.items():
        assert np.allclose(scorer.probabilities(pictures(num)), expected_NK, atol=1e-5)


@needs_runtimes
def test_a_choice_is_made_once_and_kept(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RuntimeCache(tmp_path, "key")
    choose(model, cache, 1)
    kept = cache.find()
    assert kept is not None
    assert kept.name in ("torch", *PACKAGES)
    rates = read_json(cache.folder / "key.json")["rates"]
    assert set(rates) == {"1", "4"}
    assert all(set(measured) == {"torch", *INSTALLED} for measured in rates.values())
    monkeypatch.setattr(runtime_trial, "_chosen", None)  # not called
    choose(model, cache, 1)


@needs_runtimes
def test_a_network_that_cannot_be_exported_stays_with_torch(tmp_path: Path) -> None:
    cache = RuntimeCache(tmp_path, "key")
    choose(own_model(tmp_path / "model", BRANCHING), cache, 1)
    kept = cache.find()
    assert kept is not None
    assert (kept.name, kept.content) == ("torch", None)
    assert "Network cannot be exported" in (kept.reason or "")


def test_a_full_disk_is_an_error_before_anything_is_computed(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RuntimeCache, "has_room", lambda *_: False)
    with pytest.raises(OSError, match="No space left"):
        choose(model, RuntimeCache(tmp_path, "key"), 1)


def test_weights_beyond_the_limit_are_not_exported(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_trial, "LARGEST_WEIGHTS_BYTES", 100)
    cache = RuntimeCache(tmp_path, "key")
    choose(model, cache, 1)
    kept = cache.find()
    assert kept is not None
    assert "too large" in (kept.reason or "")


def test_on_a_busy_machine_cpu_time_decides() -> None:
    rates, cpu = {"torch": 10.0, "other": 20.0}, {"torch": 0.01, "other": 0.02}
    assert RuntimeRates(rates, cpu, is_disturbed=False).gain("other", "torch") == 2
    assert RuntimeRates(rates, cpu, is_disturbed=True).gain("other", "torch") == 0.5


def test_a_runtime_must_not_be_much_slower_for_any_number_of_images() -> None:
    assert _gain([1.44, 1.0]) == pytest.approx(1.2)
    assert _gain([2.0, 0.5]) == 0.5 < LEAST_GAIN


@pytest.mark.extended
@needs_runtimes
def test_a_disturbed_choice_of_torch_is_repeated_by_who_knows_it(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speeds = {"torch": 0.01, **dict.fromkeys(INSTALLED, 0.02)}

    def measured(runtimes: dict[str, Any], _images: object) -> RuntimeRates:
        cpu = {name: speeds[name] for name in runtimes}
        return RuntimeRates({name: 1 / cpu[name] for name in cpu}, cpu, is_disturbed=is_busy)

    monkeypatch.setattr(runtime_trial, "compared_rates", measured)
    cache, is_busy, counts = RuntimeCache(tmp_path, "key"), True, []
    for known in (0, 0, 1, 1, 2, 3):
        choose(model, cache, 1, known)
        kept = cache.find()
        assert kept is not None
        assert "Other work" in (kept.reason or "")
        counts.append(kept.num_disturbed)
    assert counts == [1, 1, 2, 2, 3, 4]
    assert kept is not None
    assert (kept.may_repeat, kept.is_final) == (False, False)
    is_busy = False
    speeds |= dict.fromkeys(INSTALLED, 0.001)
    choose(model, cache, 1, 3)  # another process has compared since
    assert cache.find() == kept
    choose(model, cache, 1, 4)
    chosen = cache.find()
    assert chosen is not None
    assert (chosen.name in PACKAGES, chosen.may_repeat) == (True, False)


class Failing:
    """A runtime that works for some calls, then raises or returns NaN."""

    name = "failing"

    def __init__(self, scorer: PictureScorer, calls: int, *, raises: bool) -> None:
        self._torch = scorer.scorer.torch_runtime
        self._calls = calls
        self._raises = raises

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        self._calls -= 1
        if self._calls >= 0:
            return self._torch(images_NCHW)
        if self._raises:
            raise RuntimeError("out of memory")
        return torch.full((len(images_NCHW), 3), float("nan"))


@pytest.mark.parametrize(("raises", "why"), [(True, "out of memory"), (False, "not numbers")])
def test_torch_answers_once_a_runtime_fails(scorer: PictureScorer, raises: bool, why: str) -> None:
    expected_NK = scorer.probabilities(pictures(2))
    torch_runtime = scorer.scorer.torch_runtime
    guarded = GuardedRuntime(torch_runtime, Failing(scorer, 2, raises=raises))
    scorer.change_runtime(guarded)
    for name in ("failing", "torch", "torch"):
        assert np.array_equal(scorer.probabilities(pictures(2)), expected_NK)
        assert scorer.runtime[0] == name
    assert why in str(scorer.runtime[1])


def test_a_runtime_with_other_probabilities_is_rejected_when_opened(scorer: PictureScorer) -> None:
    class Wrong:
        name = "wrong"

        def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            return torch.zeros(len(images_NCHW), 3)

    scorer.change_runtime(GuardedRuntime(scorer.scorer.torch_runtime, Wrong()))
    name, failure = scorer.runtime
    assert name == "torch"
    assert "differ by up to" in str(failure)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"training_parameters": {"reproducible": "on"}}, "Reproducible"),
        ({"precision": "bf16"}, "bf16"),
    ],
)
def test_models_that_stay_with_torch(
    facts: dict[str, Any], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not INSTALLED:
        pytest.skip("needs the extra onnx or openvino")
    monkeypatch.delenv(VARIABLE, raising=False)
    model = own_model(tmp_path / "model", **facts)
    with open_picture_scorer(model, Context(tmp_path / "scratch")) as scorer:
        assert why in str(scorer.why_torch)


def test_without_another_runtime_torch_computes(
    scorer: PictureScorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (scorer.why_torch is None) == bool(INSTALLED)
    monkeypatch.setattr(backends, "installed_runtimes", tuple)
    assert "No other runtime" in str(scorer.why_torch)


def test_other_weights_and_other_threads_have_another_key(
    scorer: PictureScorer, model: TrainedModel, tmp_path: Path
) -> None:
    key = scorer.runtime_key(model)
    other = own_model(tmp_path / "other", PLAIN.replace("nn.ReLU", "nn.GELU"))
    with open_picture_scorer(other, Context(tmp_path / "a")) as opened:
        assert opened.runtime_key(other) != key
    more = (os.cpu_count() or 1) + 1
    with open_picture_scorer(model, Context(tmp_path / "b", threads=more)) as opened:
        assert opened.runtime_key(model) != key
    facts = {**model.description, "classes": ["a", "b", "c"]}
    write_json(other.path / "model.json", facts)
    other.weights_path.write_bytes(model.weights_path.read_bytes())
    same = TrainedModel(other.path)
    with open_picture_scorer(same, Context(tmp_path / "c")) as opened:
        assert opened.runtime_key(same) == key  # names of classes change nothing


@pytest.mark.parametrize(("seconds", "turns"), [(60.0, TURNS), (0.0, 1)])
def test_runtimes_take_turns_until_there_were_enough_or_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, seconds: float, turns: int
) -> None:
    monkeypatch.setattr("modules.scoring.runtime_rates.TURN_SECONDS", seconds)
    fp32, calls = Precision("fp32", "cpu", channels_last=False), list[str]()
    first, second = (torch.nn.Flatten() for _ in range(2))
    first.register_forward_hook(lambda *_: calls.append("first"))
    second.register_forward_hook(lambda *_: calls.append("second"))
    runtimes = {"first": TorchRuntime(first, fp32), "second": TorchRuntime(second, fp32)}
    rates = compared_rates(runtimes, torch.rand(2, 3, 4, 4))
    assert calls == ["first", "second"] * (1 + turns)
    assert all(rate > 0 for rate in rates.images_per_second.values())
