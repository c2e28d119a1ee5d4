"""``designer improve``: ways to a better result, or the reason why there are none."""

from __future__ import annotations

import json

from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, run

TWO = {"two": {"module": "constant", "value": 2.0}}


def test_a_run_without_frozen_layers_has_no_ways(runs: RunService) -> None:
    run_id, _ = run(runs, build({}, TWO))
    done = designer(runs, "improve", "last")
    assert done.exit_code == 0
    assert f"Run {run_id} has no result of frozen layers" in " ".join(done.output.split())
    ways = json.loads(designer(runs, "improve", "last", "--json").stdout)
    assert (ways["run_id"], ways["choices"], ways["first"]) == (run_id, [], None)


def test_an_impossible_way_is_refused_with_the_possible_ones(runs: RunService) -> None:
    run(runs, build({}, TWO))
    done = designer(runs, "improve", "last", "fine_tune")
    assert done.exit_code == 1
    assert "cannot be improved by 'fine_tune'" in done.output
    assert len(runs.store.newest(limit=5)) == 1, "nothing was run"


def test_a_run_that_is_not_there_is_named(runs: RunService) -> None:
    done = designer(runs, "improve", "nowhere")
    assert done.exit_code == 1
    assert "nowhere" in done.output
