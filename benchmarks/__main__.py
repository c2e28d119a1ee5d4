"""``python -m benchmarks [A4 A6 ...]``: measure, keep the results, renew the tables."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from benchmarks import (
    a1_decode,
    a2_train,
    a2b_busy,
    a3_accuracy,
    a4_graph,
    a5_score,
    a6_datasets,
    a7_start,
    a8_serve,
    a9_export,
    a10_few_photos,
    b1_step,
    b2_feed,
    b3_real,
    c1_control,
    c2_scaling,
    c3_step_start,
    e1_editor,
    e2_runs,
    e3_pages,
    s1_accuracy,
)
from benchmarks.harness import BenchmarkError, Options, Report, StoredCheck, StoredScenario
from benchmarks.machine import describe_machine, has_gpu, own_versions
from benchmarks.peers.telling import SMALL
from benchmarks.table import RESULTS, Results, write_tables
from modules.files.whole_files import replacing

BENCHMARKS: dict[str, Callable[[Options], Report]] = {
    "A1": a1_decode.measure,
    "A2": a2_train.measure,
    "A2b": a2b_busy.measure,
    "A3": a3_accuracy.measure,
    "A4": a4_graph.measure,
    "A5": a5_score.measure,
    "A6": a6_datasets.measure,
    "A7": a7_start.measure,
    "A8": a8_serve.measure,
    "A9": a9_export.measure,
    "A10": a10_few_photos.measure,
    "B1": b1_step.measure,
    "B2": b2_feed.measure,
    "B3": b3_real.measure,
    "C1": c1_control.measure,
    "C2": c2_scaling.measure,
    "C3": c3_step_start.measure,
    "E1": e1_editor.measure,
    "E2": e2_runs.measure,
    "E3": e3_pages.measure,
    "S1": s1_accuracy.measure,
}

IN_PARTS = (
    *("A1", "A2", "A2b", "A3", "A4", "A5", "A7", "A9", "A10"),
    *("B1", "B2", "B3", "C2", "C3", "E1", "S1"),
)
"""Benchmarks of minutes, whose rounds (of E1: whose sizes) can be run in parts."""


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when all was measured; 1 when a floor was missed or a benchmark failed."""
    asked = _parse(arguments)
    if asked.small:
        # one thread, for beside other tests two would wait for each other
        os.environ.update({SMALL: "1", "OMP_NUM_THREADS": "1"})
    options = Options(
        rounds=asked.rounds,
        small=asked.small,
        peers=None if asked.peers is None else tuple(filter(None, asked.peers.split(","))),
        scratch=asked.scratch.resolve(),
        part=asked.part,
    )
    good = [_run(each, options, asked.results, asked.add) for each in asked.benchmarks]
    if asked.results == RESULTS:
        write_tables()
    return 0 if all(good) else 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("benchmarks", nargs="*", metavar="ID", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--rounds", type=int, default=5, help="times each contender is measured")
    parser.add_argument("--small", action="store_true", help="tiny work; judges and keeps nothing")
    parser.add_argument(
        "--peers", help="only these, separated by commas; '' for none; of E1: the sizes"
    )
    parser.add_argument(
        "--part", default="", help="only work named so, say resnet18; A9: a list or all"
    )
    parser.add_argument(
        "--add",
        action="store_true",
        help=f"count the earlier results as part of this run, of {', '.join(IN_PARTS)}",
    )
    parser.add_argument("--results", type=Path, help="folder for the results")
    parser.add_argument("--scratch", type=Path, default=Options().scratch, help="for work files")
    asked = parser.parse_args(arguments)
    asked.benchmarks = asked.benchmarks or [
        name for name in BENCHMARKS if has_gpu() or not name.startswith("B")
    ]
    if unknown := [name for name in asked.benchmarks if name not in BENCHMARKS]:
        parser.error(f"no benchmark {', '.join(unknown)}: choose of {', '.join(BENCHMARKS)}")
    if asked.results is None and not asked.small:
        asked.results = RESULTS
    if asked.add and not set(asked.benchmarks) <= set(IN_PARTS):
        parser.error(f"--add is for {', '.join(IN_PARTS)}")
    if asked.rounds < 1:
        parser.error("--rounds must be at least 1")
    return asked


def _run(identifier: str, options: Options, results: Path | None, add: bool) -> bool:
    """Measure one benchmark and keep its result; True when it is as it should be."""
    machine = describe_machine()
    options.scratch.mkdir(parents=True, exist_ok=True)
    earlier = _earlier(identifier, results) if add else None
    with TemporaryDirectory(dir=options.scratch, prefix=f"{identifier}-") as folder:
        try:
            report = BENCHMARKS[identifier](
                replace(
                    options,
                    scratch=Path(folder),
                    parts=earlier["scenarios"] if earlier else (),
                    first_round=earlier["rounds"] if earlier else 0,
                )
            )
        except BenchmarkError as error:
            sys.stderr.write(f"{identifier}: {error}\n")
            return False
    versions = earlier["versions"] if earlier else {}
    report.versions = {**versions, **report.versions, **own_versions()}
    found, rounds = report.stored, report.num_rounds or options.rounds
    if earlier:
        found["scenarios"] = _renewed(earlier["scenarios"], found["scenarios"], _name_of_scenario)
        found["checks"] = _renewed(earlier["checks"], found["checks"], _claim_of)
        rounds = max(rounds, earlier["rounds"])
    document: Results = {
        **found,
        "date": datetime.now(UTC).date().isoformat(),
        "rounds": rounds,
        "small": options.small,
        "machine": machine,
    }
    if results is not None:
        _write(results / f"{identifier}.json", document)
    _tell(report, small=options.small)
    return options.small or all(check.stands for check in report.checks)


def _earlier(identifier: str, results: Path | None) -> Results | None:
    path = results / f"{identifier}.json" if results else None
    found: Results | None = json.loads(path.read_text()) if path and path.exists() else None
    return found


_Entry = TypeVar("_Entry")


def _renewed(
    earlier: Sequence[_Entry], found: Sequence[_Entry], name_of: Callable[[_Entry], str]
) -> list[_Entry]:
    """What an earlier part found, with what this part found in its place or behind it."""
    return list({name_of(entry): entry for entry in (*earlier, *found)}.values())


def _name_of_scenario(scenario: StoredScenario) -> str:
    return scenario["name"]


def _claim_of(check: StoredCheck) -> str:
    return check["claim"]


def _write(path: Path, document: Results) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _tell(report: Report, *, small: bool) -> None:
    for scenario in report.scenarios:
        for name, found in scenario.spreads.items():
            times = ", ".join(f"{key} {spread.median:.4g}" for key, spread in found.items())
            sys.stdout.write(f"{report.id} {scenario.name}: {name}: {times} {scenario.unit}\n")
    for check in report.checks:
        verdict = "not judged" if small else check.verdict
        sys.stdout.write(
            f"{report.id} {check.claim}: {check.found:.4g} (to reach: {check.bound:g}) {verdict}\n"
        )


if __name__ == "__main__":
    raise SystemExit(main())
