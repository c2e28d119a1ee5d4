"""Runtimes beside torch: as right as torch, chosen by what is measured, remembered."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
import torch
from torch import nn

from modules.catalog_spec import module_spec
from modules.compute.precision import Precision
from modules.scoring import backend_selection as choosing
from modules.scoring.backend_selection import BackendChoice, BackendSelector
from modules.scoring.backends import (
    Runtime,
    TorchRuntime,
    exported,
    installed_runtimes,
    open_exported,
)
from modules.scoring.score_image_model import score_image_model

pytestmark = pytest.mark.extended

FP32 = Precision("fp32", "cpu", channels_last=False)
INSTALLED = installed_runtimes()
needs_runtimes = pytest.mark.skipif(not INSTALLED, reason="needs the extra onnx or openvino")


@pytest.fixture(scope="module")
def network() -> nn.Module:
    torch.manual_seed(0)
    layers = (nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(32, 5)).eval()


@pytest.fixture(scope="module")
def content(network: nn.Module) -> bytes:
    with torch.inference_mode():
        return exported(network, images(8))


def images(num: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    images_NCHW = torch.randn(num, 3, 16, 16, generator=generator)
    return images_NCHW.to(memory_format=torch.channels_last)


@needs_runtimes
@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("num", [8, 3, 1])
def test_an_exported_model_gives_torchs_logits_for_whole_and_short_batches(
    name: str, num: int, network: nn.Module, content: bytes
) -> None:
    runtime = open_exported(name, content, 8, 1, FP32)
    with torch.inference_mode():
        expected_NK = network(images(num))
        assert torch.allclose(runtime(images(num)), expected_NK, atol=1e-5)


@needs_runtimes
def test_the_fastest_is_taken_told_and_remembered(tmp_path: Path, network: nn.Module) -> None:
    torch_runtime = TorchRuntime(network, FP32)
    with torch.inference_mode():
        found = BackendSelector(tmp_path, {"model": 1}, 1).choose(torch_runtime, images(8), 100.0)
    assert set(found.rates) == {"torch", *INSTALLED}
    assert found.rates[found.runtime.name] == max(found.rates.values())
    assert f"{found.runtime.name} scores (torch " in str(found)
    [kept] = (tmp_path / "runtimes").iterdir()
    assert json.loads(kept.read_text(encoding="utf-8"))["runtime"] == found.runtime.name

    kept.write_text(json.dumps({"runtime": INSTALLED[-1]}), encoding="utf-8")
    with torch.inference_mode():
        again = BackendSelector(tmp_path, {"model": 1}, 1).choose(torch_runtime, images(8), 100.0)
    assert set(again.rates) == {"torch", INSTALLED[-1]}


def test_with_little_left_to_score_torch_goes_on(tmp_path: Path, network: nn.Module) -> None:
    torch_runtime = TorchRuntime(network, FP32)
    found = BackendSelector(tmp_path, {}, 1).choose(torch_runtime, images(8), 1.0)
    assert (found.runtime, found.rates) == (torch_runtime, {})
    assert not list(tmp_path.iterdir())


def test_where_torch_won_before_nothing_is_tried_again(tmp_path: Path, network: nn.Module) -> None:
    torch_runtime, chooser = TorchRuntime(network, FP32), BackendSelector(tmp_path, {}, 1)
    chooser._remember(BackendChoice(torch_runtime, {"torch": 5.0}))
    assert chooser.choose(torch_runtime, images(8), 1e9).rates == {}


def test_a_runtime_that_gives_other_probabilities_is_refused(network: nn.Module) -> None:
    class Swift:
        name = "swift"

        def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            return torch.zeros(len(images_NCHW), 5)

    runtime: Runtime = Swift()
    choice = BackendChoice(TorchRuntime(network, FP32), {"torch": 1e-9})
    with torch.inference_mode():
        expected_NK = network(images(8)).softmax(dim=1)
        choosing._compare(choice, runtime, images(8), expected_NK, "fp32")
    assert choice.runtime.name == "torch"
    assert re.search(r"differ by up to \d", choice.refused["swift"])


def test_a_model_no_exporter_knows_is_scored_by_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Odd(nn.Module):
        def forward(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            first = float(images_NCHW[0, 0, 0, 0])  # depends on a value: cannot be traced
            return images_NCHW.mean(dim=(2, 3)) * (1 if first > 1e9 else 2)

    monkeypatch.setattr(choosing, "installed_runtimes", lambda: ("ONNX Runtime",))
    torch_runtime = TorchRuntime(Odd(), FP32)
    with torch.inference_mode():
        found = BackendSelector(tmp_path, {}, 1).choose(torch_runtime, images(4), 100.0)
    assert found.runtime is torch_runtime
    assert "ONNX Runtime" in found.refused


def test_another_version_or_a_new_runtime_is_tried_again(
    tmp_path: Path, network: nn.Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    def known() -> str | None:
        return BackendSelector(tmp_path, {}, 1)._remembered()

    BackendSelector(tmp_path, {}, 1)._remember(
        BackendChoice(TorchRuntime(network, FP32), {"torch": 5.0})
    )
    assert known() == "torch"
    with monkeypatch.context() as patch:
        patch.setattr(
            choosing, "versions_of", lambda names: {"torch": "99.0", **dict.fromkeys(names)}
        )
        assert known() is None
    with monkeypatch.context() as patch:
        fewer = () if INSTALLED else ("ONNX Runtime",)
        patch.setattr(choosing, "installed_runtimes", lambda: fewer)
        assert known() is None
    assert known() == "torch"


def test_what_was_not_tried_is_not_remembered(
    tmp_path: Path, network: nn.Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "installed_runtimes", tuple)
    with torch.inference_mode():
        found = BackendSelector(tmp_path, {}, 1).choose(
            TorchRuntime(network, FP32), images(8), 100.0
        )
    assert set(found.rates) == {"torch"}
    assert not (tmp_path / "runtimes").exists()


def test_the_tolerance_is_stated_where_users_read() -> None:
    text = " ".join(module_spec(score_image_model).description.split())
    assert f"{choosing.TOLERANCES['fp32']:.4f} (fp32)" in text
    assert f"{choosing.TOLERANCES['bf16']:.2f} (bf16)" in text


def test_a_measurement_keeps_to_its_budget(network: nn.Module) -> None:
    calls = []

    class Slow:
        name = "slow"

        def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            calls.append(len(images_NCHW))
            time.sleep(0.02)
            logits_NK: torch.Tensor = network(images_NCHW)
            return logits_NK

    runtime: Runtime = Slow()
    assert choosing.rate_of(runtime, images(8), budget_seconds=0.0) > 0
    assert len(calls) == 1
    choosing.rate_of(runtime, images(8))
    assert len(calls) == 1 + 4
