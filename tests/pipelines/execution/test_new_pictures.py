"""A trained model meets pictures whose classes nobody wrote down, by real runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ScoredImages
from pipelines.document.document import PipelineDocument
from pipelines.events import RunState
from pipelines.inspection import tables
from pipelines.inspection.image_trace import InScores, image_facts, stations
from pipelines.inspection.preview_models import PredictionsPreview
from pipelines.inspection.previews import PictureBox, Previewer
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import run, statuses
from tests.pipelines.execution.refusals import Node, node, wired
from tests.pipelines.execution.small_trainings import pictures

pytestmark = pytest.mark.extended

NUM_NEW = 5
SMALL = {"size": 32, "crop_size": 32}
TO_APPLY = "init.output_image_transformation -> apply.input_image_transformation"


def scoring(old: str, new: str, processes: int = 1, **convert: Any) -> PipelineDocument:
    """Train on one source and score another one, with a transformation between and without."""
    settings = {"process_count_per_node": processes}
    nodes: list[Node] = [
        node("import-old", "import_images", source=old),
        node("convert-old", "convert_to_image_directory"),
        node("resnet", "resnet", model_name="resnet18", pretrained=False),
        node("train", "train_pytorch_model", epochs=1, batch_size=4),
        node("import-new", "import_images", source=new),
        node("convert-new", "convert_to_image_directory", **convert),
        node("init", "init_image_transformation", **SMALL),
        node("apply", "apply_image_transformation"),
    ]
    links = [
        "import-old.dataset -> convert-old.input_dataset",
        "resnet.untrained_model -> train.untrained_model",
        "convert-old.output_image_directory -> train.training_dataset",
        "convert-old.output_image_directory -> train.validation_dataset",
        "import-new.dataset -> convert-new.input_dataset",
        TO_APPLY,
        "convert-new.output_image_directory -> apply.input_image_directory",
    ]
    for name, source in (("score", "convert-new"), ("score-applied", "apply")):
        nodes.append(node(name, "score_image_model", run_settings=settings))
        links.append("train.trained_model -> " + f"{name}.trained_model")
        links.append(f"{source}.output_image_directory -> {name}.dataset")
    nodes.append(node("evaluate", "evaluate_model"))
    links.append("score.scored_dataset -> evaluate.scored_dataset")
    return wired(nodes, *links)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> str:
    return pictures(tmp_path_factory.mktemp("old"), "ab", 4)


def flat(folder: Path, table: str | None = None) -> str:
    """Pictures in one folder, ``0.png`` and so on, perhaps with a table of labels beside them."""
    source = pictures(folder, "-", NUM_NEW)
    if table is not None:
        (folder / "labels.csv").write_text(table, encoding="utf-8")
    return source


def rows(runs: RunService, state: RunState, name: str) -> Any:
    return scored_images(runs, state, name).rows


def scored_images(runs: RunService, state: RunState, name: str) -> ScoredImages:
    assert statuses(state)[name] == "completed", state.steps[name].problem
    return ScoredImages(Path(runs.artifacts.outputs(state.steps[name])["scored_dataset"]))


@pytest.mark.parametrize(
    "processes",
    [1, pytest.param(2, marks=pytest.mark.full)],  # as scoring in tests/modules/compute
)
def test_a_flat_folder_of_photographs_is_scored(
    processes: int, old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    _, state = run(shared_runs, scoring(old, flat(tmp_path / "new"), processes))
    plain, applied = (rows(shared_runs, state, name) for name in ("score", "score-applied"))
    for table in (plain, applied):
        assert list(table["path"]) == [f"{number}.png" for number in range(NUM_NEW)]
        assert "category" not in table.columns
        assert table["loss"].isna().all()
        assert set(table["Scored Labels"]) <= {"a", "b"}
    # what is applied changes nothing about pictures of this size
    assert plain["confidence"].to_numpy() == pytest.approx(applied["confidence"], abs=1e-5)
    problem = state.steps["evaluate"].problem
    assert problem is not None
    assert (problem["code"], problem["port"]) == ("0024", "scored_dataset")


@pytest.mark.parametrize("class_from", ["folder name", "none"])
def test_an_empty_class_column_leaves_the_pictures_unlabelled(
    class_from: str, old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    table = "path,label\n" + "".join(f"{number}.png,\n" for number in range(NUM_NEW))
    document = scoring(old, flat(tmp_path / "new", table), class_from=class_from)
    _, state = run(shared_runs, document)
    assert len(rows(shared_runs, state, "score")) == NUM_NEW
    assert "category" not in rows(shared_runs, state, "score-applied").columns


def test_what_a_table_labels_in_part_is_scored_in_part(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    source = flat(tmp_path / "new", "path,label\n0.png,a\n1.png,b\n2.png,\n")
    _, state = run(shared_runs, scoring(old, source))
    assert list(rows(shared_runs, state, "score")["category"]) == ["a", "b"]
    assert any("2.png" in warning for warning in state.steps["convert-new"].warnings)
    assert state.status == "completed"
    _, state = run(shared_runs, scoring(old, source, class_from="none"))
    assert len(rows(shared_runs, state, "score")) == NUM_NEW


@pytest.mark.full  # as those that a table labels in part
def test_pictures_of_one_class_are_scored_and_evaluated(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    table = "path,label\n" + "".join(f"{number}.png,a\n" for number in range(NUM_NEW))
    _, state = run(shared_runs, scoring(old, flat(tmp_path / "new", table)))
    scored = rows(shared_runs, state, "score")
    assert list(scored["category"]) == ["a"] * NUM_NEW
    assert scored["loss"].notna().all()
    assert state.status == "completed", state.steps["evaluate"].problem


def test_what_shows_scored_tables_shows_them_without_labels(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    run_id, state = run(shared_runs, scoring(old, flat(tmp_path / "new")))
    outputs = RunOutputs(shared_runs, run_id)
    scored = scored_images(shared_runs, state, "score")
    path = scored.path / ScoredImages.file_name
    query = tables.Query((tables.Filter("loss", "at least", "0"),), "loss")
    assert len(tables.matching(path, query)) == 0
    assert len(tables.page(path, tables.Query(sort="loss"), ["path", "loss"], 0, 9)) == NUM_NEW
    assert tables.as_csv(path, tables.Query()).count(b"\n") == NUM_NEW + 1
    images = next(item for item in outputs.all if item.node == "convert-new")
    seen = stations(outputs, image_facts(images.folder, 0))
    [first, _] = [item for item in seen if isinstance(item, InScores)]
    assert (first.category, first.loss) == (None, None)
    previewer = Previewer(PictureBox(), lambda *_: images.folder)
    preview = previewer.preview("ScoredImages", "score", "scored_dataset", scored.path)
    assert isinstance(preview, PredictionsPreview)
    assert (preview.num_images, preview.num_wrong) == (NUM_NEW, None)
    assert all(sample.picture and sample.actual is None for sample in preview.samples)
