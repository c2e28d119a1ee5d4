"""This project's side of the training benchmarks: Train PyTorch Model, called as a function."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from benchmarks.ours_images import image_directory
from benchmarks.peers.telling import tell
from benchmarks.peers.training import CROP_SCALE, RATE, Clock, Work, read_work
from modules.artifacts import ImageDirectory, UntrainedModel
from modules.context import Context, Report
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model

ACCURACY = "Top-1 validation accuracy"


class Listener:
    """Tells the clock when an epoch is over, and remembers what the module says of itself."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.metrics: dict[str, list[float]] = defaultdict(list)
        self.seconds = 0.0

    def __call__(self, event: Report) -> None:
        """Take in an event of the module."""
        if event["kind"] == "work":
            self.seconds = event["seconds"]
        elif event["kind"] == "metric":
            self.metrics[event["name"]].append(event["value"])
            if event["name"] == ACCURACY:
                self.clock.epoch(event["value"])

    def facts(self, num_training: int) -> dict[str, float]:
        """Images/s of training alone, the share of neither that nor validating, and the losses."""
        rates, losses = self.metrics["Train images per second"], self.metrics["Train loss"]
        [validating] = self.metrics["Time validating"]
        training = sum(num_training / rate for rate in rates) / self.seconds
        return {
            "steps": statistics.median(rates[1:] or rates),
            "turnover": 1 - training - validating,
            "first loss": losses[0],
            "last loss": losses[-1],
        }


def data_sets(work: Work) -> tuple[ImageDirectory, ImageDirectory]:
    """The pictures to train on and to validate with, as the modules make them."""
    edge = work.resized
    square = [{"operation": "resize", "size": edge}, {"operation": "center_crop", "size": edge}]
    crop = {
        "operation": "random_resized_crop",
        "size": work.size,
        "scale": list(CROP_SCALE),
        "ratio": [3 / 4, 4 / 3],
    }
    flip = {"operation": "random_horizontal_flip", "p": 0.5}
    plain = [square[0], {"operation": "center_crop", "size": work.size}]
    return (
        image_directory(
            work.train, work.folder / "train", [*square * work.is_cut_from_square, crop, flip]
        ),
        image_directory(work.validation, work.folder / "validation", plain, "For inference"),
    )


def untrained_model(work: Work) -> UntrainedModel:
    """The recipe of the network, with random weights."""
    from modules.models.recipe import Recipe

    recipe = Recipe(family="", architecture=work.network)
    folder = Context(work.folder / "model").new_folder()
    return UntrainedModel.write(folder, recipe.to_json())


def settings(work: Work, num_ranks: int = 1) -> TrainParameters:
    """What all contenders train with, ranks together; patience never ends it."""
    return TrainParameters(
        epochs=work.epochs,
        batch_size=work.batch_size // num_ranks,
        learning_rate=RATE / num_ranks,
        random_seed=work.seed,
        patience=work.epochs,
        label_smoothing=0.0,
    )


def train(
    work: Work,
    model: UntrainedModel,
    given: tuple[ImageDirectory, ImageDirectory],
    clock: Clock,
    **ranks: Any,
) -> Mapping[str, object]:
    """Train, and give how fast and how well; ``ranks`` tell a context of several which it is of."""
    listener = Listener(clock)
    context = Context(
        work.folder / "trained",
        checkpoint_dir=work.folder / "checkpoints",
        cache_dir=work.folder / "cache",
        emit=listener,
        **ranks,
    )
    train_pytorch_model(model, *given, settings(work, context.world_size), context)
    if not context.is_first_rank:
        return {}
    clock.marks[-1] = time.perf_counter() - clock.started
    return clock.facts(**listener.facts(work.num_pictures(work.train)))


def main() -> None:
    """Train, and print how fast and how well."""
    import torchvision  # noqa: F401 - a warm runner holds it

    work = read_work()
    given, model = data_sets(work), untrained_model(work)
    tell(train(work, model, given, Clock(work, "pipeline-designer")))


if __name__ == "__main__":
    main()
