"""What a replay keeps of a run, and that it opens where there is nothing of it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.events import Event, fold
from pipelines.execution.runner_lock import without_runner
from pipelines.problems import PipelineError
from pipelines.replay.archive import OpenReplay, unpack, write_file
from pipelines.replay.downsampling import thinned
from pipelines.replay.library import LESSONS_DIR, ReplayShelf, export
from pipelines.replay.result import recorded_headline
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace

WITHOUT_TORCH = """
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "torchvision"):
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, NoTorch())
from pipelines.cli import main
sys.argv = ["designer", *sys.argv[1:]]
main()
"""


def test_the_state_at_the_end_is_that_of_the_run(
    opened: OpenReplay, recorded_runs: tuple[RunService, str]
) -> None:
    runs, run_id = recorded_runs
    state = runs.store.state(run_id)
    assert opened.state().status == state.status == "completed"
    assert opened.state() == state


def test_it_holds_pictures_hashes_logs_and_the_machine(
    opened: OpenReplay, recorded_runs: tuple[RunService, str]
) -> None:
    runs, run_id = recorded_runs
    replay = opened.replay
    assert {(artifact.node, artifact.port) for artifact in replay.artifacts} == {
        ("import", "dataset"),
        ("convert", "output_image_directory"),
        ("split", "output_image_directory1"),
        ("split", "output_image_directory2"),
    }
    assert all(artifact.content for artifact in replay.artifacts)
    first = next(preview for preview in replay.previews if preview.node == "convert")
    assert first.kind == "images"
    assert (first.num_images, first.num_classes) == (30, 3)
    assert {sample.label for sample in first.samples} == {item.name for item in first.classes}
    assert all(sample.picture in opened.pictures for sample in first.samples)
    whole = (runs.workspace.runs_dir / run_id / "convert" / "70_driver_log_0.txt").read_bytes()
    assert opened.logs.get("convert/70_driver_log_0.txt", b"") == whole
    assert replay.environment.cores >= 1
    assert replay.environment.libraries["torch"] != "absent"


@pytest.mark.extended
def test_it_opens_without_torch_data_and_runs(content: bytes, tmp_path: Path) -> None:
    file, workspace = tmp_path / "sent.replay", tmp_path / "workspace"
    write_file(content, file)
    options = ("--json", "--workspace", str(workspace))
    for command in (["open", str(file)], ["list"], ["show", str(file)]):
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_TORCH, "replay", *command, *options],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)
    assert [path.name for path in workspace.iterdir()] == ["replays"]


def test_the_same_file_is_kept_once_and_apart_from_runs(
    content: bytes, workspace: Workspace
) -> None:
    shelf = ReplayShelf(workspace)
    replay_id = shelf.add(content)
    assert shelf.add(content) == replay_id
    [entry] = [item for item in shelf.all() if not item.is_lesson]
    assert (entry.id, entry.status, entry.num_nodes) == (replay_id, "completed", 3)
    assert shelf.open(replay_id).state().status == "completed"
    assert shelf.find(replay_id[:20]) == replay_id
    shelf.remove(replay_id)
    assert [item for item in shelf.all() if not item.is_lesson] == []
    with pytest.raises(LookupError, match="replay list"):
        shelf.open(replay_id)


def test_a_file_that_was_damaged_meanwhile_is_listed_as_such(
    content: bytes, workspace: Workspace
) -> None:
    shelf = ReplayShelf(workspace)
    path = shelf.path(shelf.add(content))
    path.write_bytes(content[: len(content) // 2])
    [entry] = [item for item in shelf.all() if not item.is_lesson]
    assert entry.status == "damaged"
    assert entry.damage


def test_a_run_under_way_is_not_exported(recorded_runs: tuple[RunService, str]) -> None:
    runs, run_id = recorded_runs
    document = runs.find(run_id).document
    runs.runner.stop()
    with without_runner(runs.workspace) as there_is_none:
        assert there_is_none, "a runner would take the run for one of its own"
        waiting = runs.store.create(document, ["import"], name="waits", experiment="waits")
        with pytest.raises(PipelineError, match="is still active"):
            export(runs, waiting)
        runs.cancel(waiting)
    for _ in runs.follow(waiting):
        continue
    assert unpack(export(runs, waiting)).state().status == "cancelled"


BROKEN = "08-why-is-it-wrong"
"""The lesson that comes with two mistakes to be found."""


@pytest.mark.parametrize("path", sorted(LESSONS_DIR.glob("*.replay")), ids=lambda path: path.stem)
def test_a_recorded_lesson_is_whole_small_and_of_the_lesson_as_it_is(path: Path) -> None:
    content = path.read_bytes()
    assert len(content) < 300_000
    opened = unpack(content)
    assert opened.state().status == "completed"
    lesson = json.loads((LESSONS_DIR.parent / f"{path.stem}.json").read_text(encoding="utf-8"))
    assert [node["id"] for node in opened.replay.document["nodes"]] == [
        node["id"] for node in lesson["nodes"]
    ]
    kinds = {preview.kind for preview in opened.replay.previews}
    assert {"images", "predictions", "evaluation", "model"} <= kinds
    evaluation = next(preview for preview in opened.replay.previews if preview.kind == "evaluation")
    is_right = (evaluation.metrics["Overall_Accuracy"] or 0) > 0.5
    assert is_right == (path.stem != BROKEN)
    assert sum(map(sum, evaluation.confusion)) > 0
    headline = recorded_headline(opened)
    assert headline is not None
    assert (headline.node, headline.metric) == (evaluation.node, "Overall_Accuracy")
    assert headline.value == evaluation.metrics["Overall_Accuracy"]


def test_a_replay_of_reused_nodes_has_the_result_of_its_evaluation() -> None:
    opened = unpack((LESSONS_DIR / "01-digits.replay").read_bytes())
    silent = [event for event in opened.events if event.kind != "MetricLogged"]
    headline = recorded_headline(replace(opened, events=silent))
    assert headline is not None
    assert headline.text == "98.1 %"
    nothing = opened.replay.model_copy(update={"previews": []})
    assert recorded_headline(replace(opened, events=silent, replay=nothing)) is None


NODES = st.sampled_from(["train", "score"])
PROGRESS = st.builds(
    lambda node, rank, done: Event(
        "StepProgress", node, {"done": done, "total": 9e9, "unit": "images", "rank": rank}, 1.0
    ),
    NODES,
    st.integers(0, 1),
    st.integers(0, 10**6),
)
POINTS = st.builds(
    lambda node, step, value: Event(
        "MetricLogged", node, {"name": "Train loss", "step": step, "value": value}, 1.0
    ),
    NODES,
    st.integers(0, 10**6),
    st.floats(-1e3, 1e3) | st.none(),
)
OTHERS = st.builds(lambda node: Event("StepRunning", node, {}, 1.0), NODES)


@given(st.lists(PROGRESS | POINTS | OTHERS, max_size=60), st.integers(1, 40))
def test_thinning_keeps_order_ends_and_the_state(events: list[Event], times: int) -> None:
    many = events * times
    kept = thinned(many)
    assert fold(kept) == fold(many)
    places = iter(many)
    assert all(any(item is other for other in places) for item in kept)


def test_thinning_loses_no_spike() -> None:
    values = [1.0] * 100_000
    values[77_777] = 99.0
    points = [
        Event("MetricLogged", "train", {"name": "loss", "step": step, "value": value}, float(step))
        for step, value in enumerate(values)
    ]
    kept = thinned(points)
    assert len(kept) <= 2_000
    assert max(item.data["value"] for item in kept) == 99.0
    assert (kept[0].data["step"], kept[-1].data["step"]) == (0, 99_999)
