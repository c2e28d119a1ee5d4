"""A network compiled for full batches only."""

from __future__ import annotations

from functools import partial

import pytest
import torch
from torch import nn

from modules.compute.compile import compiled_for_full_batches


def test_only_full_batches_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def noted(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> object:
        sizes.append(max(len(each) for each in inputs if each.ndim == 4))
        return graph.forward

    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=noted))
    network = nn.Sequential(nn.Conv2d(3, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
    compiled = compiled_for_full_batches(network, batch_size=4)
    assert [*compiled.parameters()] == [*network.parameters()]
    compiled.eval()
    for num in (4, 3, 4, 1):
        images = torch.rand(num, 3, 8, 8)
        assert compiled(images).equal(network(images))
    assert sizes == [4]
