"""A6: what it costs to check, to split and to transform very many small image files."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

from benchmarks import image_files
from benchmarks.harness import (
    Bound,
    Check,
    Contender,
    DisagreementError,
    Measure,
    Options,
    Report,
    Sample,
    Scenario,
    Spreads,
    alternate,
)
from benchmarks.ours_datasets import measure_modules
from benchmarks.processes import run_peer

OURS, COPYING, READING = "Pipeline Designer", "a script that copies", "reading the bytes once"
HUGGING_FACE = "Hugging Face datasets"
FRACTION = 0.9
STEPS = {"convert": "converted", "split": "split", "apply": "given a transformation"}
MIN_TIMES_COPYING = 20
MAX_TIMES_READING = Bound(2, floor=25)


def measure(options: Options) -> Report:
    """Run all three steps on the same files with every contender in turn."""
    num_images = 200 if options.small else 100_000
    images = options.scratch / "images"
    image_files.write_images(images, num_images)
    _import_all(options.scratch)
    report = Report(
        "A6",
        "Datasets",
        f"{num_images:,} JPEGs of {image_files.SIDE_PIXELS} pixels, their bytes in the page "
        "cache: checked and listed, divided 9 to 1, given a transformation.",
    )
    contenders = [
        Contender(READING, lambda: _read(images, num_images)),
        Contender(OURS, _ours(images, num_images, options.scratch)),
        Contender(COPYING, _copying(images, num_images, options.scratch)),
    ]
    if options.wants("huggingface"):
        contenders.append(_hugging_face(report, images, num_images, options.scratch))
    spreads = alternate(contenders, options.rounds)
    report.scenarios = [_scenario(step, num_images, spreads) for step in STEPS]
    report.checks = _checks(spreads)
    return report


def _import_all(scratch: Path) -> None:
    """Let the first measured round be as warm as the others."""
    image_files.write_images(scratch / "few", 20)
    measure_modules(scratch / "few", scratch / "store-few", FRACTION)


def _read(images: Path, num_images: int) -> Sample:
    num_files, seconds = image_files.read_images(images)
    _agree(READING, [num_files], [num_images])
    return dict.fromkeys(STEPS, seconds)


def _ours(images: Path, num_images: int, scratch: Path) -> Measure:
    folders = (scratch / f"store-{number}" for number in itertools.count())

    def measure_once() -> Sample:
        folder = next(folders)
        times = measure_modules(images, folder, FRACTION)
        shutil.rmtree(folder)
        _agree(OURS, times.counts, _expected(num_images))
        return {step: getattr(times, step) for step in STEPS}

    return measure_once


def _copying(images: Path, num_images: int, scratch: Path) -> Measure:
    def measure_once() -> Sample:
        target = scratch / "copies"
        counts, split_seconds = image_files.copy_split(images, target / "split", FRACTION)
        count, copy_seconds = image_files.copy_all(images, target / "all")
        shutil.rmtree(target)
        _agree(COPYING, [*counts, count], _expected(num_images))
        return {"split": split_seconds, "apply": copy_seconds}

    return measure_once


def _hugging_face(report: Report, images: Path, num_images: int, scratch: Path) -> Contender:
    def measure_once() -> Sample:
        folder = scratch / "huggingface"
        paths = ("--images", images, "--folder", folder)
        facts = run_peer("datasets_huggingface", *paths, "--fraction", str(FRACTION))
        shutil.rmtree(folder)
        _agree(HUGGING_FACE, facts["counts"], _expected(num_images))
        report.versions["datasets"] = facts["version"]
        return {step: facts[step] for step in STEPS}

    return Contender(HUGGING_FACE, measure_once)


def _expected(num_images: int) -> list[int]:
    num_first = round(num_images * FRACTION)
    return [num_first, num_images - num_first, num_images]


def _agree(name: str, counts: list[int], expected: list[int]) -> None:
    if counts != expected:
        raise DisagreementError(name, f"{counts} images", expected)


def _scenario(step: str, num_images: int, spreads: Spreads) -> Scenario:
    took = {name: {"warm": found[step]} for name, found in spreads.items() if step in found}
    return Scenario(f"{num_images:,} images {STEPS[step]}", took, READING)


def _checks(spreads: Spreads) -> list[Check]:
    ours, copying = spreads[OURS], spreads[COPYING]
    times_reading = ours["convert"].median / spreads[READING]["convert"].median
    return [
        Check.at_most("converting, in times of reading", times_reading, MAX_TIMES_READING),
        *(
            Check.at_least(
                f"{step}: times as fast as copying",
                copying[step].median / ours[step].median,
                MIN_TIMES_COPYING,
            )
            for step in ("split", "apply")
        ),
    ]
