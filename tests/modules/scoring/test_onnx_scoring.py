"""Score Image Model with ONNX files: agreement with torch, and everything that is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from modules.artifacts import (
    AttachedTransformation,
    ExportedModel,
    ImageDirectory,
    OnnxModel,
    ScorableModel,
    ScoredImages,
    TrainedModel,
    write_json,
)
from modules.context import Context, Report
from modules.errors import InvalidModelDirectoryError, ModelGoneError, SourceNotAllowedError
from modules.export.export_model import ExportParameters, export_model
from modules.export.formats import Format
from modules.export.onnx_classifier import OnnxClassifier
from modules.export.onnx_model import OnnxModelParameters, onnx_model
from modules.forecast import ArtifactForecast
from modules.foreign_model import ForeignModel
from modules.scoring.evaluate_model import evaluate_model
from modules.scoring.score_image_model import score_image_model
from modules.training.training_images import write_training_images
from tests.modules.compute.ranks import run_ranks
from tests.modules.export.pictures import (
    CLASSES,
    directory,
    lively_model,
    picture_files,
    soft_directory,
)

COLUMNS = [f"Scored Probabilities_{name}" for name in CLASSES]
Formed = Callable[..., OnnxModel]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    abstention = {"threshold": 0.4, "allowed": 0.02, "answered": 0.9, "wrong": 0.01}
    abstention |= {"wrong_at_most": 0.05, "num_images": 50}
    return lively_model(tmp_path_factory.mktemp("model"), "resnet18", abstention=abstention)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ImageDirectory:
    return soft_directory(tmp_path_factory.mktemp("store") / "a/out", 25)


@pytest.fixture(scope="module")
def exported(
    model: TrainedModel, images: ImageDirectory, tmp_path_factory: pytest.TempPathFactory
) -> OnnxModel:
    write_training_images(model.path, images)
    return _exported(tmp_path_factory.mktemp("exported"), model, images)


def _exported(
    folder: Path, model: TrainedModel, images: ImageDirectory, **parameters: Any
) -> OnnxModel:
    chosen = ExportParameters(**parameters)
    made = export_model(model, chosen, Context(folder, threads=1), images)[0]
    assert isinstance(made, OnnxModel)
    made.check()
    return made


def _score(
    folder: Path, model: ScorableModel, dataset: ImageDirectory, events: list[Report] | None = None
) -> Any:
    emit: Any = (events if events is not None else []).append
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2, emit=emit)
    return score_image_model(model, dataset, context)[0]


def test_the_same_table_as_with_torch_on_odd_pictures(
    tmp_path: Path, model: TrainedModel, exported: OnnxModel
) -> None:
    pictures = directory(tmp_path / "pictures", list(picture_files(64)))
    # as a step receives it: by the type of the port
    ours = _score(tmp_path / "onnx", ScorableModel(exported.path), pictures).rows
    theirs = _score(tmp_path / "torch", model, pictures).rows
    assert list(ours.columns) == list(theirs.columns)
    assert ours.dtypes.equals(theirs.dtypes)
    assert list(ours["Scored Labels"]) == list(theirs["Scored Labels"])
    assert np.abs(ours[COLUMNS].to_numpy() - theirs[COLUMNS].to_numpy()).max() < 1e-4
    assert list(ours["accepted"]) == list(theirs["accepted"])


def test_evaluate_gives_the_same_metrics_and_reports_training_images(
    tmp_path: Path, model: TrainedModel, exported: OnnxModel, images: ImageDirectory
) -> None:
    events: list[Report] = []
    scored = _score(tmp_path / "onnx", exported, images, events)
    ours = evaluate_model(scored, Context(tmp_path / "1", emit=events.append))[0].metrics
    theirs = evaluate_model(_score(tmp_path / "torch", model, images), Context(tmp_path / "2"))[0]
    assert ours == pytest.approx(theirs.metrics, abs=1e-4)
    warnings = [event["message"] for event in events if event["kind"] == "warning"]
    assert [text for text in warnings if "25 of 25" in text and "copies" in text]


@pytest.mark.full  # as with torch: test_distributed
@pytest.mark.extended
def test_every_process_scores_its_share(
    tmp_path: Path, exported: OnnxModel, images: ImageDirectory
) -> None:
    (tmp_path / "model").symlink_to(exported.path)
    (tmp_path / "images").symlink_to(images.path)
    assert run_ranks(score_share, 2, tmp_path) == [0, 0]
    rows = ScoredImages(tmp_path / "staging0/0").rows
    alone = _score(tmp_path / "alone", exported, images).rows
    assert np.abs(rows[COLUMNS].to_numpy() - alone[COLUMNS].to_numpy()).max() < 1e-5


def score_share(rank: int, world_size: int, folder: Path) -> None:
    context = Context(
        folder / f"staging{rank}",
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
        threads=1,
    )
    images = ImageDirectory(folder / "images")
    score_image_model(ExportedModel(folder / "model"), images, context)


@pytest.mark.full  # the same file: test_exported_file; the same scoring: with onnx, above
@pytest.mark.extended
def test_int8_gives_the_same_table(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory
) -> None:
    small = _exported(tmp_path / "exported", model, images, format="onnx-int8")
    rows = _score(tmp_path / "onnx", small, images).rows
    theirs = _score(tmp_path / "torch", model, images).rows
    assert (rows["Scored Labels"] == theirs["Scored Labels"]).mean() >= 0.95


@pytest.mark.extended
def test_batches_need_images_of_their_size(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory
) -> None:
    batch = _exported(tmp_path / "exported", model, images, batch=True)
    theirs = _score(tmp_path / "torch", model, images).rows
    rows = _score(tmp_path / "onnx", batch, images).rows
    assert np.abs(rows[COLUMNS].to_numpy() - theirs[COLUMNS].to_numpy()).max() < 1e-4
    attached = ({"operation": "resize", "size": 40}, {"operation": "center_crop", "size": 40})
    other = _attached(tmp_path / "store/b/out", images, attached)
    with pytest.raises(InvalidModelDirectoryError, match=r"40 x 40 pixels.* batches of 64 x 64"):
        _score(tmp_path / "other", batch, other)


def _attached(folder: Path, images: ImageDirectory, operations: Any) -> ImageDirectory:
    folder.mkdir(parents=True)
    attached = AttachedTransformation(tuple(operations), "For inference")
    table = images.images
    made = ImageDirectory.write(folder, table, images.classes, attached)
    (folder / "images").symlink_to(images.path / "images")
    return made


def test_another_transformation_is_reported(
    tmp_path: Path, exported: OnnxModel, images: ImageDirectory
) -> None:
    inside = exported.card["operations"]
    for operations, warned in ((inside, 0), (({"operation": "resize", "size": 40},), 1)):
        events: list[Report] = []
        dataset = _attached(tmp_path / f"store/{warned}/out", images, operations)
        _score(tmp_path / f"{warned}", exported, dataset, events)
        messages = [event["message"] for event in events if event["kind"] == "warning"]
        assert sum("attached transformation is not used" in text for text in messages) == warned


def test_other_formats_are_refused_before_and_in_a_run(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory
) -> None:
    weights = export_model(model, ExportParameters(format="safetensors"), Context(tmp_path), None)[
        0
    ]
    assert not isinstance(weights, OnnxModel)
    with pytest.raises(InvalidModelDirectoryError, match="cannot score the format safetensors"):
        _score(tmp_path / "scored", weights, images)
    assert score_image_model.forecast is not None
    assert export_model.forecast is not None
    context = Context(tmp_path / "none")
    cases: dict[Format, list[str]] = {"safetensors": ["error"], "torch-export": ["error"]}
    cases |= {"onnx": [], "onnx-int8": []}
    for form, severity in cases.items():
        made = export_model.forecast(
            {"trained_model": ArtifactForecast(num_classes=5)},
            ExportParameters(format=form),
            context,
        )
        seen = made.outputs["exported_model"]
        result = score_image_model.forecast({"trained_model": seen}, None, context)
        assert [finding.severity for finding in result.findings] == severity
        assert result.outputs["scored_dataset"].num_classes == 5


def _changed(exported: OnnxModel, path: Path, change: Callable[[onnx.ModelProto], object]) -> Path:
    proto = onnx.load(str(exported.model_path))
    change(proto)
    path.write_bytes(proto.SerializeToString())
    return path


def _meta(proto: onnx.ModelProto, **texts: str | None) -> None:
    known = {entry.key: entry.value for entry in proto.metadata_props}
    known |= {key: text for key, text in texts.items() if text is not None}
    helper.set_model_props(
        proto, {key: known[key] for key in known if texts.get(key, "") is not None}
    )


def _producer(proto: onnx.ModelProto) -> None:
    proto.producer_name = "pytorch"


def _external(proto: onnx.ModelProto) -> None:
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def _external_within(proto: onnx.ModelProto) -> None:
    """In the body of an operator, which only some checkers look into."""
    loop = next(node for node in proto.graph.node if node.op_type == "Loop")
    _external_tensor(loop.attribute[0].g.initializer[0])


def _external_tensor(tensor: Any) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="secret.bin")


def _opset(proto: onnx.ModelProto) -> None:
    for entry in proto.opset_import:
        entry.version = 999


def _renamed_input(proto: onnx.ModelProto) -> None:
    proto.graph.input[0].name = "image"
    for node in proto.graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = "image" if name == "pixels" else name


def _float_input(proto: onnx.ModelProto) -> None:
    proto.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT


def _no_label(proto: onnx.ModelProto) -> None:
    kept = [output for output in proto.graph.output if output.name != "label"]
    del proto.graph.output[:]
    proto.graph.output.extend(kept)


def _unknown_operator(proto: onnx.ModelProto) -> None:
    proto.graph.node[0].op_type = "Explode"


REFUSED: dict[str, tuple[Callable[[onnx.ModelProto], object], str]] = {
    "producer": (_producer, "not written by Export Model: its producer is pytorch"),
    "external": (_external, "its weights are in another file"),
    "external in a branch": (_external_within, "its weights are in another file"),
    "opset": (_opset, "cannot be opened"),
    "input": (_renamed_input, "its input is not `pixels`"),
    "float input": (_float_input, "cannot be opened|its input is not `pixels`"),
    "outputs": (_no_label, "its outputs are not"),
    "operator": (_unknown_operator, "cannot be opened"),
    "no labels": (lambda proto: _meta(proto, labels=None), "no list of labels"),
    "labels as text": (lambda proto: _meta(proto, labels='"abc"'), "no list of labels"),
    "deep labels": (lambda proto: _meta(proto, labels="[" * 100_000), "no list of labels"),
    "equal labels": (
        lambda proto: _meta(proto, labels=json.dumps(["a", "a", "b", "c", "d"])),
        "two of its labels are equal",
    ),
    "few labels": (
        lambda proto: _meta(proto, labels=json.dumps(CLASSES[:3])),
        "3 labels but .*5.* probabilities",
    ),
    "no card": (lambda proto: _meta(proto, card="[]"), "no model card"),
    "no graph": (lambda proto: proto.graph.Clear(), "contains no operators"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_changed_files_are_refused(name: str, exported: OnnxModel, tmp_path: Path) -> None:
    change, message = REFUSED[name]
    path = _changed(exported, tmp_path / "model.onnx", change)
    with pytest.raises(InvalidModelDirectoryError, match=message):
        OnnxClassifier.open(path)


@pytest.mark.parametrize("content", [b"", b"\x00" * 99, b"hello", b"\x89PNG\r\n\x1a\n" * 50])
def test_damaged_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(InvalidModelDirectoryError, match=r"cannot be opened|not written by"):
        OnnxClassifier.open(path)


def test_a_truncated_file_is_refused(exported: OnnxModel, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    content = exported.model_path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InvalidModelDirectoryError, match="cannot be opened"):
        OnnxClassifier.open(path)


def test_values_that_are_not_probabilities_are_refused(
    exported: OnnxModel, images: ImageDirectory, tmp_path: Path
) -> None:
    def broken(proto: onnx.ModelProto) -> None:
        for tensor in proto.graph.initializer:
            array = numpy_helper.to_array(tensor)
            if array.dtype == np.float32 and array.ndim == 4:
                tensor.CopyFrom(numpy_helper.from_array(np.full_like(array, np.nan), tensor.name))

    _changed(exported, tmp_path / "model.onnx", broken)
    write_json(tmp_path / "card.json", exported.card)
    with pytest.raises(InvalidModelDirectoryError, match="values that are not probabilities"):
        _score(tmp_path / "scored", OnnxModel(tmp_path), images)


def test_a_file_as_a_node(exported: OnnxModel, images: ImageDirectory, tmp_path: Path) -> None:
    chosen = OnnxModelParameters(file=str(exported.model_path))
    made = onnx_model(chosen, Context(tmp_path / "node"))[0]
    assert isinstance(made, OnnxModel)
    assert made.card == exported.card
    assert (made.path / "labels.txt").read_text().split("\n")[:5] == CLASSES
    first = _score(tmp_path / "1", made, images).rows
    assert first.equals(_score(tmp_path / "2", exported, images).rows)
    assert onnx_model.fingerprint is not None
    facts = onnx_model.fingerprint(chosen, Context(tmp_path / "other"))
    assert facts
    assert facts == onnx_model.fingerprint(
        OnnxModelParameters(file=str(made.model_path)), Context(tmp_path / "other")
    )


def test_files_that_are_missing_or_not_allowed(exported: OnnxModel, tmp_path: Path) -> None:
    context = Context(tmp_path / "node", allowed_roots=(tmp_path,))
    with pytest.raises(SourceNotAllowedError):
        onnx_model(OnnxModelParameters(file=str(exported.model_path)), context)
    for text in (str(tmp_path / "none.onnx"), str(tmp_path), "a\0b", "~nobody-here/x.onnx"):
        with pytest.raises((InvalidModelDirectoryError, SourceNotAllowedError)):
            onnx_model(OnnxModelParameters(file=text), context)


def test_a_registered_file_of_a_script(exported: OnnxModel, tmp_path: Path) -> None:
    folder = tmp_path / "store/a/model"
    (folder / "files").mkdir(parents=True)
    (folder / "files/net.onnx").write_bytes(exported.model_path.read_bytes())
    ForeignModel.write(folder, main="net.onnx", framework="onnx")
    context = Context(tmp_path / "node", models={"net@1": folder})
    chosen = OnnxModelParameters(source="the registry", model="net@1")
    assert onnx_model(chosen, context)[0].card == exported.card
    with pytest.raises(ModelGoneError, match="net@2"):
        onnx_model(OnnxModelParameters(source="the registry", model="net@2"), context)
