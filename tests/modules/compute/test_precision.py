"""The number format that suits the device and the wish."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import torch

from modules.compute.precision import (
    FAST_BF16,
    Precision,
    abilities_in,
    choose_precision,
    cpu_abilities,
    fastest_format,
)
from modules.context import Context, Report

CPU = torch.device("cpu")
X86 = """
processor\t: 0
model name\t: A processor @ 2.00GHz
flags\t\t: fpu sse2 avx2 avx512f {more}
bugs\t\t: spectre_v1 bf16

processor\t: 1
flags\t\t: fpu sse2 avx2 avx512f {more}
"""
ARM = """
processor\t: 0
BogoMIPS\t: 2100.00
Features\t: fp asimd sve {more} i8mm
CPU implementer\t: 0x41
"""


@pytest.mark.parametrize(
    ("description", "fast"),
    [
        (X86.format(more="avx512_bf16"), True),
        (X86.format(more="amx_tile amx_bf16"), True),
        (X86.format(more="avx512_vnni amx_int8"), False),
        (ARM.format(more="bf16"), True),
        (ARM.format(more="sha512"), False),
        ("", False),
    ],
)
def test_bf16_is_fast_where_the_processor_says_that_it_multiplies_it(
    description: str, fast: bool
) -> None:
    assert bool(abilities_in(description) & FAST_BF16) == fast


@pytest.mark.parametrize(
    ("abilities", "fast"),
    [
        ({"architecture": "x86_64", "avx512_bf16": True}, True),
        ({"architecture": "x86_64", "avx512_bf16": False, "amx_bf16": True}, True),
        ({"architecture": "x86_64", "avx2": True, "avx512_bf16": False}, False),
        ({"architecture": "aarch64", "neon": True, "bf16": True}, True),
        ({"architecture": "aarch64", "neon": True, "bf16": False}, False),
    ],
)
def test_torch_is_asked_first(
    monkeypatch: pytest.MonkeyPatch, abilities: dict[str, Any], fast: bool
) -> None:
    monkeypatch.setattr(
        torch.cpu, "get_capabilities", lambda: MappingProxyType(abilities), raising=False
    )
    assert fastest_format(CPU) == ("bf16" if fast else "fp32")


def test_an_older_torch_is_not_needed_to_know_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = cpu_abilities()
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    if Path("/proc/cpuinfo").exists():
        assert FAST_BF16 & cpu_abilities() == FAST_BF16 & known


@pytest.mark.parametrize(
    ("ability", "name"),
    [((6, 1), "fp32"), ((7, 0), "fp16"), ((7, 5), "fp16"), ((8, 0), "bf16"), ((9, 0), "bf16")],
)
def test_a_gpu_takes_what_its_tensor_cores_multiply(
    monkeypatch: pytest.MonkeyPatch, ability: tuple[int, int], name: str
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: ability)
    assert fastest_format(torch.device("cuda", 0)) == name


def _chosen(wanted: str, events: list[Report] | None = None, **facts: Any) -> Precision:
    given: dict[str, Any] = {"size": (64, 64), "num_weights": 11_000_000} | facts
    context = Context(Path("unused"), emit=(events if events is not None else []).append)
    return choose_precision(wanted, CPU, context=context, **given)


@pytest.mark.parametrize(("fast", "name"), [(True, "bf16"), (False, "fp32")])
def test_auto_takes_bf16_where_it_is_fast_and_nothing_must_repeat_bit_for_bit(
    monkeypatch: pytest.MonkeyPatch, fast: bool, name: str
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": fast}, raising=False)
    assert _chosen("auto").name == name
    assert _chosen("auto", reproducible=True).name == "fp32"
    assert _chosen("fp32").name == "fp32"
    assert _chosen("bf16").name == "bf16", "as the user wishes"


def test_fp16_without_a_gpu_is_told_and_replaced() -> None:
    events: list[Report] = []
    assert _chosen("fp16", events).name == "fp32"
    assert "needs a GPU" in events[0]["message"]


def test_autocast_and_scaling_are_those_of_the_format() -> None:
    product = torch.ones(2, 2), torch.ones(2, 2)
    for name, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        precision = Precision(name, "cpu", channels_last=True)
        with precision.autocast():
            assert torch.mm(*product).dtype == dtype
        assert precision.scaler() is None
    assert Precision("fp16", "cpu", channels_last=True).scaler() is not None


@pytest.mark.parametrize(
    ("edge", "num_weights", "channels_last"),
    [(64, 11_000_000, True), (32, 11_000_000, False), (32, 8_000_000, True)],
)
def test_a_cpu_reorders_weights_where_that_pays(
    edge: int, num_weights: int, channels_last: bool
) -> None:
    chosen = _chosen("fp32", size=(edge, 2 * edge), num_weights=num_weights)
    assert chosen.channels_last == channels_last
