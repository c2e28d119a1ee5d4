"""A2b: trainings while other processes keep the cores busy, and several trainings at once."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import pictures
from benchmarks.harness import (
    Bound,
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    Spreads,
    alternate,
)
from benchmarks.machine import describe_machine
from benchmarks.peers.training import Work
from benchmarks.processes import run_ours, run_peer, run_plain
from benchmarks.training_contenders import OURS, PEERS, PLAIN, STEPS, Start, Trainings, busy_cores
from pipelines.workers.preloads import TORCH_ENVIRONMENT

SPINNING = f"{OURS}, threads that never sleep"
BUSY = {"alone": 0, "next to one": 1, "next to two": 2}
AT_ONCE = {"two at once": 2, "four at once": 4}
Loads = tuple[str, ...]
NETWORKS = {"densenet121": 32, "resnet18": 64, "mobilenet_v3_large": 96, "resnet50": 128}
"""Trained at so many pixels."""
NUM_PICTURES = 512
NUM_PICTURES_OF = {"resnet50": 192}
"""Fewer for a large network: an epoch takes ten times as long as one of the others.

Its loss does not fall yet in so few steps. No number leaves a batch of one, which torchvision
cannot train at 32 pixels.
"""
MIN_OF_FAIR_SHARE = Bound(0.8, floor=0.65)
MIN_ALONE = Bound(0.97, floor=0.9)
"""Of the rate with threads that never sleep."""
MIN_AT_ONCE = {"two at once": Bound(0.9, floor=0.8), "four at once": Bound(0.85, floor=0.75)}
"""Of the rate of one alone, all together."""


def measure(options: Options) -> Report:
    """Every contender alone, next to one and two processes that never pause; ours also at once."""
    small = options.small
    report = Report(
        "A2b",
        "Train, busy",
        f"Trainings on {NUM_PICTURES} pictures (ResNet-50: {NUM_PICTURES_OF['resnet50']}) while "
        "0, 1 or 2 other processes compute without a pause, and 2 or 4 of ours at once: the second "
        "of two epochs, at once their sum, though these epochs overlap only in part.",
    )
    loads = tuple(BUSY)[:2] if small else tuple(BUSY)
    for network, size in {"resnet18": 32}.items() if small else NETWORKS.items():
        if not options.has(network):
            continue
        place = options.scratch / f"pictures-{network}"
        pictures.divided(_files(place, network, small=small), place)
        batch_size, epochs, workers = (8, 1, 0) if small else (32, 2, 2)
        work = Work(place, options.scratch, network, size, batch_size, epochs, 0, workers)
        trainings = Trainings(work, report, options.first_round)
        at_once = () if small else tuple(AT_ONCE)
        contenders = [*_ours(trainings, loads, at_once), *_peers(trainings, loads, options)]
        title = f"{network} at {size} pixels"
        spreads = alternate(contenders, options.rounds, options.earlier(title))
        report.scenarios.append(Scenario(title, spreads, STEPS, "images/s"))
        report.checks += _checks(spreads, describe_machine()["cores"], network)
    return report


def _files(place: Path, network: str, *, small: bool) -> Path:
    if small:
        return pictures.drawn(place / "all", 20)
    count = NUM_PICTURES_OF.get(network, NUM_PICTURES)
    return pictures.some(pictures.signs(place / "signs").train, place / "all", count)


def _ours(trainings: Trainings, loads: Loads, at_once: Loads) -> list[Contender]:
    awake = {**TORCH_ENVIRONMENT, "GOMP_SPINCOUNT": "infinite", "OMP_WAIT_POLICY": "active"}

    def spinning() -> Sample:
        return _at(trainings, ("alone",), SPINNING, run_ours, "ours_training", environment=awake)

    return [
        _contender(trainings, (*loads, *at_once), OURS, run_ours, "ours_training"),
        Contender(SPINNING, spinning),
        Contender(STEPS, lambda: _at(trainings, ("alone",), STEPS, run_ours, "ours_steps")),
    ]


def _peers(trainings: Trainings, loads: Loads, options: Options) -> list[Contender]:
    chosen = [peer for peer in ("timm", "lightning") if options.wants(peer)]
    return [
        _contender(trainings, loads, PLAIN, run_plain, "train_torchvision"),
        *(_contender(trainings, loads, PEERS[peer], run_peer, f"train_{peer}") for peer in chosen),
    ]


def _contender(
    trainings: Trainings,
    loads: Loads,
    name: str,
    start: Start,
    script: str,
) -> Contender:
    return Contender(name, lambda: _at(trainings, loads, name, start, script))


def _at(
    trainings: Trainings,
    loads: Loads,
    name: str,
    start: Start,
    script: str,
    **more: Any,
) -> Sample:
    def train(_: int) -> float:
        facts = trainings.run(name, start, script, **more)
        if trainings.work.network not in NUM_PICTURES_OF:
            _learns(name, facts)
        return float(facts["rate"])

    found = {}
    for load in loads:
        with busy_cores(BUSY.get(load, 0)), ThreadPoolExecutor(AT_ONCE.get(load, 1)) as together:
            found[load] = sum(together.map(train, range(AT_ONCE.get(load, 1))))
    return found


def _learns(name: str, facts: Mapping[str, Any]) -> None:
    """The loss must fall from one epoch to the next, where several were trained and it is told."""
    first, last = facts.get("first loss"), facts.get("last loss")
    if facts.get("epochs", 1) > 1 and first is not None and not last < first:
        raise DisagreementError(name, f"a loss of {last} after {first}", "a falling one")


def _checks(spreads: Spreads, num_cores: int, network: str) -> list[Check]:
    """A fair scheduler gives a training of as many threads as cores its part of all threads."""
    ours = spreads[OURS]
    checks = []
    for load, num_busy in BUSY.items():
        if num_busy and load in ours:
            fair = ours["alone"].median * num_cores / (num_cores + num_busy)
            words = f"{load} busy process{'es' * (num_busy > 1)}, in fair shares of alone"
            rate = ours[load].median / fair
            checks.append(Check.at_least(f"{network} {words}", rate, MIN_OF_FAIR_SHARE))
    for load, bound in MIN_AT_ONCE.items():
        if load in ours:
            rate = ours[load].median / ours["alone"].median
            checks.append(Check.at_least(f"{network}, {load}, in rates of one alone", rate, bound))
    times = ours["alone"].median / spreads[SPINNING]["alone"].median
    words = f"{network} alone, in rates of threads that never sleep"
    return [*checks, Check.at_least(words, times, MIN_ALONE)]
