"""What is told of a node's outputs in little: counts, pictures, a cell, a network."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image
from pydantic import ValidationError

from pipelines.inspection import evaluation
from pipelines.inspection.augmented import augmented_previews
from pipelines.inspection.client import Inspector
from pipelines.inspection.networks import (
    USUAL_INPUT,
    NetworkInput,
    input_of,
    parts_of,
    recipe_of,
    untrained_model,
)
from pipelines.inspection.node_previews import cell_preview, node_previews
from pipelines.inspection.preview_models import (
    EvaluationPreview,
    ImagesPreview,
    ModelPreview,
    PredictionsPreview,
)
from pipelines.inspection.previews import EDGE, MAX_SAMPLES
from pipelines.inspection.questions import LAYERS
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.varied import NUM_DRAWN, images_to_transform, varied_image
from tests.pipelines.inspection.runs import CLASSES, IMAGES_PER_CLASS
from tests.pipelines.inspection.runs import EDGE as IMAGE_EDGE

NUM_SCORED = len(CLASSES) * IMAGES_PER_CLASS // 2


def test_a_split_shows_both_its_parts_with_pictures_of_every_class(outputs: RunOutputs) -> None:
    made = node_previews(outputs, "split")
    assert [item.port for item in made.previews] == [
        "output_image_directory1",
        "output_image_directory2",
    ]
    for preview in made.previews:
        assert isinstance(preview, ImagesPreview)
        assert preview.num_images == NUM_SCORED
        assert {sample.label for sample in preview.samples} == set(CLASSES)
        assert {sample.picture for sample in preview.samples} <= set(made.pictures)
    for content in made.pictures.values():
        with Image.open(BytesIO(content)) as picture:
            assert max(picture.size) <= EDGE


def test_the_surest_mistakes_of_a_table_come_first(outputs: RunOutputs) -> None:
    [scored] = node_previews(outputs, "score").previews
    assert isinstance(scored, PredictionsPreview)
    wrong = [
        sample.confidence or 0 for sample in scored.samples if sample.actual != sample.predicted
    ]
    assert len(wrong) == min(scored.num_wrong or 0, len(wrong))
    assert wrong == sorted(wrong, reverse=True)
    assert scored.samples[: len(wrong)] == [
        sample for sample in scored.samples if sample.actual != sample.predicted
    ]


def test_every_cell_of_the_matrix_opens_its_pictures(outputs: RunOutputs) -> None:
    [result] = node_previews(outputs, "evaluate").previews
    assert isinstance(result, EvaluationPreview)
    scored = evaluation.scored_input(outputs, "evaluate")
    assert scored is not None
    for row, actual in enumerate(result.classes):
        for column, predicted in enumerate(result.classes):
            made = cell_preview(outputs, "evaluate", actual, predicted)
            [cell] = made.previews
            assert isinstance(cell, PredictionsPreview)
            assert cell.num_images == result.confusion[row][column] == len(cell.samples)
            assert all(
                (sample.actual, sample.predicted) == (actual, predicted) for sample in cell.samples
            )
            assert all(sample.picture in made.pictures for sample in cell.samples)
    assert cell_preview(outputs, "evaluate", "no", "class").previews[0].num_images == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("node", ["init", "resnet", "no_such_node"])
def test_what_has_nothing_to_show_has_no_preview(outputs: RunOutputs, node: str) -> None:
    assert node_previews(outputs, node).previews == []
    assert cell_preview(outputs, node, "a", "b").previews == []


def test_a_trained_model_tells_its_curves(outputs: RunOutputs) -> None:
    [model] = node_previews(outputs, "train").previews
    assert isinstance(model, ModelPreview)
    assert (model.num_classes, model.architecture) == (len(CLASSES), "resnet18")
    assert len(model.curves["Train loss"]) == 1


def test_pictures_of_a_training_are_drawn_behind_its_operations(
    outputs: RunOutputs, inspector: Inspector
) -> None:
    plain, drawn = node_previews(outputs, "apply"), augmented_previews(outputs, inspector, "apply")
    assert (plain.is_transformed, node_previews(outputs, "split").is_transformed) == (True, False)
    [before], [after] = plain.previews, drawn.previews
    assert isinstance(before, ImagesPreview)
    assert isinstance(after, ImagesPreview)
    assert [sample.label for sample in after.samples] == [sample.label for sample in before.samples]
    assert len(after.samples) == min(MAX_SAMPLES, NUM_SCORED)
    pairs = zip(before.samples, after.samples, strict=True)
    assert all(plain.pictures[one.picture] != drawn.pictures[two.picture] for one, two in pairs)
    assert augmented_previews(outputs, inspector, "split").previews == []


def test_settings_are_tried_on_an_image_before_they_are_run(
    outputs: RunOutputs, inspector: Inspector
) -> None:
    images = images_to_transform(outputs, "init")
    assert images is not None
    assert (images.node, images.type) == ("split", "ImageDirectory")
    still = varied_image(images, inspector, {"random_horizontal_flip": False}, seed=1)
    assert len(still.after) == 1
    turned = {"random_rotation": True, "random_rotation_degrees": 90, "size": 64, "crop_size": 64}
    varied = varied_image(images, inspector, turned, seed=1)
    assert (varied.before, len(set(varied.after))) == (still.before, NUM_DRAWN)
    with Image.open(BytesIO(b64decode(varied.after[0]))) as picture:
        assert picture.size == (64, 64)
    with pytest.raises(ValidationError):
        varied_image(images, inspector, {"size": -1}, seed=1)


@pytest.mark.extended
def test_a_network_is_built_for_the_images_it_is_trained_with(
    outputs: RunOutputs, inspector: Inspector
) -> None:
    images = input_of(outputs, "resnet")
    assert images == NetworkInput(len(CLASSES), IMAGE_EDGE, IMAGE_EDGE)
    assert input_of(outputs, "evaluate") == USUAL_INPUT
    model = untrained_model(outputs, "resnet")
    assert model is not None
    recipe = recipe_of(model.folder)
    sizes = {"num_classes": images.num_classes, "height": images.height, "width": images.width}
    facts = inspector.ask(LAYERS, recipe=recipe, **sizes)
    parts = parts_of(facts["layers"])
    assert sum(part.num_parameters for part in parts) == facts["num_parameters"]
    assert parts[-1].name == "fc"
