"""A9: exported models against the model that they were made of: time and agreement."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Options,
    Report,
    Sample,
    Scenario,
    Spread,
    Spreads,
    alternate,
    only,
)
from benchmarks.ours_exporting import FORMATS, MODEL, PIXELS
from benchmarks.processes import ScriptFacts, run_ours, run_peer, run_plain
from modules.export.architectures import NOT_ONNX
from modules.export.formats import Format
from modules.models.architectures import IMAGE_MODELS

SCORE, EAGER, OPENVINO = "Score Image Model", "torch, eager, fp32", "OpenVINO, fp32"
EXPORTED = dict(zip(FORMATS, ("exported ONNX, fp32", "exported ONNX, int8"), strict=True))
ALL = "all"
ARCHITECTURES = (
    *("resnet18", "resnet50", "densenet121", "mobilenet_v3_large", "shufflenet_v2_x1_0"),
    *("efficientnet_lite0", "efficientnet_b0", "regnet_y_400mf", "convnext_tiny", "swin_t"),
    *("vit_b_16", "squeezenet1_1"),
)
MIN_EQUAL, MAX_DIFFERENCE = 0.999, 0.002
"""The promise of an exported file in fp32, compared with Score: labels, and any probability."""
TIME, EQUAL, DIFFERENCE, LABELS = "an image", "equal labels", "largest difference", "labels given"
FILE = "file"


@dataclass(frozen=True)
class Size:
    """Number and edge in pixels of the images, and the limit of time for each runtime."""

    num_images: int
    pixels: int
    limit_seconds: float


FULL, SMALL = Size(100, 224, 20.0), Size(8, 64, 1.0)


def measure(options: Options) -> Report:
    """Export each architecture, then classify the same images with every runtime in turn."""
    size = SMALL if options.small else FULL
    report = Report(
        "A9",
        "Export",
        f"{size.num_images} generated images of {size.pixels} pixels, classified one at a time "
        "from bytes to probabilities, by networks trained for 30 steps; the median of the times. "
        "Score: the whole step, with files that it decodes and batches, for each image. OpenVINO "
        "reads the exported file in fp32. Probabilities and labels are compared with Score's.",
    )
    for architecture in _chosen(options):
        folder = options.scratch / architecture
        folder.mkdir()
        _measure(_Exported(report, architecture, folder, size), options)
    return report


def _chosen(options: Options) -> tuple[str, ...]:
    """Return the architectures of the part, which are separated by commas."""
    exportable = tuple(name for name in IMAGE_MODELS if name not in NOT_ONNX)
    if options.part == ALL:
        return exportable
    if not options.part:
        return ARCHITECTURES[:1] if options.small else ARCHITECTURES
    named = tuple(options.part.split(","))
    if unknown := [name for name in named if name not in exportable]:
        raise BenchmarkError(
            f"Architectures that cannot be exported: {', '.join(unknown)}. Choose others with "
            f"--part, or '{ALL}'."
        )
    return named


class _Exported:
    """The exported files of an architecture, and the images."""

    def __init__(self, report: Report, architecture: str, folder: Path, size: Size) -> None:
        self.report, self.architecture, self.folder, self.size = report, architecture, folder, size
        self.facts = run_ours(
            *("ours_exporting", "--folder", folder, "--architecture", architecture),
            *("--size", str(size.pixels), "--num-images", str(size.num_images)),
        )
        for chosen, reason in self.facts["refused"].items():
            report.work += f" {architecture} was not exported as {chosen}: {reason}"
        self._expected_NK: Any = None
        self._answers = (folder / f"answers-{number}.npy" for number in itertools.count())

    @property
    def formats(self) -> list[Format]:
        return [chosen for chosen in FORMATS if chosen not in self.facts["refused"]]

    def score(self) -> Sample:
        """Score, whose probabilities are the expected ones."""
        answers = next(self._answers)
        facts = run_ours(
            *("ours_scoring_files", "--model", self.folder / MODEL),
            *("--images", self.facts["images"], "--answers", answers),
        )
        return self._sample(facts, answers)

    def classify(self, start: Any, script: str, model: str) -> Sample:
        """Classify with a script."""
        answers = next(self._answers)
        facts = start(
            *(script, "--model", self.folder / model, "--pixels", self.folder / PIXELS),
            *("--answers", answers, "--seconds", str(self.size.limit_seconds)),
        )
        self.report.note_versions(facts)
        return self._sample(facts, answers)

    def _sample(self, facts: ScriptFacts, answers: Path) -> Sample:
        import numpy as np

        found_NK = np.load(answers)
        answers.unlink()
        if self._expected_NK is None:
            self._expected_NK = found_NK
        expected_NK = self._expected_NK[: len(found_NK)]
        labels_N = found_NK.argmax(axis=1)
        return {
            TIME: facts["milliseconds"],
            EQUAL: float((labels_N == expected_NK.argmax(axis=1)).mean()),
            DIFFERENCE: float(np.abs(found_NK - expected_NK).max()),
            LABELS: float(len(np.unique(labels_N))),
        }


def _measure(exported: _Exported, options: Options) -> None:
    name, report = exported.architecture, exported.report
    contenders = list(_contenders(exported, options))
    spreads = alternate(contenders, options.rounds, options.earlier(f"{name}: "))
    files = {
        title: {FILE: Spread.of([exported.facts["megabytes"][chosen]])}
        for chosen, title in EXPORTED.items()
        if chosen in exported.formats
    }
    report.scenarios += [
        Scenario(f"{name}: time", only(spreads, TIME), "", "ms"),
        Scenario(f"{name}: answers", only(spreads, EQUAL, DIFFERENCE), "", "of 1"),
        Scenario(f"{name}: answers that occur", only(spreads, LABELS), "", "of 5"),
        Scenario(f"{name}: size", files, "", "MB"),
    ]
    report.checks += _checks(name, spreads)


def _contenders(exported: _Exported, options: Options) -> Iterator[Contender]:
    yield Contender(SCORE, exported.score)
    yield Contender(EAGER, partial(exported.classify, _run_eager, "ours_eager", MODEL))
    for chosen in exported.formats:
        run = partial(exported.classify, run_plain, "classify_onnxruntime", chosen)
        yield Contender(EXPORTED[chosen], run)
    if options.wants("openvino") and "onnx" in exported.formats:
        run = partial(exported.classify, run_peer, "classify_openvino", "onnx")
        yield Contender(OPENVINO, run)


def _run_eager(script: str, *arguments: str | Path) -> ScriptFacts:
    return run_ours(script, *arguments, environment={})


def _checks(name: str, spreads: Spreads) -> Iterator[Check]:
    found = spreads.get(EXPORTED["onnx"])
    if found is not None:
        equal, difference = found[EQUAL].low, found[DIFFERENCE].high
        claim = f"{name}: labels of the exported ONNX, fp32, equal to Score's"
        yield Check.at_least(claim, equal, MIN_EQUAL)
        claim = f"{name}: largest difference of a probability, exported ONNX, fp32"
        yield Check.at_most(claim, difference, MAX_DIFFERENCE)
