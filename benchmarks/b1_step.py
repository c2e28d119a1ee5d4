"""B1: training steps on a GPU, on images that are there already."""

from __future__ import annotations

import math

from benchmarks.gpu_work import LIMIT, arithmetic, gpu_work
from benchmarks.harness import (
    Check,
    DisagreementError,
    Options,
    Report,
    Scenario,
    Spreads,
    alternate,
    only,
)
from benchmarks.training_contenders import OURS, Trainings

MIN_RATE = {"resnet50": 7950.0}
"""Images/s on one H200: NVIDIA's rate in MLPerf Training v4.0. Another card is told, not judged."""
MIN_TIMES_TIMM = 1.4
LONG = 100_000
"""Epochs of a training so long that compiling pays."""


def measure(options: Options) -> Report:
    """Steps of each network with every contender in turn."""
    report = Report(
        "B1",
        "GPU step",
        "Forward, backward and optimizer on one batch in the card's memory, 224 pixels, bf16; ours "
        "from bytes, normalised in every step.",
    )
    for network in ("resnet18",) if options.small else ("resnet50", "densenet121"):
        if options.has(network):
            _step(report, network, options)
    return report


def _step(report: Report, network: str, options: Options) -> None:
    work = gpu_work(options, network, num_images=1024)
    trainings = Trainings(work, report)
    column = {"steps": "rate", "first": "first loss", "last": "last loss"}
    contenders = [
        trainings.steps(column, OURS, epochs=1 if options.small else LONG),
        trainings.script("torchvision, mixed precision", "steps_torchvision", column),
        arithmetic(trainings, "steps"),
    ]
    if options.wants("timm"):
        contenders.append(trainings.script("timm", "steps_timm", column, is_peer=True))
    spreads = alternate(contenders, options.rounds, options.earlier(f"{network}:"))
    report.scenarios += [
        Scenario(f"{network}: steps", only(spreads, "steps"), LIMIT, "images/s"),
        Scenario(f"{network}: loss of the step", only(spreads, "first", "last"), LIMIT, "nats"),
    ]
    _learn(spreads, options)
    ours = spreads[OURS]["steps"].median
    if network in MIN_RATE:
        claim = f"{network}: images/s"
        report.checks.append(Check.at_least(claim, ours, MIN_RATE[network], is_gate=False))
    if "timm" in spreads:
        times = ours / spreads["timm"]["steps"].median
        report.checks.append(
            Check.at_least(f"{network}: times as fast as timm", times, MIN_TIMES_TIMM)
        )


def _learn(spreads: Spreads, options: Options) -> None:
    """Steps on the same batch must lower its loss; in tiny runs there are too few of them."""
    for name, found in spreads.items():
        if "last" not in found:
            continue
        bound = math.inf if options.small else found["first"].low
        if not found["last"].high < bound:
            raise DisagreementError(name, f"a loss of {found['last'].high}", f"less than {bound}")
