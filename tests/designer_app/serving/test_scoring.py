"""Answers of an endpoint are those of Score Image Model, whichever way pictures are sent."""

from __future__ import annotations

import base64
import json
import struct
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from modules.artifacts import AnyDirectory, TrainedModel
from modules.context import Context
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.scoring.picture_scoring import open_picture_scorer
from modules.scoring.score_image_model import score_image_model
from pipelines.registry.models import ModelRegistry
from tests.designer_app.serving.endpoints import CLASSES, EDGE, Caller, picture

NUM_PICTURES = 20


def odd_pictures(folder: Path) -> list[bytes]:
    """Twenty files of many modes and sizes, written to a folder by number."""
    folder.mkdir(parents=True)
    modes = ("RGB", "L", "CMYK", "P", "RGBA", "I;16", "1")
    files = []
    for number in range(NUM_PICTURES):
        mode = modes[number % len(modes)]
        size = (37 + 9 * number, 140 - 4 * number)
        coarse = np.random.default_rng(number).integers(0, 255, (5, 7, 3), np.uint8)
        image = Image.fromarray(coarse).resize(size)
        if mode == "I;16":
            image = Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)
        else:
            image = image.convert(mode)
        kind = "JPEG" if mode in ("RGB", "L", "CMYK") else "PNG"
        path = folder / f"{number:02}.{kind.lower()}"
        exif = Image.Exif()
        exif[0x0112] = 1 + number % 8
        image.save(path, kind, exif=exif)
        files.append(path.read_bytes())
    return files


def scored_by_module(model: TrainedModel, pictures: Path, scratch: Path) -> np.ndarray:
    """The probabilities of Score Image Model for the files of a folder."""
    directory = AnyDirectory.write(Context(scratch / "given").new_folder(), pictures)
    dataset = convert_to_image_directory(
        directory, ConvertParameters(class_from="none"), Context(scratch / "converted")
    )[0]
    rows = score_image_model(model, dataset, Context(scratch / "scored"))[0].rows
    rows = rows.sort_values("path")
    columns = [f"Scored Probabilities_{label}" for label in CLASSES]
    return np.asarray(rows[columns].to_numpy(np.float32))


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    folder = tmp_path_factory.mktemp("odd") / "pictures"
    return folder, odd_pictures(folder)


def test_twenty_odd_pictures_have_bit_equal_probabilities(
    registry: ModelRegistry, odd: tuple[Path, list[bytes]], tmp_path: Path
) -> None:
    folder, files = odd
    model = registry.find("m@1").artifact
    assert isinstance(model, TrainedModel)
    expected = scored_by_module(model, folder, tmp_path)
    with open_picture_scorer(model, Context(tmp_path / "scratch")) as scorer:
        found = scorer.probabilities([scorer.pixels(content) for content in files])
    assert np.array_equal(found, expected)


def test_pictures_of_one_request_are_scored_as_score_image_model_does(
    caller: Caller, registry: ModelRegistry, odd: tuple[Path, list[bytes]], tmp_path: Path
) -> None:
    folder, files = odd
    model = registry.find("m@1").artifact
    assert isinstance(model, TrainedModel)
    texts = [base64.b64encode(content).decode() for content in files]
    reply = caller.post("/score", {"instances": texts}).json
    assert reply["model"] == "m@1"
    found = [[row["probabilities"][name] for name in CLASSES] for row in reply["predictions"]]
    assert np.array_equal(np.array(found, np.float32), scored_by_module(model, folder, tmp_path))


def test_the_answer_to_one_picture(caller: Caller) -> None:
    reply = caller.score(picture(3)).json
    assert set(reply) == {"label", "probabilities", "model", "milliseconds"}
    assert set(reply["probabilities"]) == set(CLASSES)
    assert reply["label"] == max(reply["probabilities"], key=reply["probabilities"].__getitem__)
    assert sum(reply["probabilities"].values()) == pytest.approx(1, abs=1e-5)


def multipart(*files: bytes) -> tuple[bytes, str]:
    parts = [
        b'--XX\r\nContent-Disposition: form-data; name="f%d"; filename="a.jpg"\r\n\r\n' % index
        + content
        + b"\r\n"
        for index, content in enumerate(files)
    ]
    return b"".join(parts) + b"--XX--\r\n", "multipart/form-data; boundary=XX"


def test_every_way_to_send_a_picture_gives_the_same_answer(caller: Caller) -> None:
    content = picture(5)
    text = base64.b64encode(content).decode()
    expected = caller.score(content).json["probabilities"]
    answers = [
        caller.score(content, "application/octet-stream").json,
        caller.score(*multipart(content)).json,
        caller.post("/score", {"image": text}).json,
        caller.post("/score", {"image": f"data:image/jpeg;base64,{text}"}).json,
        caller.post("/score", {"instances": [{"image": text}]}).json["predictions"][0],
        caller.score(*multipart(content, content)).json["predictions"][1],
    ]
    for answer in answers:
        assert answer["probabilities"] == pytest.approx(expected, abs=1e-6)


def infer(caller: Caller, tensor: dict[str, object]) -> dict[str, list[object]]:
    reply = caller.post("/v2/models/m/infer", {"id": "7", "inputs": [{"name": "image", **tensor}]})
    assert reply.status == 200, reply.body
    assert (reply.json["id"], reply.json["model_version"]) == ("7", "1")
    return {output["name"]: output["data"] for output in reply.json["outputs"]}


def test_the_kserve_protocol(caller: Caller) -> None:
    content = picture(6, (EDGE, EDGE), "PNG")
    expected = list(caller.score(content, "image/png").json["probabilities"].values())
    text = base64.b64encode(content).decode()
    by_file = infer(caller, {"datatype": "BYTES", "shape": [1], "data": [text]})
    with Image.open(BytesIO(content)) as image:
        pixels = np.asarray(image)
    nested = infer(
        caller, {"datatype": "UINT8", "shape": list(pixels.shape), "data": pixels.tolist()}
    )
    assert by_file["probabilities"] == pytest.approx(expected, abs=1e-6)
    assert nested["probabilities"] == pytest.approx(expected, abs=1e-6)
    assert by_file["label"] == nested["label"]


def test_binary_tensors_as_triton_clients_send_them(caller: Caller) -> None:
    content = picture(6)
    binary = struct.pack("<I", len(content)) + content
    tensor = {
        "name": "image",
        "datatype": "BYTES",
        "shape": [1],
        "parameters": {"binary_data_size": len(binary)},
    }
    head = json.dumps({"inputs": [tensor]}).encode()
    reply = caller.send(
        "POST",
        "/v2/models/m/infer",
        head + binary,
        Content_Type="application/octet-stream",
        Inference_Header_Content_Length=str(len(head)),
    )
    assert reply.json["outputs"][0]["data"] == [caller.score(content).json["label"]]


@pytest.mark.parametrize(
    ("tensor", "status"),
    [
        ({"datatype": "FP32", "shape": [1], "data": [0.5]}, 422),
        ({"datatype": "BYTES", "shape": [2], "data": ["AAAA"]}, 422),
        ({"datatype": "UINT8", "shape": [2, 2, 3], "data": [1, 2]}, 422),
        ({"datatype": "UINT8", "shape": [1, 1, 3], "data": [1, 2, 300]}, 422),
        ({"datatype": "UINT8", "shape": [2**20, 2**20, 3], "data": [1]}, 422),
        ({"datatype": "UINT8", "shape": [-1, 1, 3], "data": [1]}, 422),
        ({"datatype": "UINT8", "shape": [1, 1, 3], "data": [[1], 2, 3]}, 422),
        ({"datatype": "BYTES", "shape": [1], "data": ["not base64!"]}, 422),
    ],
)
def test_tensors_that_are_refused(caller: Caller, tensor: dict[str, object], status: int) -> None:
    reply = caller.post("/v2/models/m/infer", {"inputs": [{"name": "x", **tensor}]})
    assert reply.status == status
    assert reply.error


def test_another_model_is_named(caller: Caller) -> None:
    content = {"inputs": [{"name": "x", "datatype": "BYTES", "shape": [1], "data": ["AAAA"]}]}
    assert caller.post("/v2/models/other/infer", content).error == "other_model"
    assert caller.get("/v2/models/m").json["outputs"][1]["shape"] == [-1, 3]


def test_state_metrics_and_log(caller: Caller) -> None:
    assert caller.score(picture(1)).status == 200
    assert caller.get("/health/live").json == {"live": True}
    assert caller.get("/health/ready").json == {"ready": True, "model": "m@1", "reason": None}
    lines = caller.get("/metrics").body.decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(values['designer_requests_total{status="200"}']) >= 1
    assert values["designer_ready"] == "1"
    assert values['designer_model_info{model="m@1"}'] == "1"
    assert float(values["designer_request_seconds_count"]) >= 1
    newest = caller.get("/log?limit=1").json["requests"][0]
    assert (newest["status"], newest["pictures"], newest["model"]) == (200, 1, "m@1")
    assert time.time() - newest["time"] < 60


def test_the_openapi_document_describes_the_answers(caller: Caller) -> None:
    document = caller.get("/openapi.json").json
    assert document["openapi"] == "3.1.0"
    reply = caller.score(picture(1)).json
    assert set(document["components"]["schemas"]["Prediction"]["required"]) == set(reply)
    for path, methods in document["paths"].items():
        for method in methods:
            if method in ("get", "post") and path not in ("/swap", "/rollback", "/score"):
                sent = caller.send(method.upper(), path.replace("{model}", "m"))
                assert sent.status not in (404, 405), path


def test_the_page_of_the_endpoint_loads_its_own_files_only(caller: Caller) -> None:
    page = caller.get("/", Sec_Fetch_Site="cross-site")
    assert page.status == 200
    assert page.headers["content-type"].startswith("text/html")
    assert b"[[" not in page.body
    assert b"<h1>m</h1>" in page.body
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path in ("/page.js", "/page.css"):
        assert caller.get(path).status == 200
        assert path.encode() in page.body
