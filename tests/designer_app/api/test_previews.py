"""Small pictures of what is in the outputs of a run's nodes."""

from __future__ import annotations

import pytest

from tests.designer_app.api.runs import ended, submit
from tests.designer_app.documents import document, node
from tests.designer_app.http import Client


@pytest.mark.extended
def test_a_node_inside_a_sub_pipeline_has_its_own(client: Client) -> None:
    inside = {
        "id": "prepared",
        "nodes": [
            node("samples", "import_images", source="sample:shapes?images=30"),
            node("images", "convert_to_image_directory"),
            node("network", "resnet", model_name="resnet18"),
        ],
        "links": [
            {
                "from": {"node": "samples", "port": "dataset"},
                "to": {"node": "images", "port": "input_dataset"},
            }
        ],
    }
    content = document(nodes=[node("front", "definition:prepared")], links=[], definitions=[inside])
    run_id = submit(client, content)
    assert ended(client, run_id)["status"] == "completed"
    path = f"/api/runs/{run_id}/nodes"
    [preview] = client.get(f"{path}/front.images/previews").json["previews"]
    assert (preview["kind"], preview["num_images"]) == ("images", 30)
    assert client.get(f"{path}/front.network/network").json["architecture"] == "resnet18"
