"""A2: training end to end, from a folder of pictures to a model with its checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import pictures
from benchmarks.harness import (
    Bound,
    Check,
    DisagreementError,
    Options,
    Report,
    Scenario,
    Spreads,
    alternate,
    only,
)
from benchmarks.peers.training import Work
from benchmarks.training_contenders import (
    ADVISED,
    OURS,
    PEERS,
    PLAIN,
    RANKS,
    STEPS,
    Trainings,
)

MIN_TIMES_BEST = Bound(2.0, floor=1.0)
MIN_TIMES_ADVISED = Bound(1.7, floor=1.0)
MIN_OF_STEPS = Bound(0.95, floor=0.85)
MAX_TURNOVER = 0.02
MIN_OF_ONE_RANK = Bound(0.9, floor=0.7)
"""Two processes of one thread each, on the same batches, beside one of two threads."""
MAX_ACCURACY_LOST = 0.05
"""Of ours against the plain loop, beyond the spread that its seeds have."""
COLUMNS: Mapping[str, str] = {
    "end to end": "rate",
    "training alone": "steps",
    "accuracy": "accuracy",
    "turnover": "turnover",
    "at its peak": "megabytes",
}


@dataclass(frozen=True)
class Training:
    """A network and what it learns."""

    network: str
    pictures: str
    size: int
    batch_size: int
    epochs: int
    peers: tuple[str, ...]
    in_ranks: bool = False
    """True where ours is measured in two processes too."""


FULL = (
    Training("resnet18", "signs", 64, 32, 4, tuple(PEERS), in_ranks=True),
    Training("densenet121", "signs", 64, 32, 2, ("timm", "lightning", "fastai")),
    Training("resnet50", "photos", 224, 16, 2, ("timm", "lightning")),
)
SMALL = (Training("resnet18", "drawn", 32, 8, 1, tuple(PEERS), in_ranks=True),)
FEW, PHOTOS = 20, 250


def measure(options: Options) -> Report:
    """Train every network on its pictures with every contender in turn."""
    report = Report(
        "A2",
        "Train",
        "Folders of JPEGs: epochs of training, validation and checkpoint, with SGD, random crops "
        "and flips; images/s count both sides. Sign language digits at 64 pixels (ResNet-18: 4 "
        "epochs, DenseNet-121: 2), 250 photographs at 224 (ResNet-50: 2); the first epoch does "
        "not count. Another seed each round.",
    )
    for training in SMALL if options.small else FULL:
        if options.has(training.network):
            _train(report, training, options)
    return report


def _train(report: Report, training: Training, options: Options) -> None:
    folder = options.scratch / training.network
    work = _work(training, _pictures(training.pictures, folder), folder)
    trainings = Trainings(work, report, options.first_round)
    contenders = [
        trainings.plain(COLUMNS),
        trainings.ours(COLUMNS),
        trainings.steps({"training alone": "rate"}),
        *([trainings.ranks(COLUMNS)] if training.in_ranks else []),
        trainings.advised(COLUMNS),
        *(trainings.peer(peer, COLUMNS) for peer in training.peers if options.wants(peer)),
    ]
    name = f"{training.network}, {training.size} pixels"
    spreads = alternate(contenders, options.rounds, options.earlier(f"{name}:"))
    rates = only(spreads, "end to end", "training alone")
    shares = only(spreads, "accuracy", "turnover")
    report.scenarios += [
        Scenario(f"{name}: speed", rates, STEPS, "images/s"),
        Scenario(f"{name}: shares", shares, STEPS, "of 1"),
        Scenario(f"{name}: memory", only(spreads, "at its peak"), STEPS, "megabytes"),
    ]
    report.checks += _checks(training.network, spreads)
    if not options.small:
        _agree(spreads)


def _pictures(name: str, folder: Path) -> Path:
    """A folder with the pictures to learn from and those to be judged by."""
    place = folder / "pictures"
    if name == "signs":
        pictures.signs(place)
    elif name == "photos":
        pictures.divided(pictures.photos(place / "all", PHOTOS), place)
    else:
        pictures.divided(pictures.drawn(place / "all", FEW), place)
    return place


def _work(training: Training, place: Path, folder: Path) -> Work:
    return Work(
        pictures=place,
        folder=folder,
        network=training.network,
        size=training.size,
        batch_size=training.batch_size,
        epochs=training.epochs,
        seed=0,
        workers=0 if training.pictures == "drawn" else 2,
    )


def _checks(network: str, spreads: Spreads) -> list[Check]:
    rates = {name: found["end to end"].median for name, found in spreads.items() if name != STEPS}
    not_peers = (OURS, RANKS, PLAIN + ADVISED)
    peers = {name: rate for name, rate in rates.items() if name not in not_peers}
    of_steps = spreads[OURS]["training alone"].median / spreads[STEPS]["training alone"].median
    return [
        Check.at_least(
            f"{network}: times as fast as the best peer",
            rates[OURS] / max(peers.values()),
            MIN_TIMES_BEST,
        ),
        Check.at_least(
            f"{network}: times as fast as {PLAIN} with our environment and no workers",
            rates[OURS] / rates[PLAIN + ADVISED],
            MIN_TIMES_ADVISED,
        ),
        Check.at_least(
            f"{network}: training, in steps on images in memory", of_steps, MIN_OF_STEPS
        ),
        Check.at_most(
            f"{network}: share of neither training nor validating",
            spreads[OURS]["turnover"].median,
            MAX_TURNOVER,
        ),
        *_checks_of_ranks(network, rates),
    ]


def _checks_of_ranks(network: str, rates: Mapping[str, float]) -> Iterator[Check]:
    if RANKS in rates:
        of_one = rates[RANKS] / rates[OURS]
        yield Check.at_least(f"{network}: two ranks, in rates of one", of_one, MIN_OF_ONE_RANK)


def _agree(spreads: Spreads) -> None:
    """Ours must learn what the plain loop learns, within the spread of its seeds."""
    plain = spreads[PLAIN]["accuracy"]
    least = plain.low - (plain.high - plain.low) - MAX_ACCURACY_LOST
    for name in {OURS, RANKS} & spreads.keys():
        found = spreads[name]["accuracy"].median
        if found < least:
            raise DisagreementError(name, f"an accuracy of {found:.3f}", f"at least {least:.3f}")
