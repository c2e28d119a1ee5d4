"""Ways to improve a run, similar images and learning curves over HTTP."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.designer_app.api.runs import ended, submit
from tests.designer_app.documents import document, node
from tests.designer_app.http import Client
from tests.pipelines.inspection.runs import wire


def small_pipeline(images: int) -> dict[str, object]:
    """Few drawn shapes, on the features of a frozen network with included weights."""
    nodes = [
        node("import", "import_images", source=f"sample:shapes?classes=2&images={images}&size=64"),
        node("convert", "convert_to_image_directory"),
        node("operations", "init_image_transformation", size=64, crop_size=64),
        node("apply", "apply_image_transformation"),
        node("split", "split_image_directory", fraction_of_images_in_the_first_output=0.5),
        node("net", "image_model", model_name="efficientnet_lite0", freeze="all but the head"),
        node("train", "train_pytorch_model"),
        node("score", "score_image_model"),
        node("evaluate", "evaluate_model"),
    ]
    links = [
        wire("import.dataset", "convert.input_dataset"),
        wire("convert.output_image_directory", "apply.input_image_directory"),
        wire("operations.output_image_transformation", "apply.input_image_transformation"),
        wire("apply.output_image_directory", "split.input_image_directory"),
        wire("net.untrained_model", "train.untrained_model"),
        wire("split.output_image_directory1", "train.training_dataset"),
        wire("split.output_image_directory2", "train.validation_dataset"),
        wire("train.trained_model", "score.trained_model"),
        wire("split.output_image_directory2", "score.dataset"),
        wire("score.scored_dataset", "evaluate.scored_dataset"),
    ]
    return document(nodes=nodes, links=links)


def drawn_png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (80, 60), (200, 30, 30)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.extended
def test_a_run_on_few_images_can_be_improved_compared_and_judged(client: Client) -> None:
    run_id = submit(client, small_pipeline(16))
    assert ended(client, run_id)["status"] == "completed"
    ways = client.get(f"/api/runs/{run_id}/improvements").json
    assert [choice["kind"] for choice in ways["choices"]][:2] == ["fine_tune", "longer"]
    changed = {change["node"]: change["parameters"] for change in ways["choices"][0]["changes"]}
    assert changed["net"] == {"freeze": "none"}
    assert changed["apply"] == {"mode": "For training"}
    assert "training images" in ways["few_images"]

    curve = client.get(f"/api/runs/{run_id}/learning-curve").json
    assert curve["images"] < 5
    assert [point["images"] for point in curve["estimated"]] == [5, 10, 20]
    assert all(0 <= point["accuracy"] <= 1 for point in curve["measured"])
    assert curve["measured"]

    path = f"/api/runs/{run_id}/nodes/split/similar"
    similar = client.get(f"{path}?port=output_image_directory2&index=0").json
    assert len(similar["neighbors"]) == 5
    distances = [near["distance"] for near in similar["neighbors"]]
    assert distances == sorted(distances)
    assert similar["neighbors"][0]["picture"].startswith("data:image/webp;base64,")
    assert client.get(f"{path}?port=output_image_directory2&index=99").status in (404, 422)
    assert client.get(f"{path}?port=none&index=0").status == 404

    path = f"/api/runs/{run_id}/nodes/evaluate/try/similar?file=mine.png"
    png = {"Content_Type": "image/png"}
    compared = client.post(path, drawn_png(), **png).json
    assert len(compared["neighbors"]) == 5
    assert compared["verdict"]
    assert client.post(path, b"text", **png).json["error"]["reason"] == "unreadable_image_sent"


def test_runs_without_a_model_have_nothing_to_improve_or_compare(client: Client) -> None:
    for path in ("improvements", "learning-curve", "nodes/split/similar"):
        assert client.get(f"/api/runs/20260101-000000-abcd/{path}").status == 404
    run_id = submit(client, document())
    assert ended(client, run_id)["status"] == "completed"
    for path in ("learning-curve", *(f"nodes/two/similar?port={port}" for port in ("output", "x"))):
        answer = client.get(f"/api/runs/{run_id}/{path}")
        assert (answer.status, answer.error) == (404, "not_found"), path
