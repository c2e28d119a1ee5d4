"""Pictures of a camera: predicted as Score does it, the newest first, whatever happens."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from modules.artifacts import ScoredImages
from pipelines.errors import InspectionError
from pipelines.inspection.images import files_of
from pipelines.inspection.live import LivePredictor
from pipelines.inspection.run_outputs import RunOutput, RunOutputs


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivePredictor]:
    made = LivePredictor(tmp_path_factory.mktemp("live") / "live.log")
    made.start()
    yield made
    made.close()


@pytest.fixture
def scored(outputs: RunOutputs) -> RunOutput:
    return next(entry for entry in outputs.all if entry.node == "score")


@pytest.fixture
def model(outputs: RunOutputs) -> Path:
    artifact = outputs.input("score", "trained_model")
    assert artifact is not None
    return artifact.folder


@pytest.fixture
def pictures(outputs: RunOutputs, scored: RunOutput) -> list[bytes]:
    dataset = outputs.dataset_of(scored)
    assert dataset is not None
    return [path.read_bytes() for path in files_of(dataset.folder)]


def test_a_picture_has_the_probabilities_that_score_gave_it(
    live: LivePredictor, model: Path, pictures: list[bytes], scored: RunOutput
) -> None:
    rows = ScoredImages(scored.folder).rows
    for place in (0, len(rows) - 1):
        answer = live.predict(model, pictures[place])
        assert (answer["skipped"], answer["overlay"]) == (False, None)
        for item in answer["classes"]:
            expected = float(rows.iloc[place][f"Scored Probabilities_{item['name']}"])
            assert item["probability"] == pytest.approx(expected, abs=0.02)
        assert sum(item["probability"] for item in answer["classes"]) == pytest.approx(1)
        assert answer["milliseconds"] > 0


def test_a_heat_map_is_made_on_request(
    live: LivePredictor, model: Path, pictures: list[bytes]
) -> None:
    answer = live.predict(model, pictures[0], heat=True)
    assert answer["overlay"] is not None
    assert Image.open(io.BytesIO(base64.b64decode(answer["overlay"]))).format == "JPEG"
    assert answer["classes"] == live.predict(model, pictures[0])["classes"]


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff" + b"\0" * 100])
def test_what_is_no_picture_is_refused_and_the_next_one_predicted(
    live: LivePredictor, model: Path, pictures: list[bytes], content: bytes
) -> None:
    with pytest.raises(InspectionError, match="cannot be read"):
        live.predict(model, content)
    assert not live.predict(model, pictures[0])["skipped"]


def test_a_huge_picture_is_refused(live: LivePredictor, model: Path) -> None:
    made = io.BytesIO()
    Image.new("L", (5000, 1000)).save(made, "PNG")
    with pytest.raises(InspectionError, match="megapixels"):
        live.predict(model, made.getvalue())


def test_a_model_that_is_gone_is_reported(live: LivePredictor, tmp_path: Path) -> None:
    with pytest.raises(InspectionError):
        live.predict(tmp_path / "gone", b"")


@pytest.mark.extended
def test_of_the_pictures_that_wait_only_the_newest_is_predicted(
    live: LivePredictor, model: Path, pictures: list[bytes]
) -> None:
    live._stop()  # so that the first one waits until torch is loaded, and the others for it
    with ThreadPoolExecutor(6) as tabs:
        answers = list(tabs.map(lambda _: live.predict(model, pictures[0]), range(6)))
    predicted = [answer for answer in answers if not answer["skipped"]]
    assert 1 <= len(predicted) <= 2
    assert all(answer["classes"] == predicted[0]["classes"] for answer in predicted)


@pytest.mark.extended
def test_a_killed_process_is_replaced(
    live: LivePredictor, model: Path, pictures: list[bytes]
) -> None:
    before = live.predict(model, pictures[0])
    assert live._process is not None
    live._process.kill()
    assert live.predict(model, pictures[0])["classes"] == before["classes"]


def test_a_closed_predictor_answers_nothing(tmp_path: Path, model: Path) -> None:
    closed = LivePredictor(tmp_path / "live.log")
    closed.close()
    with pytest.raises(InspectionError):
        closed.predict(model, b"")
