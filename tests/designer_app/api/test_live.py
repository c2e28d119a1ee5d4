"""Pictures of a camera over HTTP, predicted by the model of a run."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from designer_app.api.recording_training import LivePrediction
from tests.designer_app.http import Server
from tests.pipelines.registry.trained import CLASSES, trained_run

JPEG = {"Content_Type": "image/jpeg"}


@pytest.mark.extended  # it waits until torch is loaded
def test_a_picture_is_predicted_with_a_heat_map_only_if_it_is_asked_for(quiet: Server) -> None:
    content = io.BytesIO()
    Image.new("RGB", (32, 32), (200, 30, 30)).save(content, "JPEG")
    path = f"/api/runs/{trained_run(quiet.application.session.runs)}/live"
    for query, has_heat_map in (("", False), ("?heat=0", False), ("?heat=1", True)):
        answer = quiet.client.post(f"{path}{query}", content.getvalue(), **JPEG)
        assert answer.status == 200, answer.body
        prediction = LivePrediction.model_validate(answer.json)
        assert sorted(row.name for row in prediction.classes) == sorted(CLASSES)
        assert (prediction.overlay is not None) == has_heat_map
    unknown = quiet.client.post("/api/runs/20260101-000000-abcd/live", content.getvalue(), **JPEG)
    assert (unknown.status, unknown.error) == (404, "not_found")
