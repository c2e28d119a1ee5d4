"""A10: from a few photographs and a pretrained network to a model that is tested."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import pictures
from benchmarks.a3_accuracy import evaluated_accuracy
from benchmarks.graph_documents import pretrained_document
from benchmarks.harness import (
    BenchmarkError,
    Bound,
    Check,
    Contender,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
    only,
)
from benchmarks.memory_watch import peak_megabytes
from benchmarks.processes import run_peer, time_designer

OURS = "Pipeline Designer"
PEERS = {
    "sklearn": "scikit-learn on features",
    "fastai": "fastai with timm",
    "torchvision": "torchvision's tutorial loop",
}
"""Scripts ``few_*`` of ``benchmarks.peers``; the last two train the network."""
ACCURACY = 0.9
MIN_TIMES_BEST = Bound(5.0, floor=1.2)
TESTED, REACHED, MEMORY, FOUND = "tested model", "to 0.9", "memory", "accuracy"


WORK = {"photographs of birds and dogs": 23, "pictures of hands that show a digit": 1031}
"""What is learned, with the number of training images; as many others are tested."""


def measure(options: Options) -> Report:
    """The same photographs, split, and pretrained weights for all."""
    report = Report(
        "A10",
        "A model from few photographs",
        "EfficientNet-Lite0 with ImageNet weights at 224 pixels, tested on as many other images as "
        f"it is trained on: from the start of the command to an accuracy of {ACCURACY}, and to its "
        "end. Ours: `designer run` in a fresh workspace. Memory: shared pages are divided.",
    )
    weights = _weights(options.scratch)
    for name, num_training in WORK.items():
        if options.has(name):
            _measure(f"{num_training} {name}", _images(name, options), weights, report, options)
    return report


def _images(name: str, options: Options) -> Path:
    place = options.scratch / name.replace(" ", "-")
    if options.small:
        pictures.halved(pictures.drawn(place / "all", 24), place)
    elif name.startswith("photographs"):
        pictures.birds_and_dogs(place)
    else:
        pictures.halved_signs(place)
    return place


def _measure(name: str, place: Path, weights: Path, report: Report, options: Options) -> None:
    contenders = [
        Contender(OURS, _ours(place, options)),
        *(
            Contender(title, _peer(report, f"few_{peer}", place, weights, options))
            for peer, title in PEERS.items()
            if options.wants(peer)
        ),
    ]
    spreads = alternate(contenders, options.rounds, options.earlier(name))
    report.scenarios += [
        Scenario(name, only(spreads, TESTED, REACHED), OURS),
        Scenario(f"{name}: peak memory", only(spreads, MEMORY), OURS, "MB"),
        Scenario(f"{name}: accuracy at the end", only(spreads, FOUND), OURS, "of 1"),
    ]
    trained = [
        spreads[title][REACHED].median
        for peer, title in PEERS.items()
        if title in spreads and peer != "sklearn"
    ]
    if trained:
        times = min(trained) / spreads[OURS][REACHED].median
        claim = f"{name}: times as fast as the best training peer to an accuracy of {ACCURACY}"
        report.checks.append(Check.at_least(claim, times, MIN_TIMES_BEST))


def _weights(scratch: Path) -> Path:
    """A file with a list of the included weights, in the order of layers, which is timm's too."""
    import torch

    from modules.models.build import build_model
    from modules.models.recipe import Recipe

    recipe = Recipe(family="", architecture="efficientnet_lite0", pretrained=True)
    network = build_model(recipe, 2, weights_dir=None, seed=0)
    path = scratch / "weights.pt"
    torch.save(list(network.state_dict().values()), path)
    return path


def _ours(place: Path, options: Options) -> Callable[[], Sample]:
    numbers = itertools.count(options.first_round)

    def run() -> Sample:
        folder = options.scratch / f"few-{next(numbers)}"
        folder.mkdir()
        path = folder / "few.json"
        path.write_text(json.dumps(pretrained_document(place)))
        try:
            with peak_megabytes(folder) as memory:
                seconds = time_designer("run", path, "--workspace", folder)
            accuracy = evaluated_accuracy(folder)
            _require(OURS, accuracy, options)
        finally:
            time_designer("runner", "stop", "--workspace", folder)
            shutil.rmtree(folder)
        return _sample(seconds, seconds, memory.peak, accuracy)

    return run


def _peer(
    report: Report, script: str, place: Path, weights: Path, options: Options
) -> Callable[[], Sample]:
    numbers = itertools.count(options.first_round)

    def run() -> Sample:
        seed = next(numbers)
        folder = options.scratch / f"{script}-{seed}"
        wanted = 0.01 if options.small else ACCURACY
        work: Sequence[str | Path] = [
            *("--pictures", place, "--folder", folder, "--weights", weights),
            *("--seed", str(seed), "--accuracy", str(wanted)),
        ]
        with peak_megabytes(folder) as memory:
            facts = run_peer(script, *work)
        report.note_versions(facts)
        shutil.rmtree(folder, ignore_errors=True)
        _require(script, facts["accuracy"], options)
        seconds = facts["cold_seconds"]
        return _sample(seconds, seconds - facts["after"], memory.peak, facts["accuracy"])

    return run


def _sample(seconds: float, reached: float, megabytes: float, accuracy: float) -> Sample:
    return {TESTED: seconds, REACHED: reached, MEMORY: megabytes, FOUND: accuracy}


def _require(name: str, accuracy: float, options: Options) -> None:
    if accuracy < ACCURACY and not options.small:
        raise BenchmarkError(f"{name} only reached an accuracy of {accuracy:.3f}. Measure again.")
