"""Pictures that were tried and are kept: a dataset that grows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modules.datasets.registered import versions_of
from pipelines.document.document import parse_document
from pipelines.registry.kept_pictures import KEPT, keep_picture
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.designer_app.documents import document, node


@pytest.fixture
def session(tmp_path: Path) -> WorkspaceSession:
    return WorkspaceSession(Workspace.at(tmp_path / "workspace").make())


def files(session: WorkspaceSession, version: int) -> set[str]:
    home = session.datasets.location(KEPT, version)
    return {path.parent.name for path in home.rglob("*.png")}


def test_each_picture_is_in_the_newest_version(session: WorkspaceSession) -> None:
    datasets = session.datasets
    first = keep_picture(datasets, b"one", ".png", "bee")
    second = keep_picture(datasets, b"two", ".png", "ant/../wasp")
    assert (first.source, second.preview.images) == (f"dataset:{KEPT}@1", 2)
    assert files(session, second.version) == {"bee", "ant_.._wasp"}
    assert versions_of(datasets.folder, KEPT) == (second.version,)
    again = keep_picture(datasets, b"two", ".png", "ant/../wasp")
    assert again.preview.images == 2, "the same picture is there once"


def test_a_version_that_is_used_stays(session: WorkspaceSession) -> None:
    first = keep_picture(session.datasets, b"one", ".png", "bee")
    using = document("using", nodes=[node("in", "import_images", source=first.source)], links=[])
    session.pipelines.create(parse_document(using))
    second = keep_picture(session.datasets, b"two", ".png", "bee")
    assert versions_of(session.datasets.folder, KEPT) == (1, second.version)


def test_pictures_kept_at_once_are_all_in_the_newest_version(session: WorkspaceSession) -> None:
    def keep(number: int) -> int:
        return keep_picture(session.datasets, b"%d" % number, ".png", f"class {number}").version

    with ThreadPoolExecutor(4) as several:
        newest = max(several.map(keep, range(6)))
    assert files(session, newest) == {f"class {number}" for number in range(6)}
