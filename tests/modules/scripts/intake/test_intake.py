"""A script tells of its metrics in every way at once, and each one is recorded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from modules.scripts.intake.intake import Intake
from modules.scripts.intake.log_patterns import LogPattern
from modules.scripts.shims import SHIMS
from modules.sentences.sentence import Statement
from tests.modules.scripts.intake.event_file import event, simple, write

SCRIPT = """
import json, os, sys, urllib.request
from designer_log import designer_log
from designer_rank import name_rank_in_tracking_address

name_rank_in_tracking_address()
address, run = os.environ["MLFLOW_TRACKING_URI"], os.environ["MLFLOW_RUN_ID"]
for step in range(3):
    designer_log("ours", step / 2, step)
    body = json.dumps({"run_id": run, "key": "tracked", "value": 1.0, "step": step}).encode()
    urllib.request.urlopen(address + "/api/2.0/mlflow/runs/log-metric", body).read()
    print(f"epoch {step}: printed {step}.5", flush=True)
"""
MINIMAL = ("PATH", "HOME", "LANG", "SYSTEMROOT")


class Run:
    """A script that runs under an intake, rank by rank."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.log = tmp_path / "70_driver_log_0.txt"
        self.points: list[tuple[str, float, int]] = []
        self.warnings: list[Statement] = []
        self.log.write_text("printed 9.5, by an earlier attempt\n")
        self.intake = Intake(
            [tmp_path],
            [self.log],
            [LogPattern.parse(r"printed = printed ([\d.]+)")],
            lambda *point: self.points.append(point),
            warn=self.warnings.append,
        )
        self.variables = self.intake.start()

    def run(self, script: str, rank: int = 0) -> None:
        kept = {name: os.environ[name] for name in MINIMAL if name in os.environ}
        with self.log.with_name(f"70_driver_log_{rank}.txt").open("ab") as log:
            subprocess.run(
                [sys.executable, "-c", script],
                cwd=self.folder,
                env={**kept, **self.variables, "RANK": str(rank)},
                stdout=log,
                check=True,
                timeout=120,
            )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_every_way_is_recorded_and_only_the_first_rank_counts(run: Run) -> None:
    run.run(SCRIPT)
    run.run(SCRIPT, rank=1)
    write(run.folder / "runs" / "events.out.tfevents.1", event(7, simple("lr", 0.5)))
    run.intake.poll()
    run.intake.stop()
    tracked = [("tracked", 1.0, step) for step in range(3)]
    ours = [("ours", step / 2, step) for step in range(3)]
    printed = [("printed", step + 0.5, step) for step in range(3)]
    assert sorted(run.points) == sorted([*tracked, *ours, *printed, ("lr", 0.5, 7)])
    assert run.warnings == []


def test_the_variables_are_all_that_a_script_needs(run: Run) -> None:
    run.intake.stop()
    assert sorted(run.variables) == [
        "DESIGNER_METRICS",
        "MLFLOW_DISABLE_TELEMETRY",
        "MLFLOW_RUN_ID",
        "MLFLOW_TRACKING_URI",
        "PYTHONPATH",
    ]
    assert run.variables["PYTHONPATH"] == str(SHIMS)
    assert not Path(run.variables["DESIGNER_METRICS"]).exists()


def test_what_was_logged_last_is_recorded_by_the_end(run: Run) -> None:
    with Path(run.variables["DESIGNER_METRICS"]).open("a") as file:
        file.writelines(
            json.dumps({"name": "loss", "value": 1, "step": step}) + "\n" for step in range(20_000)
        )
    with run.log.open("a") as log:
        log.write("printed 0.5")  # no end of line: the script was killed
    run.intake.stop()
    assert ("loss", 1.0, 19_999) in run.points
    assert ("printed", 0.5, 0) in run.points


def test_other_lines_in_the_file_of_metrics_are_left(run: Run) -> None:
    lines = [
        b"no json",
        b'{"name": "x"}',
        b'{"value": 1}',
        b'{"name": "x", "value": "many"}',
        b'{"name": "x", "value": 1, "rank": 2}',
        b'{"name": "x", "value": 1, "step": 1e999}',
        b"[" * 5_000,
        b"\xff\xfe\x00",
        b"x" * 100_000,
        b'{"name": "loss", "value": 2}',
    ]
    Path(run.variables["DESIGNER_METRICS"]).write_bytes(b"\n".join(lines) + b"\n")
    run.intake.poll()
    run.intake.stop()
    assert run.points == [("loss", 2.0, 0)]
