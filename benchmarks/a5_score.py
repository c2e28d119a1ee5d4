"""A5: scoring images with a trained model, from JPEG files to the probability of each class."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import pictures
from benchmarks.harness import (
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    Spreads,
    alternate,
    only,
)
from benchmarks.processes import run_ours, run_peer, run_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OURS, EAGER, LIMIT = "Pipeline Designer", "torch, eager", "decoding and multiplying alone"
PEERS = {
    "compile": "torch.compile, bf16",
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO, bf16",
}
MIN_TIMES_BEST = 0.95
MAX_DIFFERENCE = 0.02
"""Of a probability from that of eager torch in fp32: what the product allows bf16."""
Scores = Mapping[str, "npt.NDArray[np.float64]"]
"""Probabilities (K,) by the name of the image."""


@dataclass(frozen=True)
class Size:
    """How much is scored; ours gets more images, for below 20 s of work it stays with torch."""

    num_images: int
    num_images_of_peers: int
    pixels: int
    batch_size: int
    networks: tuple[str, ...]
    limit_seconds: float


FULL = Size(2496, 320, 224, 32, ("resnet50", "densenet121"), 2.0)
SMALL = Size(24, 24, 64, 8, ("resnet18",), 0.1)


def measure(options: Options) -> Report:
    """Score the same files with every contender in turn, network by network."""
    size = SMALL if options.small else FULL
    make = pictures.drawn if options.small else pictures.photos
    folder = make(options.scratch / "images", size.num_images)
    report = Report(
        "A5",
        "Score",
        f"JPEG files decoded, resized, cropped to {size.pixels} pixels, scored in batches of "
        f"{size.batch_size} with random weights; {size.num_images:,} files, "
        f"{size.num_images_of_peers} for the peers; images/s of the second half.",
    )
    for network in size.networks:
        if options.has(network):
            scoring = _Scoring(report, folder, options.scratch / network, size)
            _score(report, network, scoring, options)
    return report


class _Scoring:
    """The files and the model of one network, and what is right for them."""

    def __init__(self, report: Report, images: Path, scratch: Path, size: Size) -> None:
        self.report, self.images, self.scratch, self.size = report, images, scratch, size
        self.model = scratch / "model"
        self.expected: Scores = {}
        classes = sorted(path.name for path in images.iterdir())
        run_ours(
            *("ours_random_model", "--folder", self.model, "--architecture", scratch.name),
            *("--classes", *classes),
        )
        self._names = (scratch / f"scores-{number}.npz" for number in itertools.count())

    def run(self, name: str, start: Any, script: str, **more: Any) -> Sample:
        """Score with a script; its probabilities must be those of eager torch."""
        scores = next(self._names)
        count = self.size.num_images if name == OURS else self.size.num_images_of_peers
        facts = start(
            *(script, "--images", self.images, "--model", self.model, "--scores", scores),
            *("--num-images", str(count), "--batch-size", str(self.size.batch_size)),
            *("--size", str(self.size.pixels)),
            **more,
        )
        self.report.note_versions(facts)
        difference = self._difference(_read_scores(scores))
        shutil.rmtree(scores.with_suffix(".store"), ignore_errors=True)
        if not difference <= MAX_DIFFERENCE:
            raise DisagreementError(
                name, f"probabilities off by {difference:.2g}", f"at most {MAX_DIFFERENCE}"
            )
        return {
            "steady": facts["rate"],
            "ready": facts["ready"],
            "largest difference": difference,
        }

    def _difference(self, found: Scores) -> float:
        """The largest one of any probability; the first contender says what is right."""
        self.expected = self.expected or found
        common = self.expected.keys() & found.keys()
        return max(float(abs(found[name] - self.expected[name]).max()) for name in common)


def _read_scores(path: Path) -> Scores:
    import numpy as np

    with np.load(path) as stored:
        return dict(zip(stored["names"], stored["probabilities"], strict=True))


def _score(report: Report, network: str, scoring: _Scoring, options: Options) -> None:
    contenders = [
        Contender(EAGER, lambda: scoring.run(EAGER, run_plain, "score_torch")),
        Contender(LIMIT, lambda: _limit(scoring, network)),
        Contender(OURS, lambda: scoring.run(OURS, run_ours, "ours_scoring")),
        *_peers(scoring, options),
    ]
    spreads = alternate(contenders, options.rounds, options.earlier(f"{network}:"))
    report.scenarios += [
        Scenario(f"{network}: steady", only(spreads, "steady"), LIMIT, "images/s"),
        Scenario(f"{network}: until the first scores", only(spreads, "ready"), LIMIT),
        Scenario(
            f"{network}: a probability",
            only(spreads, "largest difference"),
            LIMIT,
            "from eager torch's",
        ),
    ]
    report.checks += _checks(network, spreads)


def _peers(scoring: _Scoring, options: Options) -> Iterator[Contender]:
    for peer, name in PEERS.items():
        if not options.wants(peer):
            continue
        script = "score_torch" if peer == "compile" else f"score_{peer}"
        environment = {"COMPILED": "1"} if peer == "compile" else {}

        def run(
            name: str = name, script: str = script, environment: dict[str, str] = environment
        ) -> Sample:
            return scoring.run(name, run_peer, script, environment=environment)

        yield Contender(name, run)


def _limit(scoring: _Scoring, network: str) -> Sample:
    """Images/s if there were nothing to do but decoding, and but multiplying, at once."""
    from modules.models.cost_cache import cost_of
    from modules.models.recipe import Recipe

    size = scoring.size
    seconds = str(size.limit_seconds)
    facts = run_ours("ours_limits", "--images", scoring.images, "--seconds", seconds)
    recipe = Recipe(family="", architecture=network)
    flops = cost_of(recipe, 10, size.pixels, size.pixels, None).flops_per_image
    return {"steady": min(facts["decoded"], facts["operations"] / flops)}


def _checks(network: str, spreads: Spreads) -> list[Check]:
    rates = {name: found["steady"].median for name, found in spreads.items()}
    best = max(rate for name, rate in rates.items() if name not in (OURS, LIMIT))
    claim = f"{network}: times as fast as the best peer"
    return [Check.at_least(claim, rates[OURS] / best, MIN_TIMES_BEST)]
