"""C2: one training on 1, 2 and 4 simulated machines with Slurm, beside plain torchrun."""

from __future__ import annotations

import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import pictures
from benchmarks.graph_documents import learning_document
from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Options,
    Report,
    Samples,
    Scenario,
    Spreads,
    alternate,
    only,
)
from benchmarks.processes import ROOT
from benchmarks.simulated_cluster import events_of, slurm_lab
from pipelines.document.document import PipelineDocument, parse_document
from tests.cluster.conftest import Lab

OURS, TORCHRUN = "Pipeline Designer", "torchrun"
COUNTS = (1, 2, 4)
MIN_SHARE = 0.9
"""Of torchrun's images a second."""
RATE, WHOLE = "training", "from start to end"
PORT = 29_411


@dataclass(frozen=True)
class Training:
    """What both train: ResNet-18 from random weights on drawn pictures, one thread a process."""

    folder: Path
    size: int
    epochs: int
    batch_size: int


def measure(options: Options) -> Report:
    """Images a second, and the whole of it; ``--part '4 machines'`` chooses one count."""
    counts = [each for each in COUNTS if options.has(_of_machines(each))]
    counts = counts[:2] if options.small else counts
    num_images, size, epochs = (40, 32, 2) if options.small else (320, 64, 3)
    report = Report(
        "C2",
        "Scaling over machines",
        f"ResNet-18 from random weights on {num_images} drawn pictures at {size} pixels, {epochs} "
        "epochs of 32 images a step, one process of one thread a machine; machines are simulated, "
        "and share the cores.",
    )
    with slurm_lab(max(counts)) as lab:
        place = lab.machines.folder / "pictures"
        pictures.divided(pictures.drawn(place / "all", num_images, size), place)
        work = Training(place, size, epochs, 32)
        lab.add_target("scaled", "slurm", max_nodes=max(counts), partition="main")
        for count in counts:
            contenders = [
                Contender(OURS, partial(_ours, lab, work, count)),
                Contender(TORCHRUN, partial(_torchrun, lab, work, count)),
            ]
            earlier = _earlier(options, count)
            _report(report, count, alternate(contenders, options.rounds, earlier))
    return report


def _of_machines(count: int) -> str:
    return f"{count} machine{'s' if count > 1 else ''}"


def _names(count: int) -> tuple[str, str]:
    """Of the scenarios: the rate, and the whole of it."""
    return f"Training on {_of_machines(count)}", f"All of it on {_of_machines(count)}"


def _earlier(options: Options, count: int) -> Samples:
    """What earlier parts of the run found with so many machines."""
    found: Samples = {}
    for each in map(options.earlier, _names(count)):
        for contender, measurements in each.items():
            found.setdefault(contender, {}).update(measurements)
    return found


def _report(report: Report, count: int, spreads: Spreads) -> None:
    training, whole = _names(count)
    rates = only(spreads, RATE)
    report.scenarios += [
        Scenario(training, rates, TORCHRUN, "images/s"),
        Scenario(whole, only(spreads, WHOLE), TORCHRUN),
    ]
    share = rates[OURS][RATE].median / rates[TORCHRUN][RATE].median
    claim = f"of torchrun's images a second on {_of_machines(count)}"
    report.checks.append(Check.at_least(claim, share, MIN_SHARE, is_gate=False))


def _ours(lab: Lab, work: Training, count: int) -> dict[str, float]:
    events = events_of(lab, _document(work, count))
    of_training = [each for each in events if each.node == "train"]
    rates = [
        each.data["value"]
        for each in of_training
        if each.kind == "MetricLogged" and each.data["name"] == "Train images per second"
    ]
    if len(rates) != work.epochs:
        raise BenchmarkError(f"{len(rates)} of {work.epochs} epochs were told: see the logs.")
    started = next(each.time for each in of_training if each.kind == "StepStarted")
    ended = next(each.time for each in of_training if each.kind == "StepFinished")
    return {RATE: statistics.median(rates[1:]), WHOLE: ended - started}


def _document(work: Training, count: int) -> PipelineDocument:
    recipe = {"epochs": work.epochs, "batch_size": work.batch_size // count, "learning_rate": 0.05}
    content = learning_document(work.folder, work.size, recipe)
    kept = {"train", "resnet", "transformation", "for_training", "for_testing"}
    kept |= {"import_train", "import_test", "train_images", "test_images"}
    nodes = [each for each in content["nodes"] if each["id"] in kept]
    links = [each for each in content["links"] if each["to"]["node"] in kept]
    settings = {"target": "scaled", "node_count": count, "cores_per_process": 1}
    placed = [
        {**each, "run_settings": {**settings, "regenerate_output": True}}
        if each["id"] == "train"
        else each
        for each in nodes
    ]
    return parse_document({**content, "nodes": placed, "links": links})


def _torchrun(lab: Lab, work: Training, count: int) -> dict[str, float]:
    """The command on each machine; the first one's address is where they meet."""
    names = lab.machines.workers[:count]
    started = time.perf_counter()
    with ThreadPoolExecutor(count) as pool:
        said = list(pool.map(partial(_start, lab, work, count), range(count), names))
    found = json.loads(said[0].strip().splitlines()[-1])
    return {RATE: found["rate"], WHOLE: time.perf_counter() - started}


def _start(lab: Lab, work: Training, count: int, rank: int, name: str) -> str:
    address = lab.machines.address("m1")
    words = (
        *("env", f"PYTHONPATH={ROOT}", f"GLOO_SOCKET_IFNAME=eth{name[1:]}", "OMP_NUM_THREADS=1"),
        *(sys.executable, "-m", "torch.distributed.run", f"--nnodes={count}", "--nproc-per-node=1"),
        *(f"--node-rank={rank}", f"--master-addr={address}", f"--master-port={PORT}"),
        *("-m", "benchmarks.peers.train_torchrun", work.folder / "train"),
        *(work.size, work.epochs, work.batch_size),
    )
    return lab.machines.on(name, *words).stdout
