"""A model from few photographs: the work of A10, and the network that every peer starts from.

A script reads the ``FewWork``, calls ``Clock.judged`` after each validation, and ``Clock.finish``
at the end of its own recipe.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.peers.telling import tell, versions_of

if TYPE_CHECKING:
    from torch import nn

NETWORK, PIXELS = "tf_efficientnet_lite0", 224
MEAN, STD = (0.498,) * 3, (0.502,) * 3


@dataclass(frozen=True)
class FewWork:
    """What is trained on what."""

    pictures: Path
    """Holds ``train`` and ``validation``, each with a folder a class."""
    folder: Path
    weights: Path
    """A list of the network's tensors, in the order of its layers."""
    seed: int
    accuracy: float

    @property
    def train(self) -> Path:
        return self.pictures / "train"

    @property
    def validation(self) -> Path:
        return self.pictures / "validation"

    @property
    def num_classes(self) -> int:
        return sum(folder.is_dir() for folder in self.train.iterdir())


def read_few_work() -> FewWork:
    """The work that the command line asks for."""
    parser = argparse.ArgumentParser()
    for name in ("pictures", "folder", "weights"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--accuracy", type=float, required=True)
    work = FewWork(**vars(parser.parse_args()))
    work.folder.mkdir(parents=True, exist_ok=True)
    return work


def load_in_order(body: nn.Module, weights: Path) -> None:
    """Load the tensors into the layers of timm's network, which are in the same order."""
    import torch

    state = body.state_dict()
    tensors = torch.load(weights, weights_only=True)[: len(state)]
    if [tensor.shape for tensor in tensors] != [tensor.shape for tensor in state.values()]:
        raise SystemExit("timm's network has other layers than the weights. Mend load_in_order.")
    body.load_state_dict(dict(zip(state, tensors, strict=True)))


def new_body(work: FewWork) -> nn.Module:
    """timm's network without its head, with the weights."""
    import timm

    body: nn.Module = timm.create_model(NETWORK, num_classes=0)
    load_in_order(body, work.weights)
    return body


@dataclass
class Clock:
    """Time at which the wanted accuracy was reached."""

    work: FewWork
    reached: float | None = None
    accuracy: float = 0.0
    epochs: int = field(default=0)

    def judged(self, accuracy: float) -> bool:
        """A validation is over; True where the accuracy is reached."""
        self.accuracy, self.epochs = float(accuracy), self.epochs + 1
        if self.reached is None and self.accuracy >= self.work.accuracy:
            self.reached = time.perf_counter()
        return self.reached is not None

    def finish(self, *packages: str, **more: Any) -> None:
        """Tell what was found; ``after``: seconds since the accuracy was reached."""
        now = time.perf_counter()
        after = 0.0 if self.reached is None else now - self.reached
        tell(
            {
                "accuracy": self.accuracy,
                "epochs": self.epochs,
                "after": after,
                "versions": versions_of(*packages),
                **more,
            }
        )
