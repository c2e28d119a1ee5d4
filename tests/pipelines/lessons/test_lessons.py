"""Every lesson of the library runs as it is shipped, and teaches what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.artifacts import ScoredImages, TrainedModel
from modules.scoring.score_table import CATEGORY, LABEL, PATH, Scored
from pipelines.document.document import Endpoint, dump_document, load_document, parse_document
from pipelines.document.inference import derive_inference
from pipelines.events import RunState
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.lessons.guide import ParameterCheck, load_guide
from pipelines.replay.archive import read_file, unpack
from pipelines.runs.compared_runs import ComparedRuns
from pipelines.runs.prediction_changes import flip_summaries, flips
from pipelines.runs.run_service import RunService
from tests.json_values import as_json
from tests.pipelines.conftest import run, statuses
from tests.pipelines.lessons.lessons import LIBRARY, evaluation, lesson, runs
from tests.pipelines.lessons.recorded_positions import positions, recordings

__all__ = ["runs"]
LESSONS = sorted(LIBRARY.glob("*.json"))
FEW = "sample:shapes?classes=3&images=240&size=32&seed=4"
"""For lessons that are only to run here; what they teach: tests/full/test_whole_lessons.py."""
EXACT = ("train.epochs=1", "train.precision=fp32", "train.reproducible=on")
FEW_STEPS = (
    f"import.source={FEW}",
    "split.fraction_of_images_in_the_first_output=0.5",
    "train.batch_size=32",
)
"""Lesson 01 in four iterations: each magnifies what processors and threads round otherwise."""
GOLDEN_TRAIN_LOSS = 1.672
"""Of FEW_STEPS with EXACT: 1.66998 with one thread, 1.67407 with two, on an AMD EPYC."""


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_a_valid_small_documented_pipeline(path: Path, runs: RunService) -> None:
    document = load_document(path)
    assert document.id == path.stem
    assert len(document.description) > 40
    assert 3 <= len(document.nodes) <= 10
    assert [
        problem for problem in runs.checks.problems(document) if problem.severity == "error"
    ] == []
    assert dump_document(document) == path.read_text(encoding="utf-8")
    places = {(node.position.x, node.position.y) for node in document.nodes}
    assert len(places) == len(document.nodes)


def test_recordings_have_the_positions_of_their_lessons() -> None:
    for path, wanted in recordings():
        recorded = positions(unpack(read_file(path)).replay.document)
        assert recorded == {part: wanted.get(part, place) for part, place in recorded.items()}
        assert len(recorded) > 5


def test_lessons_are_numbered_from_1() -> None:
    assert [int(path.stem[:2]) for path in LESSONS] == list(range(1, len(LESSONS) + 1))


def check_flips(runs: RunService, states: dict[str, RunState]) -> None:
    """The flipped images are those whose labels differ between the two tables, read by hand."""
    tables = [
        Scored.read(
            ScoredImages(Path(runs.artifacts.outputs(state.steps["score"])["scored_dataset"])), ""
        )
        for state in states.values()
    ]
    one, other = (table.rows.set_index(PATH) for table in tables)
    differs = one[LABEL] != other[LABEL].reindex(one.index)
    right = one[LABEL] == one[CATEGORY]
    now_right = other[LABEL].reindex(one.index) == one[CATEGORY]
    compared = ComparedRuns(runs, list(states))
    [summary] = flip_summaries(compared)
    assert (summary.node, summary.shared, summary.flipped) == ("score", len(one), differs.sum())
    assert 0 < summary.flipped < summary.shared
    assert summary.fixed == [0, (~right & now_right).sum()]
    assert summary.broken == [0, (right & ~now_right).sum()]
    page = flips(compared, "score", limit=len(one))
    assert {image.path for image in page.images} == set(one.index[differs])
    for image in page.images:
        assert image.artifact
        assert image.file
        artifact, _, port = image.artifact.partition("/")
        assert (runs.artifacts.folder(artifact, port) / image.file).is_file()


def check_golden_loss(runs: RunService, state: RunState) -> None:
    """The same numbers on each kind of processor in single precision, to one per cent.

    Taken with torch 2.15; a change of them is a change of what training does.
    """
    folder = runs.artifacts.outputs(state.steps["train"])["trained_model"]
    history = TrainedModel(Path(folder)).history
    assert history["Train loss"].iloc[0] == pytest.approx(GOLDEN_TRAIN_LOSS, rel=0.01)
    last = 0.05 * (1 / 4) ** 2  # the 4th of 4 iterations, power 2
    assert history["learning rate"].iloc[0] == pytest.approx(last, rel=2e-3)


@pytest.mark.extended
def test_01_is_reused_the_second_time(runs: RunService) -> None:
    # whole, with its digits: tests/browser/test_newcomer.py
    document = lesson(runs, "01-digits", *FEW_STEPS, "train.epochs=2")
    first, state = run(runs, document)
    assert state.status == "completed", state.problem
    _, again = run(runs, document)
    assert set(statuses(again).values()) == {"reused"}
    second, changed = run(runs, lesson(runs, "01-digits", *FEW_STEPS, *EXACT))
    ran = {node for node, status in statuses(changed).items() if status == "completed"}
    assert ran == {"train", "score", "evaluate"}
    check_golden_loss(runs, changed)
    check_flips(runs, {first: state, second: changed})
    longer = lesson(runs, "01-digits", *FEW_STEPS, "train.epochs=9")
    foreseen = as_json(forecast_run(runs, longer))
    by_node = {item["node"]: item for item in foreseen["nodes"]}
    assert {item["basis"] for item in by_node.values()} <= {"reused", "measured"}
    took = changed.steps["train"].seconds
    assert took is not None
    assert by_node["train"]["seconds"] > took, "nine epochs take longer than one"


@pytest.mark.full  # as 01; transformations: tests/modules/transforms
@pytest.mark.extended
def test_02_draws_pictures_anew(runs: RunService) -> None:
    source = "import.source=sample:shapes?classes=4&images=80&size=48&seed=1"
    _, state = run(runs, lesson(runs, "02-shapes-resnet", source, "train.epochs=1"))
    assert state.status == "completed", state.problem


@pytest.mark.extended
def test_03_compares_two_models(runs: RunService) -> None:
    changes = [f"train_{name}.epochs=1" for name in ("densenet", "resnet")]
    _, state = run(runs, lesson(runs, "03-two-models-compared", f"import.source={FEW}", *changes))
    assert state.status == "completed", state.problem
    assert 0 < evaluation(runs, state)["compared"]["Overall_Accuracy"] <= 1
    folder = Path(runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"])
    assert (folder / "flipped.parquet").is_file()


@pytest.mark.full  # as 01
@pytest.mark.extended
def test_04_opens_ready_to_run(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "04-your-own-folder", "train.epochs=1"))
    assert state.status == "completed", state.problem


@pytest.mark.extended
def test_05_reads_digits_with_what_photographs_have_taught(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "05-transfer-learning"))
    assert state.status == "completed", state.problem
    assert not state.steps["train"].warnings
    folder = runs.artifacts.outputs(state.steps["train"])["trained_model"]
    assert TrainedModel(Path(folder)).recipe["freeze"] == "all but the head"
    assert evaluation(runs, state)["Overall_Accuracy"] > 0.8


@pytest.mark.full  # it runs above; another network needs another run
@pytest.mark.extended
def test_05_reads_fewer_digits_without_what_photographs_have_taught(runs: RunService) -> None:
    taught, untaught = (
        evaluation(runs, run(runs, lesson(runs, "05-transfer-learning", *changes))[1])
        for changes in ((), ("network.pretrained=false",))
    )
    assert taught["Overall_Accuracy"] > untaught["Overall_Accuracy"] + 0.1


@pytest.mark.full  # as test_own_weights and test_weights
@pytest.mark.extended
def test_05_starts_from_weights_of_a_file(runs: RunService, tmp_path: Path) -> None:
    import torch
    from torchvision.models import shufflenet_v2_x0_5

    weights = tmp_path / "network.pth"
    torch.save(shufflenet_v2_x0_5().state_dict(), weights)
    model = "network.model_name=shufflenet_v2_x0_5"
    changes = (model, f"network.weights_path={weights}", "train.epochs=2")
    _, state = run(runs, lesson(runs, "05-transfer-learning", *changes))
    assert state.status == "completed", state.problem


@pytest.mark.extended
def test_06_trains_on_two_simulated_nodes(runs: RunService) -> None:
    few = (f"import.source={FEW}", "train.epochs=1")
    run_id, state = run(runs, lesson(runs, "06-distributed", *few))
    assert state.status == "completed", state.problem
    node_dir = runs.workspace.node_dir(run_id, "train")
    logs = sorted(path.name for path in node_dir.glob("70_*.txt"))
    assert logs == [*(f"70_driver_log_{rank}.txt" for rank in range(4)), "70_launcher_log.txt"]


@pytest.mark.extended
def test_08_is_wrong(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "08-why-is-it-wrong", "train.epochs=8"))
    assert state.status == "completed", state.problem
    assert evaluation(runs, state)["Overall_Accuracy"] < 0.3, "it learns nothing"


@pytest.mark.full  # it runs above; each cure needs another run
@pytest.mark.extended
def test_08_is_wrong_twice_and_can_be_cured(runs: RunService) -> None:
    short = "train.epochs=8"
    leaking = lesson(runs, "08-why-is-it-wrong", short, "train.learning_rate=0.5")
    _, state = run(runs, leaking)
    too_good = evaluation(runs, state)["Overall_Accuracy"]
    second = Endpoint(node="split", port="output_image_directory2")
    inputs = {("score", "dataset"), ("train", "validation_dataset")}
    links = tuple(
        link.model_copy(update={"from_": second})
        if (link.to.node, link.to.port) in inputs
        else link
        for link in leaking.links
    )
    _, state = run(runs, leaking.model_copy(update={"links": links}))
    honest = evaluation(runs, state)["Overall_Accuracy"]
    assert 0.6 < honest < too_good - 0.05


@pytest.mark.extended
def test_12_learns_from_five_images(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "12-teach-it-with-five-pictures"))
    assert state.status == "completed", state.problem
    few = evaluation(runs, state)["Overall_Accuracy"]
    assert 0.4 < few < 1, "five images a class teach much, but not everything"


@pytest.mark.full  # it runs above; more images need another run
@pytest.mark.extended
def test_12_is_better_with_more_images(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "12-teach-it-with-five-pictures"))
    few = evaluation(runs, state)["Overall_Accuracy"]
    more = "import.source=sample:shapes?classes=8&images=320&size=32&seed=5"
    _, state = run(runs, lesson(runs, "12-teach-it-with-five-pictures", more))
    assert evaluation(runs, state)["Overall_Accuracy"] > few


@pytest.mark.extended
def test_13_exports_a_file_that_agrees_and_contains_the_pipeline(runs: RunService) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    few = (f"import.source={FEW}", "train.epochs=1")
    document = lesson(runs, "13-export-and-share-a-model", *few)
    _, state = run(runs, document)
    assert state.status == "completed", state.problem
    folder = Path(runs.artifacts.outputs(state.steps["export"])["exported_model"])
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["agreement"]["equal_labels"] >= 0.99 * card["agreement"]["images"] > 0
    model = onnx.load(folder / "model.onnx")
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    contained = parse_document(json.loads(metadata["pipeline-designer"]))
    assert {node.id for node in contained.nodes} == {node.id for node in document.nodes}


def test_14_derives_the_pipeline_that_its_step_asks_for(runs: RunService) -> None:
    derived = derive_inference(lesson(runs, "14-an-endpoint"), runs.catalog, "digits@1").document
    [step] = (
        step
        for step in load_guide("14-an-endpoint").steps
        if any(check.kind == "parameter" for check in step.checks)
    )
    [check] = step.checks
    assert isinstance(check, ParameterCheck)
    node = derived.node(check.node)
    assert node
    assert node.parameters[check.parameter] == check.value
