"""Sheets of thumbnails: of a group, of listed rows, and refused for what is neither."""

from __future__ import annotations

import pytest

from designer_app.api.thumbnails import ThumbnailSheet
from pipelines.session import WorkspaceSession
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.workspace import Workspace
from tests.designer_app.http import Client
from tests.pipelines.inspection.conftest import write_images

HERE = "/api/artifacts/pictures-1/output/thumbnails"


@pytest.fixture(scope="module", autouse=True)
def pictures(workspace: Workspace) -> None:
    """Three pictures of two classes as an output that the store knows."""
    runs = WorkspaceSession(workspace).runs
    folder = workspace.artifacts_dir / "pictures-1" / "output"
    folder.mkdir(parents=True)
    write_images(folder, {"a/1.png": "a", "b/2.png": "b", "b/3.png": "b"})
    runs.artifacts.index.add(
        ArtifactRecord("pictures-1", "k", "20260101-000000-abcd", "convert", 0.0, 0, [], "")
    )
    runs.database.close()


def paths(client: Client, query: str) -> list[str]:
    answer = client.get(f"{HERE}?{query}")
    assert answer.status == 200
    sheet = ThumbnailSheet.model_validate(answer.json)
    assert sheet.picture.startswith("data:image/webp;base64,")
    return [each.path for each in sheet.images]


def test_a_sheet_shows_a_group_or_listed_rows(client: Client) -> None:
    assert paths(client, "group=0") == ["a/1.png", "b/2.png", "b/3.png"]
    assert paths(client, "group=2&offset=1") == ["b/3.png"]
    assert paths(client, "group=99") == []
    assert paths(client, "indices=2,0") == ["b/3.png", "a/1.png"]


@pytest.mark.parametrize(
    "query", ["indices=3", "indices=-1", "indices=", "indices=a", "count=101", "offset=-1"]
)
def test_what_is_no_place_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"{HERE}?{query}")
    assert (answer.status, answer.error) == (400, "invalid_request")


def test_sheets_need_the_token_and_an_output(client: Client) -> None:
    assert client.get(HERE, X_Designer_Token=None).status == 401
    assert client.get("/api/artifacts/nothing/output/thumbnails").status == 404
