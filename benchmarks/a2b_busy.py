"""A2b: the training of A2 while other processes keep the cores busy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from benchmarks.training_contenders import OURS, PEERS, PLAIN, STEPS, Trainings, busy_cores
from pipelines.workers.preloads import TORCH_ENVIRONMENT

SPINNING = f"{OURS}, threads that never sleep"
BUSY = {"alone": 0, "beside one": 1, "beside two": 2}
Loads = tuple[str, ...]
NUM_PICTURES = 480
MIN_OF_FAIR_SHARE = Bound(0.8, floor=0.65)
MIN_ALONE = Bound(0.97, floor=0.9)
"""Of the rate with threads that never sleep."""


def measure(options: Options) -> Report:
    """Every contender alone, beside one and beside two processes that never pause."""
    small = options.small
    place = options.scratch / "pictures"
    files = pictures.drawn(place / "all", 20) if small else _some_signs(place)
    pictures.divided(files, place)
    report = Report(
        "A2b",
        "Train, busy",
        f"ResNet-18 on {NUM_PICTURES} pictures of 64 pixels while 0, 1 or 2 other processes "
        "compute without a pause: the second of two epochs.",
    )
    size, batch_size, epochs, workers = (32, 8, 1, 0) if small else (64, 32, 2, 2)
    work = Work(place, options.scratch, "resnet18", size, batch_size, epochs, 0, workers)
    trainings = Trainings(work, report, options.first_round)
    loads = tuple(BUSY)[:2] if small else tuple(BUSY)
    contenders = [*_ours(trainings, loads), *_peers(trainings, loads, options)]
    spreads = alternate(contenders, options.rounds, options.earlier("Training"))
    report.scenarios.append(Scenario("Training beside busy processes", spreads, STEPS, "images/s"))
    report.checks += _checks(spreads, describe_machine()["cores"])
    return report


def _some_signs(place: Any) -> Any:
    return pictures.some(pictures.signs(place / "signs").train, place / "all", NUM_PICTURES)


def _ours(trainings: Trainings, loads: Loads) -> list[Contender]:
    awake = {**TORCH_ENVIRONMENT, "GOMP_SPINCOUNT": "infinite", "OMP_WAIT_POLICY": "active"}

    def spinning() -> Sample:
        return _at(trainings, ("alone",), SPINNING, run_ours, "ours_training", environment=awake)

    return [
        _contender(trainings, loads, OURS, run_ours, "ours_training"),
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
    start: Callable[..., dict[str, Any]],
    script: str,
) -> Contender:
    return Contender(name, lambda: _at(trainings, loads, name, start, script))


def _at(
    trainings: Trainings,
    loads: Loads,
    name: str,
    start: Callable[..., dict[str, Any]],
    script: str,
    **more: Any,
) -> Sample:
    found = {}
    for load in loads:
        with busy_cores(BUSY[load]):
            facts = trainings.run(name, start, script, **more)
        _learns(name, facts)
        found[load] = float(facts["rate"])
    return found


def _learns(name: str, facts: Mapping[str, Any]) -> None:
    """The loss must fall from one epoch to the next, where several were trained and it is told."""
    first, last = facts.get("first loss"), facts.get("last loss")
    if facts.get("epochs", 1) > 1 and first is not None and not last < first:
        raise DisagreementError(name, f"a loss of {last} after {first}", "a falling one")


def _checks(spreads: Spreads, num_cores: int) -> list[Check]:
    """A fair scheduler gives a training of as many threads as cores its part of all threads."""
    ours = spreads[OURS]
    checks = []
    for load, num_busy in BUSY.items():
        if num_busy and load in ours:
            fair = ours["alone"].median * num_cores / (num_cores + num_busy)
            claim = f"{load} busy process{'es' * (num_busy > 1)}, in fair shares of alone"
            checks.append(Check.at_least(claim, ours[load].median / fair, MIN_OF_FAIR_SHARE))
    times = ours["alone"].median / spreads[SPINNING]["alone"].median
    return [
        *checks,
        Check.at_least("alone, in rates of threads that never sleep", times, MIN_ALONE),
    ]
