"""A real run that ends in an evaluation of two inputs; one of its classes has a hostile name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from pipelines.document.document import parse_document
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.designer_app.documents import document, node

HOSTILE = "<img src=x onerror=alert(1)>"
CLASSES = {"bar": (40, 200, 40), "dot": (200, 40, 40), HOSTILE: (40, 40, 200)}
IMAGES_PER_CLASS = 12
EDGE = 32


def draw_pictures(folder: Path) -> Path:
    """A folder of small pictures, one subfolder a class; no two have the same bytes."""
    for name, colour in CLASSES.items():
        (folder / name).mkdir(parents=True)
        for place in range(IMAGES_PER_CLASS):
            picture = Image.new("RGB", (EDGE, EDGE), (place * 8, 128, 255 - place * 8))
            at = (4 + place, 6, 14 + place, 24)
            ImageDraw.Draw(picture).rectangle(at, fill=colour)
            picture.save(folder / name / f"{place:02}.png")
    return folder


def everything(pictures: Path) -> dict[str, Any]:
    """From a folder to an evaluation: a node of every kind."""
    split, init = "split_image_directory", "init_image_transformation"
    small = {"size": EDGE, "crop_size": EDGE}
    nodes = [
        node("import", "import_images", source=f"file:{pictures}"),
        node("convert", "convert_to_image_directory"),
        node("split", split, fraction_of_images_in_the_first_output=0.5),
        node("init", init, random_rotation=True, random_rotation_degrees=30, **small),
        node("apply", "apply_image_transformation", mode="For training"),
        node("grey", init, grayscale=True, **small),
        node("apply_grey", "apply_image_transformation"),
        node("resnet", "resnet", model_name="resnet18", pretrained=False),
        node("train", "train_pytorch_model", epochs=1, batch_size=6),
        node("score", "score_image_model"),
        node("score_grey", "score_image_model"),
        node("evaluate", "evaluate_model"),
    ]
    for place, placed in enumerate(nodes):
        placed["position"] = {"x": 260 * (place % 4), "y": 190 * (place // 4)}
    first, second = "split.output_image_directory1", "split.output_image_directory2"
    links = [
        wire("import.dataset", "convert.input_dataset"),
        wire("convert.output_image_directory", "split.input_image_directory"),
        wire("init.output_image_transformation", "apply.input_image_transformation"),
        wire(first, "apply.input_image_directory"),
        wire("grey.output_image_transformation", "apply_grey.input_image_transformation"),
        wire(second, "apply_grey.input_image_directory"),
        wire("resnet.untrained_model", "train.untrained_model"),
        wire("apply.output_image_directory", "train.training_dataset"),
        wire(second, "train.validation_dataset"),
        wire("train.trained_model", "score.trained_model"),
        wire(second, "score.dataset"),
        wire("train.trained_model", "score_grey.trained_model"),
        wire("apply_grey.output_image_directory", "score_grey.dataset"),
        wire("score.scored_dataset", "evaluate.scored_dataset"),
        wire("score_grey.scored_dataset", "evaluate.scored_dataset_to_compare"),
    ]
    return document("everything", nodes=nodes, links=links)


def wire(start: str, end: str) -> dict[str, Any]:
    """A link from ``node.port`` to ``node.port``."""
    (source, output), (target, port) = start.split("."), end.split(".")
    return {"from": {"node": source, "port": output}, "to": {"node": target, "port": port}}


def run_everything(runs: RunService, folder: Path, pipeline_id: str | None = None) -> str:
    """Run it to its end; the run's id."""
    described = parse_document(everything(draw_pictures(folder / "pictures")))
    described = described.model_copy(update={"id": pipeline_id or described.id})
    run_id = runs.submit(RunRequest(described, pipeline_id=pipeline_id))
    for _ in runs.follow(run_id):
        continue
    state = runs.store.state(run_id)
    assert state.status == "completed", [step.problem for step in state.steps.values()]
    return run_id
