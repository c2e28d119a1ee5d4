"""Reruns: everything is made again, and what came out otherwise is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import Result

from modules.artifacts import write_json
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.events import RunState
from pipelines.replay import library
from pipelines.replay.archive import write_file
from pipelines.replay.reproduction import original_of_replay
from pipelines.runs.history import RunHistory
from pipelines.runs.reproduction import original_of_run, rerun, rerun_report
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.file_diff import differences
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish, run, statuses
from tests.pipelines.registry.trained import save_network

IMAGES: dict[str, dict[str, Any]] = {
    "import": {
        "module": "import_images",
        "source": "sample:shapes?classes=2&images=20&size=16&seed=3",
    },
    "convert": {"module": "convert_to_image_directory"},
    "split": {"module": "split_image_directory"},
}


def images() -> Any:
    """Import, convert and split a few drawn pictures."""
    document = build({}, IMAGES)
    ports = [
        ("import", "dataset", "convert", "input_dataset"),
        ("convert", "output_image_directory", "split", "input_image_directory"),
    ]
    links = [{"from": {"node": a, "port": b}, "to": {"node": c, "port": d}} for a, b, c, d in ports]
    return type(document).model_validate({**document.to_json(), "links": links})


def test_a_rerun_makes_everything_anew_and_finds_it_identical(
    runs: RunService, tmp_path: Path
) -> None:
    first, state = run(runs, images())
    assert state.status == "completed", state.problem
    original = original_of_run(runs, first)
    again = rerun(runs, original)
    assert set(statuses(finish(runs, again)).values()) == {"completed"}
    report = rerun_report(runs, original, again)
    assert report.is_identical, report
    assert {output.node for output in report.outputs} == {"import", "convert", "split"}
    assert (report.seeds, report.environment) == ({"split": 42}, [])
    assert RunHistory(runs).row(again).from_run == first

    file = tmp_path / "images.replay"
    write_file(library.export(runs, first), file)
    RunHistory(runs).delete(again)
    RunHistory(runs).delete(first)
    with runs.runner.sweeping() as alone:
        assert alone
        runs.artifacts.sweep()
    sent = original_of_replay(file)
    third = rerun(runs, sent)
    finish(runs, third)
    report = rerun_report(runs, sent, third)
    assert report.is_identical, report
    assert report.environment == [], "the same machine is another one"


def pinned_images(state: RunState, run_id: str, *pinned: str) -> PipelineDocument:
    """Pin nodes to their results of a run."""
    document = images().to_json()
    for node in document["nodes"]:
        if node["id"] in pinned:
            artifact = state.steps[node["id"]].artifact_id
            node["pin"] = {"artifact": artifact, "run": run_id}
    return parse_document(document)


def rerun_of_replay(runs: RunService, run_id: str, folder: Path, *options: str) -> Result:
    """Rerun the replay of a run with the command."""
    file = folder / f"{run_id}.replay"
    write_file(library.export(runs, run_id), file)
    return designer(runs, "replay", "rerun", file, *options)


def test_pinned_results_are_named_and_not_compared(runs: RunService, tmp_path: Path) -> None:
    first, before = run(runs, images())
    document = pinned_images(before, first, "convert")
    second, state = run(runs, document, forced=("split",))
    assert statuses(state) == {"import": "skipped", "convert": "reused", "split": "completed"}
    warning = "Pinned, so not compared: convert. Results after them depend on stored results."

    done = rerun_of_replay(runs, second, tmp_path, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert {output["node"] for output in report["outputs"]} == {"split"}
    assert (report["pinned"], report["warnings"]) == (["convert"], [warning])
    assert (report["is_identical"], report["seeds"]) == (True, {"split": 42})

    done = rerun_of_replay(runs, second, tmp_path)
    text = " ".join(done.output.split())
    assert warning in text
    assert "convert." not in text.replace(warning, "")
    count = len(report["outputs"])
    assert f"{count} of {count} outputs of {second}.replay are identical" in text
    assert rerun_report(runs, original_of_run(runs, second), second).pinned == ["convert"]


def test_outdated_pinned_results_are_named_before_and_after_a_rerun(
    runs: RunService, tmp_path: Path
) -> None:
    """The warning is that of the editor: the same kind of problem with the same text."""
    first, before = run(runs, images())
    document = pinned_images(before, first, "convert").to_json()
    document["nodes"][0]["parameters"]["source"] = IMAGES["import"]["source"].replace("=3", "=4")
    changed = parse_document(document)
    second, _ = run(runs, changed, forced=("split",))
    (problem,) = [one for one in runs.checks.problems(changed) if one.name == "PinOutdated"]
    done = rerun_of_replay(runs, second, tmp_path, "--json")
    assert done.exit_code == 0, done.output
    assert f"warning {problem.sentence}" in " ".join(done.stderr.split())
    texts = json.loads(done.stdout)["warnings"]
    assert f"convert: {problem.message} {problem.cure}" in texts


def test_a_rerun_of_pinned_results_alone_reproduces_nothing(
    runs: RunService, tmp_path: Path
) -> None:
    first, before = run(runs, images())
    second, _ = run(runs, pinned_images(before, first, "split"))
    done = rerun_of_replay(runs, second, tmp_path)
    assert done.exit_code == 1, done.output
    text = " ".join(done.output.split())
    assert "Pinned, so not compared: split." in text
    assert f"0 of 0 outputs of {second}.replay are identical" in text
    assert "Random seeds" not in text
    assert "bit-identical" not in text


def test_pins_after_the_target_node_change_nothing(runs: RunService) -> None:
    first, before = run(runs, images())
    second, _ = run(runs, pinned_images(before, first, "split"), to_node="convert")
    original = original_of_run(runs, second)
    again = rerun(runs, original)
    finish(runs, again)
    report = rerun_report(runs, original, again)
    assert {output.node for output in report.outputs} == {"import", "convert"}
    assert report.is_identical, report
    assert (report.pinned, report.warnings, report.seeds) == ([], [], {})


def test_what_differs_is_told_and_by_how_much(runs: RunService) -> None:
    (runs.workspace.modules_dir / "dice.py").write_text(DICE)
    nodes: dict[str, dict[str, Any]] = {
        "dice": {"module": "dice"},
        "two": {"module": "constant", "value": 2.0},
    }
    first, _ = run(runs, build({}, nodes))
    original = original_of_run(runs, first)
    again = rerun(runs, original)
    finish(runs, again)
    report = rerun_report(runs, original, again)
    assert not report.is_identical
    verdicts = {output.node: output for output in report.outputs}
    assert verdicts["two"].verdict == "identical"
    (file,) = verdicts["dice"].files
    assert verdicts["dice"].verdict == "different"
    assert file.details[0].startswith("column value: 1 of 3 values differ, by up to 1")
    run_id, _ = run(runs, build({}, {"two": nodes["two"]}))
    missing = rerun_report(runs, original, run_id)
    assert {output.node: output.verdict for output in missing.outputs}["dice"] == "missing"


def test_json_is_compared_by_value_and_times_do_not_count(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"x": {"y": [1, 2.5]}, "Train images per second": 100})
    write_json(tmp_path / "b.json", {"x": {"y": [1, 2.0]}, "Train images per second": 250})
    assert differences(tmp_path / "a.json", tmp_path / "b.json") == [
        "x.y[1] changed from 2.5 to 2.0, by 0.5"
    ]
    assert differences(tmp_path / "a.json", tmp_path / "a.json") == []
    missing = tmp_path / ("long" * 50) / ("name" * 50) / "a.json"
    prefix = "cannot be compared: "
    assert [len(text) for text in differences(tmp_path / "a.json", missing)] == [len(prefix) + 200]


def test_tables_are_compared_by_columns_and_rows(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"path": ["a", "b"], "p": [0.5, float("nan")], "seconds": [1, 2], "source": ["x", "x"]}
    )
    one, other = tmp_path / "a.parquet", tmp_path / "b.parquet"
    table.to_parquet(one)
    table.assign(source="y", seconds=[5, 6]).to_parquet(other)
    assert differences(one, other) == []
    table.assign(p=[0.75, float("nan")], path=["a", "c"]).to_parquet(other)
    assert differences(one, other) == [
        "column path: 1 of 2 values differ",
        "column p: 1 of 2 values differ, by up to 0.25",
    ]
    table.iloc[:1].drop(columns="p").to_parquet(other)
    assert differences(one, other) == [
        "column p is missing",
        "the number of rows changed from 2 to 1",
    ]
    other.write_bytes(b"damaged")
    assert differences(one, other)[0].startswith("cannot be compared")


def test_weights_are_compared_by_tensors(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for folder, seed in zip(folders, (1, 1, 2), strict=True):
        folder.mkdir()
        save_network(folder, seed, 0.5)
    first, same, other = (folder / "model.safetensors" for folder in folders)
    assert differences(first, same) == []
    (message,) = differences(first, other)
    assert "tensors differ, by up to" in message


def test_an_unknown_run_is_not_rerun(runs: RunService) -> None:
    with pytest.raises(LookupError):
        original_of_run(runs, "20200101-000000-ffff")


DICE = '''
from modules.context import Context
from modules.declare import module
from modules.artifacts import Table


@module(title="Dice", category="Tests", summary="Give another number in every run.")
def dice(context: Context) -> Table:
    """Count the runs there are."""
    import pandas as pd

    runs_dir = context.checkpoint_dir.parent.parent.parent
    count = float(len(list(runs_dir.iterdir())))
    return Table.write(context.new_folder(), pd.DataFrame({"value": [1.0, 2.0, count]}))
'''
