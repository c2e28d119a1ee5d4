"""Sources of data that are not there are problems of ``designer validate``."""

from __future__ import annotations

from pathlib import Path

from modules.catalog import builtin_catalog
from modules.context import Context
from pipelines.validation.sources import absent_sources
from tests.pipelines.conftest import build


def problems(tmp_path: Path, source: str, module: str = "import_images") -> list[tuple[str, ...]]:
    document = build({}, {"import": {"module": module, "source": source}})
    sources = absent_sources(document, builtin_catalog(), Context(tmp_path))
    return [(item.severity, item.node or "", item.parameter or "") for item in sources]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    assert problems(tmp_path, "file:/nowhere") == [("error", "import", "source")]
    (tmp_path / "cat").mkdir()
    assert problems(tmp_path, f"file:{tmp_path}") == []


def test_nodes_of_unknown_modules_are_passed_over(tmp_path: Path) -> None:
    assert problems(tmp_path, "file:/nowhere", "gone") == []
