"""B2: from JPEG files to augmented batches on a GPU."""

from __future__ import annotations

from benchmarks.gpu_work import gpu_work
from benchmarks.harness import (
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Scenario,
    Spreads,
    alternate,
    only,
)
from benchmarks.processes import run_ours
from benchmarks.training_contenders import OURS, Trainings

LOADER, NVJPEG = "torchvision, DataLoader", "torchvision, decoded on the device"
LIMIT = "decoding in full on all cores"
MIN_RATE = 15_000.0
"""Images/s with 16 cores beside the card; told, for other machines have other cores."""

MAX_DIFFERENCE = 3.0
"""Of 255 levels, between the means and the deviations of all pixels: crops are drawn by chance."""


def measure(options: Options) -> Report:
    """Epochs of batches with every contender in turn."""
    report = Report(
        "B2",
        "GPU feed",
        "JPEG photographs in the page cache, decoded, cut at random to 224 pixels, flipped, "
        "normalised, as batches of 256 in the card's memory; all cores.",
    )
    work = gpu_work(options, "resnet18", num_images=8192)
    trainings = Trainings(work, report)
    column = {"fed": "rate", "level": "level", "contrast": "contrast"}

    def limit() -> dict[str, float]:
        facts = run_ours("ours_limits", "--images", work.train, "--seconds", "0.5")
        return {"fed": facts["decoded"]}

    contenders = [
        trainings.ours(column, script="ours_feed"),
        Contender(LIMIT, limit),
        trainings.script(LOADER, "feed_loader", column),
        trainings.script(NVJPEG, "feed_nvjpeg", column),
    ]
    spreads = alternate(contenders, options.rounds, options.earlier("Feeding"))
    report.scenarios += [
        Scenario("Feeding", only(spreads, "fed"), LIMIT, "images/s"),
        Scenario("Feeding: pixels", only(spreads, "level", "contrast"), LIMIT, "of 255"),
    ]
    if not options.small:
        _agree(spreads)
    ours = spreads[OURS]["fed"].median
    report.checks += [
        Check.at_least("images/s", ours, MIN_RATE, is_gate=False),
        Check.at_least(
            "times as fast as the best peer",
            ours / max(spreads[name]["fed"].median for name in (LOADER, NVJPEG)),
            1.0,
        ),
    ]
    return report


def _agree(spreads: Spreads) -> None:
    """Epochs of the same pictures must look alike, whoever cut them."""
    for column in ("level", "contrast"):
        expected = spreads[LOADER][column].median
        for name in (OURS, NVJPEG):
            found = spreads[name][column].median
            if not abs(found - expected) <= MAX_DIFFERENCE:
                raise DisagreementError(name, f"a {column} of {found:.1f}", f"{expected:.1f}")
