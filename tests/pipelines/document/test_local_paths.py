"""Paths in a document's parameters, wherever it is run from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.document.expansion import expanded
from pipelines.lessons.pipeline_files import read_document

IMPORT = {"id": "imp", "module": "import_images"}
PREP = {
    "id": "prep",
    "nodes": [IMPORT],
    "parameters": [{"id": "source", "default": "file:default", "binds": ["imp.source"]}],
}
AROUND = {
    "id": "around",
    "nodes": [{"id": "front", "module": "definition:prep"}],
    "parameters": [{"id": "images", "default": "file:outer", "binds": ["front.source"]}],
}


def sources(folder: Path, *options: str, **document: Any) -> dict[str, Any]:
    """Where each node takes its images from, of a document that is read from its file."""
    path = folder / "document.json"
    path.write_text(json.dumps({"format": "pipeline-designer/2", "id": "x", **document}))
    whole = expanded(read_document(path, [], builtin_catalog(), options))
    return {node.id: node.parameters["source"] for node in whole.nodes}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_path_is_taken_from_where_the_document_is_run(tmp_path: Path) -> None:
    bare = {**IMPORT, "parameters": {"source": "file:images"}}
    assert sources(tmp_path, nodes=[bare]) == {"imp": f"file:{tmp_path}/images"}
    absolute = {**IMPORT, "parameters": {"source": "file:/data/images"}}
    assert sources(tmp_path, nodes=[absolute]) == {"imp": "file:/data/images"}
    sample = {**IMPORT, "parameters": {"source": "sample:digits"}}
    assert sources(tmp_path, nodes=[sample]) == {"imp": "sample:digits"}


@pytest.mark.parametrize(
    ("parameters", "result"), [({}, "default"), ({"source": "file:own"}, "own")]
)
def test_so_is_that_of_a_sub_pipeline(
    tmp_path: Path, parameters: dict[str, str], result: str
) -> None:
    node = {"id": "front", "module": "definition:prep", "parameters": parameters}
    absolute = sources(tmp_path, nodes=[node], definitions=[PREP])
    assert absolute == {"front/imp": f"file:{tmp_path}/{result}"}


@pytest.mark.parametrize(("parameters", "result"), [({}, "outer"), ({"images": "file:own"}, "own")])
def test_so_is_that_of_one_in_another(
    tmp_path: Path, parameters: dict[str, str], result: str
) -> None:
    node = {"id": "far", "module": "definition:around", "parameters": parameters}
    absolute = sources(tmp_path, nodes=[node], definitions=[PREP, AROUND])
    assert absolute == {"far/front/imp": f"file:{tmp_path}/{result}"}


def test_so_is_a_parameter_of_the_pipeline_that_a_sub_pipeline_hands_on(tmp_path: Path) -> None:
    node = {"id": "far", "module": "definition:around"}
    own = {"id": "folder", "default": "file:typed", "binds": ["far.images"]}
    whole = {"nodes": [node], "definitions": [PREP, AROUND], "parameters": [own]}
    assert sources(tmp_path, **whole) == {"far/front/imp": f"file:{tmp_path}/typed"}
    value = sources(tmp_path, "folder=file:given", **whole)
    assert value == {"far/front/imp": f"file:{tmp_path}/given"}


@pytest.mark.parametrize("path", ["~nobody-of-that-name/images", "round/images"])
def test_a_path_that_leads_nowhere_is_told_by_who_opens_it(tmp_path: Path, path: str) -> None:
    (tmp_path / "round").symlink_to("round")
    absolute = sources(tmp_path, nodes=[{**IMPORT, "parameters": {"source": f"file:{path}"}}])
    assert absolute["imp"].startswith("file:")


def test_a_sub_pipeline_that_holds_itself_is_read_as_it_is(tmp_path: Path) -> None:
    inner = {"id": "again", "module": "definition:round"}
    own = {"id": "source", "default": "file:images", "binds": ["again.source"]}
    round_ = {"id": "round", "nodes": [inner], "parameters": [own]}
    path = tmp_path / "document.json"
    node = {"id": "front", "module": "definition:round", "parameters": {"source": "file:own"}}
    whole = {"format": "pipeline-designer/2", "id": "x", "nodes": [node], "definitions": [round_]}
    path.write_text(json.dumps(whole))
    read = read_document(path, [], builtin_catalog())
    assert read.nodes[0].parameters == {"source": "file:own"}
