"""S1: what speed costs in accuracy: this project beside a plain loop, seed after seed."""

from __future__ import annotations

import itertools
import math
import shutil
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import pictures
from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Measure,
    Options,
    Report,
    Scenario,
    Spread,
    Spreads,
    alternate,
)
from benchmarks.ours_images import image_directory
from benchmarks.plain_training import Recipe, train_plainly

PLAIN, BF16, FP32 = "a plain loop, fp32", "Pipeline Designer, bf16", "Pipeline Designer, fp32"
ACCURACY = "top-1"
RECIPE = Recipe(size=24, epochs=4, batch_size=64, learning_rate=0.05)
AUGMENTATION: Sequence[Mapping[str, Any]] = (
    {
        "operation": "random_resized_crop",
        "size": RECIPE.size,
        "scale": [0.7, 1],
        "ratio": [0.75, 4 / 3],
    },
    {"operation": "random_horizontal_flip", "p": 0.5},
)
RESIZE: Mapping[str, Any] = {"operation": "resize", "size": RECIPE.size}
MOST_ERRORS, MOST_DEVIATIONS = 1.0, 1.0


@dataclass(frozen=True)
class Dataset:
    """Pictures on two sides, and whether those to learn from are varied."""

    name: str
    sides: pictures.Divided
    is_varied: bool


def measure(options: Options) -> Report:
    """Train every contender with the seeds 1, 2, ... on each data set; one seed a round."""
    recipe = replace(RECIPE, epochs=1, batch_size=16) if options.small else RECIPE
    report = Report(
        "S1",
        "Accuracy",
        f"ResNet-18 from random weights at {recipe.size} pixels, {recipe.epochs} epochs, batches "
        f"of {recipe.batch_size}, SGD with Nesterov momentum; validation accuracy of the epoch "
        "with the lowest validation loss, one seed a round. Precision auto takes bf16 where the "
        "hardware multiplies it, else fp32.",
    )
    for dataset in _datasets(options):
        if options.part not in ("", dataset.name):  # one name is part of the other
            continue
        earlier = options.earlier(dataset.name)
        first_seed = 1 + len(earlier.get(PLAIN, {}).get(ACCURACY, ()))
        contenders = [
            Contender(PLAIN, _plain(dataset, recipe, first_seed)),
            Contender(BF16, _ours(dataset, recipe, "bf16", options.scratch, first_seed)),
            Contender(FP32, _ours(dataset, recipe, "fp32", options.scratch, first_seed)),
        ]
        spreads = alternate(contenders, options.rounds, earlier)
        # No limit of the machine stands beside accuracies.
        scenario = Scenario(dataset.name, spreads, denominator="", unit="validation accuracy")
        report.scenarios.append(scenario)
        report.checks += _checks(dataset.name, spreads)
    return report


def _datasets(options: Options) -> Iterator[Dataset]:
    from modules.datasets.digits import write_digits

    folder = options.scratch
    if options.small:
        yield Dataset(
            "drawn", pictures.divided(pictures.drawn(folder / "all", 60, 32), folder), True
        )
        return
    write_digits(folder / "digits" / "all")
    digits = pictures.divided(folder / "digits" / "all", folder / "digits")
    yield Dataset("digits", digits, is_varied=False)
    yield Dataset("sign-language-digits", pictures.signs(folder / "signs"), is_varied=True)


def _plain(dataset: Dataset, recipe: Recipe, first_seed: int) -> Measure:
    seeds = itertools.count(first_seed)

    def measure_once() -> dict[str, float]:
        return {ACCURACY: train_plainly(dataset.sides, recipe, next(seeds), dataset.is_varied)}

    return measure_once


def _ours(
    dataset: Dataset, recipe: Recipe, precision: str, scratch: Path, first_seed: int
) -> Measure:
    import torch

    from modules.artifacts import TrainedModel, UntrainedModel
    from modules.context import Context
    from modules.training.parameters import TrainParameters
    from modules.training.train_pytorch_model import train_pytorch_model

    store = scratch / f"ours-{dataset.name}-{precision}"
    operations = (RESIZE, *(AUGMENTATION if dataset.is_varied else ()))
    training = image_directory(dataset.sides.train, store / "train", operations)
    validation = image_directory(
        dataset.sides.validation, store / "validation", operations, "For inference"
    )
    model = UntrainedModel.write(_new(store / "model"), recipe.model_json())
    seeds = itertools.count(first_seed)

    def measure_once() -> dict[str, float]:
        seed = next(seeds)
        folder = store / f"seed-{seed}"
        threads = torch.get_num_threads()  # as many as the plain loop has
        context = Context(folder / "staging", cache_dir=store / "cache", threads=threads)
        settings = TrainParameters(
            epochs=recipe.epochs,
            batch_size=recipe.batch_size,
            learning_rate=recipe.learning_rate,
            patience=recipe.epochs,
            random_seed=seed,
            precision=precision,  # type: ignore[arg-type]
        )
        [trained] = train_pytorch_model(model, training, validation, settings, context)
        assert isinstance(trained, TrainedModel)
        accuracy = trained.description["metrics"]["Top-1 validation accuracy"]
        shutil.rmtree(folder)
        return {ACCURACY: accuracy}

    return measure_once


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _checks(name: str, spreads: Spreads) -> list[Check]:
    plain, bf16, fp32 = (spreads[each][ACCURACY] for each in (PLAIN, BF16, FP32))
    return [
        *(
            Check.at_most(
                f"{name}: mean of the plain loop over ours in {precision}, in standard errors",
                lead_in_errors(plain, ours),
                MOST_ERRORS,
            )
            for precision, ours in (("bf16", bf16), ("fp32", fp32))
        ),
        Check.at_most(
            f"{name}: mean of fp32 over bf16, in standard deviations of the seeds",
            lead_in_deviations(fp32, bf16),
            MOST_DEVIATIONS,
        ),
    ]


def lead_in_errors(first: Spread, second: Spread) -> float:
    """How far the first mean is above the second, in standard errors of their difference."""
    error = math.hypot(
        *(_deviation(each) / math.sqrt(len(each.samples)) for each in (first, second))
    )
    return _lead(first, second) / max(error, _smallest(first))


def lead_in_deviations(first: Spread, second: Spread) -> float:
    """The same in standard deviations of the first one's samples."""
    return _lead(first, second) / max(_deviation(first), _smallest(first))


def _lead(first: Spread, second: Spread) -> float:
    return statistics.fmean(first.samples) - statistics.fmean(second.samples)


def _deviation(spread: Spread) -> float:
    return statistics.stdev(spread.samples) if len(spread.samples) > 1 else 0.0


def _smallest(spread: Spread) -> float:
    """Accuracies that are all the same still have some doubt about them."""
    if not all(math.isfinite(each) for each in spread.samples):
        raise BenchmarkError("A training gave no accuracy. Look at what it printed.")
    return 1e-4
