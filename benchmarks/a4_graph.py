"""A4: what a graph costs when its nodes do nothing, when nothing changed, and to check."""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.graph_documents import counting_document, image_document, long_document
from benchmarks.harness import (
    Bound,
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
)
from benchmarks.ours_graph import WarmRunner, run_cold
from benchmarks.peers.counting import Work
from benchmarks.processes import run_peer

OURS, RECORDS, READING = "Pipeline Designer", "calls with fsynced records", "parsing the JSON"
PEERS: dict[str, dict[str, tuple[str, ...]]] = {
    "prefect": {"Prefect": ("graph_prefect",)},
    "dagster": {
        "Dagster, one process": ("graph_dagster", "in_process"),
        "Dagster, processes": ("graph_dagster", "multiprocess"),
    },
    "luigi": {"Luigi": ("graph_luigi",)},
    "kedro": {"Kedro": ("graph_kedro",)},
    "metaflow": {"Metaflow": ("graph_metaflow",)},
}
MAX_NODE_SECONDS = Bound(0.005, floor=0.02)
MIN_TIMES_PREFECT = Bound(50, floor=5)
MAX_UNCHANGED_SECONDS = 0.05
MAX_VALIDATION_SECONDS = 0.1


def measure(options: Options) -> Report:
    """Run all of it, each contender beside the others."""
    num_nodes = 4 if options.small else 40
    report = Report(
        "A4",
        "Graph",
        f"{num_nodes} nodes that add one, each with a record on disk; a 12-node image graph that "
        "is run again; checking a long document.",
    )
    with WarmRunner(options.scratch / "warm") as runner:
        for shape in ("chain", "fan"):
            report.scenarios.append(_count(report, Work(shape, num_nodes, Path()), options, runner))
        report.scenarios.append(_run_again(report, options, runner))
    report.scenarios.append(_validate(report, options))
    return report


def _count(report: Report, work: Work, options: Options, runner: WarmRunner) -> Scenario:
    attempts = itertools.count()
    folders = (options.scratch / f"{work.shape}-{number}" for number in itertools.count())
    runner.run(counting_document(work, next(attempts)))

    def ours() -> Sample:
        document = counting_document(work, next(attempts))
        run_id, warm, inside = runner.run(document)
        _agree(OURS, runner.total(run_id), work)
        return {"warm": warm, "in the runner": inside, "cold": run_cold(document, next(folders))}

    def records() -> Sample:
        return {"warm": _write_records(work.num_nodes, next(folders))}

    contenders = [Contender(OURS, ours), Contender(RECORDS, records)]
    contenders += _peers(report, work, options, folders)
    names = {"chain": "in a chain", "fan": "fanned out"}
    name = f"{work.num_nodes} nodes {names[work.shape]}"
    spreads = alternate(contenders, options.rounds, options.earlier(name))
    own_seconds = spreads[OURS]["warm"].median
    report.checks.append(
        Check.at_most(
            f"seconds a node, {work.shape}", own_seconds / work.num_nodes, MAX_NODE_SECONDS
        )
    )
    if work.shape == "chain" and "Prefect" in spreads:
        times = spreads["Prefect"]["warm"].median / own_seconds
        report.checks.append(
            Check.at_least("times as fast as Prefect, warm chain", times, MIN_TIMES_PREFECT)
        )
    return Scenario(name, spreads, RECORDS)


def _peers(
    report: Report, work: Work, options: Options, folders: Iterator[Path]
) -> Iterator[Contender]:
    for peer, ways in PEERS.items():
        if options.wants(peer):
            for name, (script, *arguments) in ways.items():
                yield _peer(report, name, [script, *arguments], work, folders)


def _peer(
    report: Report, name: str, script: list[str], work: Work, folders: Iterator[Path]
) -> Contender:
    shape = ["--shape", work.shape, "--nodes", str(work.num_nodes)]

    def run() -> Sample:
        facts = run_peer(*script, *shape, "--folder", str(next(folders)))
        _agree(name, facts["total"], work)
        report.versions[script[0].removeprefix("graph_")] = facts["version"]
        # Its script runs twice; a cold run would have ended after the first.
        return {"warm": facts["seconds"], "cold": facts["cold_seconds"] - facts["seconds"]}

    return Contender(name, run)


def _agree(name: str, total: int, work: Work) -> None:
    count = work.num_nodes
    expected = count * (count + 1) // 2 if work.shape == "chain" else 1 + 2 * (count - 1)
    if total != expected:
        raise DisagreementError(name, f"a total of {total}", expected)


def _write_records(num_nodes: int, folder: Path) -> float:
    """Seconds of as many plain calls, each followed by a record that is safe on the disk."""
    folder.mkdir(parents=True)
    value = 0
    started = time.perf_counter()
    for index in range(num_nodes):
        value = _increment(value)
        with (folder / f"{index}.json").open("w") as file:
            json.dump(value, file)
            file.flush()
            os.fsync(file.fileno())
    return time.perf_counter() - started


def _increment(value: int) -> int:
    return value + 1


def _run_again(report: Report, options: Options, runner: WarmRunner) -> Scenario:
    fractions = (0.5 + number / 1000 for number in itertools.count())
    document = image_document(next(fractions))
    num_nodes = len(document["nodes"])
    runner.run(document)

    def ours() -> Sample:
        run_id, unchanged, inside = runner.run(document)
        if runner.num_reused(run_id) != num_nodes:
            raise DisagreementError(OURS, f"{runner.num_reused(run_id)} reused nodes", num_nodes)
        _, changed, _ = runner.run(image_document(next(fractions)))
        return {"unchanged": unchanged, "in the runner": inside, "one parameter changed": changed}

    folders = (options.scratch / f"again-{number}" for number in itertools.count())
    records = Contender(RECORDS, lambda: {"unchanged": _write_records(num_nodes, next(folders))})
    name = f"{num_nodes}-node image graph again"
    earlier = options.earlier(name)
    spreads = alternate([Contender(OURS, ours), records], options.rounds, earlier)
    inside = spreads[OURS]["in the runner"].median
    report.checks.append(
        Check.at_most("seconds of an unchanged run in the runner", inside, MAX_UNCHANGED_SECONDS)
    )
    return Scenario(name, spreads, RECORDS)


def _validate(report: Report, options: Options) -> Scenario:
    from modules.catalog import builtin_catalog
    from pipelines.document.checks.validate import validate
    from pipelines.document.document import parse_document

    catalog = builtin_catalog()
    text = json.dumps(long_document(50 if options.small else 1000))
    document = parse_document(text)
    num_nodes = len(document.nodes)

    def ours() -> Sample:
        started = time.perf_counter()
        problems = validate(document, catalog)
        seconds = time.perf_counter() - started
        if problems:
            raise DisagreementError(OURS, f"{len(problems)} problems: {problems[0]}", "none")
        return {"warm": seconds}

    def reading() -> Sample:
        started = time.perf_counter()
        json.loads(text)
        return {"warm": time.perf_counter() - started}

    contenders = [Contender(OURS, ours), Contender(READING, reading)]
    name = f"{num_nodes:,} nodes checked"
    spreads = alternate(contenders, options.rounds, options.earlier(name))
    claim = f"seconds to check {num_nodes:,} nodes"
    report.checks.append(Check.at_most(claim, spreads[OURS]["warm"].median, MAX_VALIDATION_SECONDS))
    return Scenario(name, spreads, READING)
