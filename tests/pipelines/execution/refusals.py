"""Runs that must fail, and everything that must hold when they do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipelines.document.document import PipelineDocument, dump_document, parse_document
from pipelines.events import ProblemData, RunState
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run, statuses

Node = dict[str, Any]


def node(node_id: str, module: str, **parameters: Any) -> Node:
    """A node; its run settings are given under ``run_settings``."""
    settings = parameters.pop("run_settings", {})
    return {"id": node_id, "module": module, "parameters": parameters, "run_settings": settings}


def wired(nodes: Iterable[Node], *links: str) -> PipelineDocument:
    """A document from nodes and links such as ``import.dataset -> convert.input_dataset``."""
    ends = [[end.strip().split(".") for end in link.split("->")] for link in links]
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "bad",
            "nodes": list(nodes),
            "links": [
                {"from": {"node": a, "port": p}, "to": {"node": b, "port": q}}
                for (a, p), (b, q) in ends
            ],
        }
    )


def converted(source: Path, **parameters: Any) -> PipelineDocument:
    """Import, convert and split what lies there."""
    return wired(
        [
            node("import", "import_images", source=f"file:{source}"),
            node("convert", "convert_to_image_directory", **parameters),
            node("split", "split_image_directory", fraction_of_images_in_the_first_output=0.5),
        ],
        "import.dataset -> convert.input_dataset",
        "convert.output_image_directory -> split.input_image_directory",
    )


def failure(runs: RunService, document: PipelineDocument, failed: str) -> ProblemData:
    """The problem of the one node at which a run fails; nothing half-written is left of it."""
    run_id, state = run(runs, document)
    assert state.status == "failed"
    assert [name for name, status in statuses(state).items() if status == "failed"] == [failed]
    problem = state.steps[failed].problem
    assert problem is not None
    assert problem["node"] == failed
    assert problem["message"].strip()
    assert problem["cure"].strip().endswith(".")
    assert state.problem == problem
    assert_nothing_is_left(runs, run_id, failed)
    assert_later_nodes_are_skipped(document, state, failed)
    return problem


def assert_nothing_is_left(runs: RunService, run_id: str, failed: str) -> None:
    """No staging folder, no row for the failed node, no folder without a row."""
    assert not list(runs.artifacts.root.glob(".*"))
    records = runs.artifacts.index.all()
    assert not [record for record in records if (record.run_id, record.node) == (run_id, failed)]
    assert {path.name for path in runs.artifacts.root.iterdir()} == {
        record.id for record in records
    }


def assert_later_nodes_are_skipped(
    document: PipelineDocument, state: RunState, failed: str
) -> None:
    later: set[str] = {failed}
    for _ in document.nodes:
        later |= {link.to.node for link in document.links if link.from_.node in later}
    assert {state.steps[name].status for name in later - {failed}} <= {"skipped"}


def refused(runs: RunService, document: PipelineDocument, folder: Path) -> dict[str, Any]:
    """What ``designer run --json`` prints of a document, having ended with exit code 1."""
    path = folder / "pipeline.json"
    path.write_text(dump_document(document), encoding="utf-8")
    done = designer(runs, "run", path, "--json")
    assert done.exit_code == 1, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["status"] == "failed"
    assert report["problem"]["cure"]
    return report
