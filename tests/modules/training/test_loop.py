"""What a step of training waits for, alone and with others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils._python_dispatch import TorchDispatchMode

from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.timing import COMMUNICATING, Stopwatch
from modules.context import Context
from modules.image_loading.prefetch import BatchReader
from modules.models.recipe import Recipe, recipe_of
from modules.training.early_stopping import Deadline
from modules.training.epoch import Epoch, training_plan
from modules.training.metrics import Averages, Sums
from modules.training.parameters import TrainParameters
from modules.training.report import Report
from modules.training.setup import _network, open_session
from tests.modules.training.noise import noise_squares, untrained

NUM_ITERATIONS = 12


class NumbersTaken(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch gives no types
    """Counts how often Python takes a number out of a tensor: on a GPU it waits for all before."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch gives no types
        self.count = 0

    def __torch_dispatch__(
        self,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        self.count += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


def test_the_loop_takes_no_number_from_the_device_but_when_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("modules.training.report.PROGRESS_SECONDS", float("inf"))
    read, num_read = Sums.read, 0

    def noted(self: Sums, *given: Any, **options: Any) -> Averages:
        nonlocal num_read
        num_read += 1
        return read(self, *given, **options)

    monkeypatch.setattr(Sums, "read", noted)
    dataset = noise_squares(tmp_path / "store/a/out")
    recipe = recipe_of(untrained(tmp_path / "recipe", "shufflenet_v2_x0_5"))
    context = Context(tmp_path / "staging", cache_dir=tmp_path / "cache", threads=1)
    settings = TrainParameters(batch_size=2, print_frequency=4, epochs=1)
    with (
        process_group(context) as group,
        open_session(recipe, dataset, dataset, settings, group) as session,
        closing(BatchReader([training_plan(session, 1)])) as reader,
        NumbersTaken() as taken,
    ):
        assert session.optimisation.iterations_per_epoch == NUM_ITERATIONS
        epoch = Epoch(session, 1, Report(session, 0), Deadline(context, 0, 0.0), None)
        epoch.run(reader.next_pass())
        assert taken.count == 0
        torch.ones(1).item()
        assert taken.count == 1, "it would have been seen"
    assert capsys.readouterr().out.count("iteration ") == NUM_ITERATIONS // 4
    assert num_read == NUM_ITERATIONS // 4 + 1, "and once for the whole epoch"


@pytest.fixture
def group(tmp_path: Path) -> Iterator[ProcessGroup]:
    """A group that counts two processes, though only this one is connected."""
    dist.init_process_group("gloo", f"file://{tmp_path}/meeting", rank=0, world_size=1)
    yield ProcessGroup(Context(tmp_path, world_size=2), torch.device("cpu"))
    dist.destroy_process_group()


@pytest.mark.parametrize(("architecture", "static"), [("resnet18", True), ("googlenet", False)])
def test_gradients_are_views_of_what_is_sent_and_the_waiting_is_told(
    group: ProcessGroup, architecture: str, static: bool
) -> None:
    learner, watch = nn.Sequential(nn.Linear(6, 5), nn.Linear(5, 4)), Stopwatch()
    recipe = Recipe(family="test", architecture=architecture)
    network = _network(learner, recipe, TrainParameters(), 100, group, watch)
    assert isinstance(network, DistributedDataParallel)
    assert network.static_graph == static
    assert network.gradient_as_bucket_view
    for _ in range(2):
        network(torch.rand(3, 6)).sum().backward()
    gradients = [each.grad for each in learner.parameters() if each.grad is not None]
    buffers = {each.untyped_storage().data_ptr() for each in gradients}
    assert len(gradients) == len([*learner.parameters()])
    assert len(buffers) == 1, "of all layers one buffer, which is sent as it is"
    assert watch.shares()[COMMUNICATING] > 0
