"""What a real run left behind, looked at: evaluation, tables, models, the way of one picture."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from modules.artifacts import ScoredImages
from pipelines.errors import InspectionError, UnreadableArtifactError
from pipelines.inspection import evaluation, tables
from pipelines.inspection.client import Inspector
from pipelines.inspection.image_trace import (
    InDirectory,
    InEvaluation,
    InScores,
    InTraining,
    image_facts,
    stations,
)
from pipelines.inspection.images import opened
from pipelines.inspection.models import trained_facts
from pipelines.inspection.questions import EXPLANATION, LAYERS, SAMPLES
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.inspection.tables import Filter, Query
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.inspection.runs import CLASSES, HOSTILE, IMAGES_PER_CLASS
from tests.pipelines.inspection.scored_run import scored_run

pytestmark = pytest.mark.extended

NUM_SCORED = len(CLASSES) * IMAGES_PER_CLASS // 2


def output(outputs: RunOutputs, node: str) -> RunOutput:
    return next(item for item in outputs.all if item.node == node)


def test_the_outputs_know_what_was_linked(outputs: RunOutputs) -> None:
    scored = outputs.input("evaluate", "scored_dataset")
    assert scored is not None
    assert (scored.node, scored.type) == ("score", "ScoredImages")
    assert outputs.dataset_of(scored) == outputs.output("split", "output_image_directory2")
    assert outputs.input("train", "no_such_port") is None
    assert outputs.title("train") == "Train PyTorch Model"


def test_a_run_that_is_gone_has_no_outputs(outputs: RunOutputs) -> None:
    gone = RunOutputs(outputs.runs, "20200101-000000-0000")
    assert gone.all == ()
    assert gone.input("train", "untrained_model") is None


def test_the_matrix_holds_every_image_and_its_cells_their_own(outputs: RunOutputs) -> None:
    folder = output(outputs, "evaluate").folder
    scored = evaluation.scored_input(outputs, "evaluate")
    assert scored is not None
    cells = evaluation.confusion(folder)
    assert int(cells["count"].sum()) == NUM_SCORED
    assert set(evaluation.classes(folder)) == set(CLASSES)
    for actual, predicted, count in cells[["actual", "predicted", "count"]].itertuples(index=False):
        paths = evaluation.paths_of_cell(scored.folder, str(actual), str(predicted))
        assert len(paths) == count
    assert cells.groupby("actual")["rate"].sum().round(6).eq(1).all()


def test_thresholds_begin_at_the_accuracy_and_at_full_recall(outputs: RunOutputs) -> None:
    folder = output(outputs, "evaluate").folder
    scored = evaluation.scored_input(outputs, "evaluate")
    assert scored is not None
    everything = evaluation.by_threshold(scored.folder)
    assert everything["accepted"].iloc[0] == 1
    assert everything["accuracy"].iloc[0] == pytest.approx(
        evaluation.metrics(folder)["Overall_Accuracy"]
    )
    assert everything["accepted"].is_monotonic_decreasing
    of_class = evaluation.by_threshold(scored.folder, HOSTILE)
    assert of_class["recall"].iloc[0] == 1
    assert of_class["precision"].iloc[0] == pytest.approx(1 / len(CLASSES))


def test_two_inputs_stand_side_by_side(outputs: RunOutputs) -> None:
    folder = output(outputs, "evaluate").folder
    assert evaluation.has_two_inputs(folder)
    rows = evaluation.metric_table(folder).set_index("metric")
    accuracy = rows.loc["Overall_Accuracy"]
    assert accuracy["difference"] == pytest.approx(accuracy["compared"] - accuracy["value"])
    assert evaluation.scored_input(outputs, "evaluate", evaluation.COMPARED) == output(
        outputs, "score_grey"
    )


def test_a_table_is_filtered_sorted_and_paged_as_pandas_would(outputs: RunOutputs) -> None:
    path = output(outputs, "score").folder / ScoredImages.file_name
    whole = pd.read_parquet(path)
    query = Query((Filter("category", "is", HOSTILE.upper()),), "confidence", descending=True)
    wanted = whole[whole["category"] == HOSTILE].sort_values(
        "confidence", ascending=False, kind="stable"
    )
    assert len(tables.matching(path, query)) == len(wanted) == IMAGES_PER_CLASS // 2
    second = tables.page(path, query, ["path", "confidence"], 2, 2)
    assert list(second["path"]) == list(wanted["path"].iloc[2:4])
    assert list(pd.read_csv(io.BytesIO(tables.as_csv(path, query)))["path"]) == list(wanted["path"])
    kept = pd.read_parquet(io.BytesIO(tables.as_parquet(path, query)))
    assert kept.equals(wanted.reset_index(drop=True))


@pytest.mark.parametrize(
    ("column", "operator", "value", "count"),
    [
        ("confidence", "at least", "0", NUM_SCORED),
        ("confidence", "at most", "-1", 0),
        ("confidence", "at least", "not a number", 0),
        ("path", "contains", "(1", IMAGES_PER_CLASS // 2),
        ("path", "contains", "[", 0),
        ("path", "contains", ".PNG", NUM_SCORED),
        ("category", "is not", "bar", NUM_SCORED - IMAGES_PER_CLASS // 2),
        ("no such column", "is", "1", NUM_SCORED),
    ],
)
def test_filters(
    outputs: RunOutputs, column: str, operator: tables.Operator, value: str, count: int
) -> None:
    path = output(outputs, "score").folder / ScoredImages.file_name
    assert len(tables.matching(path, Query((Filter(column, operator, value),)))) == count


def test_a_broken_table_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "scored.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(UnreadableArtifactError, match="Run its node again"):
        tables.columns(tmp_path / "scored.parquet")


def test_a_trained_model_is_described_without_its_weights(outputs: RunOutputs) -> None:
    facts = trained_facts(output(outputs, "train").folder)
    assert facts.architecture == "resnet18"
    assert set(facts.classes) == set(CLASSES)
    assert (facts.best_epoch, list(facts.history["epoch"])) == (1, [1])
    assert {"Train loss", "Valid loss"} <= set(facts.history.columns)
    assert facts.weights_bytes > 4 * facts.num_parameters > 40_000_000


def test_one_picture_is_seen_at_every_node_it_passed(outputs: RunOutputs) -> None:
    validation = outputs.output("split", "output_image_directory2")
    assert validation is not None
    image = image_facts(validation.folder, 0)
    passed = stations(outputs, image)
    assert [type(item) for item in passed if item.output.node == "train"] == [InTraining]
    trained = next(item for item in passed if isinstance(item, InTraining))
    assert trained.role == "Validated with"
    nodes = [item.output.node for item in passed if isinstance(item, InDirectory)]
    assert sorted(nodes) == ["apply_grey", "convert", "split"]
    scores = [item for item in passed if isinstance(item, InScores)]
    assert [score.output.node for score in scores] == ["score", "score_grey"]
    assert sum(scores[0].probabilities.values()) == pytest.approx(1, abs=1e-4)
    assert scores[0].loss is not None
    cells = [item for item in passed if isinstance(item, InEvaluation)]
    assert [cell.compared for cell in cells] == [False, True]
    assert (cells[0].actual, cells[0].predicted) == (image.label, scores[0].label)


def test_an_image_that_was_learned_from_was_not_scored(outputs: RunOutputs) -> None:
    training = outputs.output("split", "output_image_directory1")
    assert training is not None
    passed = stations(outputs, image_facts(training.folder, 0))
    assert [item.role for item in passed if isinstance(item, InTraining)] == ["Learned from"]
    assert not any(isinstance(item, InScores) for item in passed)
    with pytest.raises(UnreadableArtifactError, match="has no image"):
        image_facts(training.folder, len(opened(training.folder).images))


def test_a_picture_is_not_taken_for_one_whose_name_has_other_capitals(tmp_path: Path) -> None:
    runs = WorkspaceSession(Workspace.at(tmp_path / "workspace").make()).runs
    run_outputs = RunOutputs(
        runs, scored_run(runs, "capitals", {"cat/A.png": 0.875, "cat/a.png": 0.25})
    )
    folder = output(run_outputs, "convert").folder
    results = [
        (image.path, station.label, station.confidence)
        for image in (image_facts(folder, place) for place in (0, 1))
        for station in stations(run_outputs, image)
        if isinstance(station, InScores)
    ]
    assert results == [("cat/A.png", "cat", 0.875), ("cat/a.png", "dog", 0.75)]
    runs.database.close()


def test_the_inspector_measures_a_network(outputs: RunOutputs, inspector: Inspector) -> None:
    facts = trained_facts(output(outputs, "train").folder)
    recipe = {"family": "ResNet", "architecture": "resnet18"}
    answer = inspector.ask(LAYERS, recipe=recipe, num_classes=3, height=32, width=32)
    layers = answer["layers"]
    assert layers[0]["output_shape"] == [64, 16, 16]
    assert sum(layer["flops"] for layer in layers) == answer["flops_per_image"] > 0
    counted = sum(layer["num_parameters"] for layer in layers)
    assert counted == answer["num_parameters"] == facts.num_parameters
    with pytest.raises(InspectionError, match=r"exactly|at least"):
        inspector.ask(
            LAYERS,
            recipe={"family": "", "architecture": "inception_v3"},
            num_classes=3,
            height=32,
            width=32,
        )


def test_the_inspector_draws_the_same_for_the_same_seed(
    outputs: RunOutputs, inspector: Inspector
) -> None:
    def drawn(seed: int, node: str = "apply") -> list[str]:
        folder = str(output(outputs, node).folder)
        asked = {"dataset": folder, "index": 1, "transformation": None, "count": 4}
        return list(inspector.ask(SAMPLES, seed=seed, **asked)["after"])

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)
    assert len(set(drawn(5))) > 1
    assert len(set(drawn(5, "apply_grey"))) == 1, "nothing is random for inference"


def test_the_inspector_explains_a_prediction_and_survives_its_end(
    outputs: RunOutputs, inspector: Inspector
) -> None:
    scored = output(outputs, "score")
    dataset, model = outputs.dataset_of(scored), outputs.input("score", "trained_model")
    assert dataset is not None
    assert model is not None
    asked = {"model": str(model.folder), "dataset": str(dataset.folder), "index": 2}
    image = image_facts(dataset.folder, 2)
    station = next(item for item in stations(outputs, image) if isinstance(item, InScores))
    answer = inspector.ask(EXPLANATION, class_name=HOSTILE, **asked)
    for name, probability in station.probabilities.items():
        assert answer["probabilities"][name] == pytest.approx(probability, abs=0.02)
    assert answer["explained"] == HOSTILE
    assert answer["overlay"] != answer["seen"]
    assert [item["channel"] for item in answer["tensor"]] == ["red", "green", "blue"]
    inspector.stop()
    again = inspector.ask(EXPLANATION, class_name="no such class", **asked)
    assert again["explained"] == station.label
