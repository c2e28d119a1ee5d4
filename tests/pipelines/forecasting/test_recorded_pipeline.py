"""The pipeline of a recording: made once, then only given the newest version."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from modules.errors import ModuleError
from pipelines.document.document import parse_document
from pipelines.document.edits import set_parameter
from pipelines.errors import InUseError
from pipelines.forecasting.recorded_pipeline import pipeline_of_recording
from pipelines.session import WorkspaceSession
from pipelines.store.database.pipelines import Revision
from pipelines.workspace import Workspace

NAME = "cups"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[WorkspaceSession]:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace").make()) as made:
        yield made


def record(session: WorkspaceSession, start: int) -> None:
    """Add a picture to each of two classes."""
    if not session.recordings.has(NAME):
        session.recordings.create(NAME)
    for place, name in enumerate(("Cup", "Pen")):
        category = session.recordings.add_class(NAME, name)
        content = io.BytesIO()
        Image.new("RGB", (64, 48), (200 * place, start % 256, 90)).save(content, "JPEG")
        picture = f"{2 * start + place:024x}"
        session.recordings.add_picture(NAME, category.id, picture, content.getvalue())


def pipeline(session: WorkspaceSession) -> Revision:
    saved = session.recording_versions.save(NAME)
    made = pipeline_of_recording(session.runs, session.datasets, session.pipelines, NAME, saved)
    session.recording_versions.remember(NAME, made.pipeline_id, "20260101-000000-abcd")
    return made


def parameter(revision: Revision, node: str, name: str) -> object:
    document_node = parse_document(revision.document).node(node)
    assert document_node is not None
    return document_node.parameters.get(name)


def test_changes_of_the_user_stay_when_pictures_are_added(session: WorkspaceSession) -> None:
    for number in range(3):
        record(session, number)
    first = pipeline(session)
    assert parameter(first, "import", "source") == f"dataset:{NAME}@1"
    assert pipeline(session).revision == first.revision, "nothing has changed"
    edited = set_parameter(parse_document(first.document), session.catalog, "train", "epochs", 7)
    session.pipelines.commit(edited, first.revision)
    record(session, 7)
    second = pipeline(session)
    assert second.pipeline_id == first.pipeline_id
    assert parameter(second, "import", "source") == f"dataset:{NAME}@2"
    assert parameter(second, "train", "epochs") == 7
    session.pipelines.delete(first.pipeline_id)
    record(session, 8)
    assert pipeline(session).pipeline_id != first.pipeline_id


def test_a_camera_source_is_the_dataset_of_that_name(session: WorkspaceSession) -> None:
    for number in range(3):
        record(session, number)
    made = pipeline(session)
    document = set_parameter(
        parse_document(made.document), session.catalog, "import", "source", f"camera:{NAME}@1"
    )
    session.pipelines.commit(document, made.revision)
    assert [p for p in session.checks.problems(document) if p.severity == "error"] == []
    with pytest.raises(InUseError):
        session.datasets.delete(NAME, 1)
    gone = set_parameter(document, session.catalog, "import", "source", f"camera:{NAME}@9")
    assert any(p.severity == "error" for p in session.checks.problems(gone))
    record(session, 9)
    assert pipeline(session).pipeline_id == made.pipeline_id


def test_a_recording_of_one_class_makes_no_pipeline(session: WorkspaceSession) -> None:
    record(session, 1)
    pen = session.recordings.get(NAME).class_named("pen")
    assert pen is not None
    session.recordings.remove_class(NAME, pen.id)
    saved = session.recording_versions.save(NAME)
    with pytest.raises((ModuleError, ValueError), match="class"):
        pipeline_of_recording(session.runs, session.datasets, session.pipelines, NAME, saved)
