"""Pipelines that scripts build: the same documents that their code is read as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import pipeline_designer
from modules.catalog import builtin_catalog
from pipeline_designer import CodeError, Pipeline, PipelineError
from pipeline_designer import modules as m
from pipelines.document.code.read import read_code
from pipelines.document.code.write import to_code
from pipelines.document.document import load_document, parse_document
from pipelines.lessons.pipeline_files import lesson_files
from tests.pipelines.document.code.strategies import documents, with_sorted_links


def executed(code: str) -> Pipeline:
    """Run the code of a pipeline and return it."""
    names: dict[str, Any] = {"__name__": "script"}
    exec(code, names)  # noqa: S102 - written by us
    made = names["p"]
    assert isinstance(made, Pipeline)
    return made


@pytest.mark.parametrize("name", lesson_files())
def test_lessons_run_as_they_are_read(name: str) -> None:
    document = load_document(lesson_files()[name])
    made = executed(to_code(document, builtin_catalog(), as_script=True))
    assert with_sorted_links(made.document) == with_sorted_links(document)
    assert made.to_code() == to_code(document, builtin_catalog())


@given(documents())
@settings(max_examples=30)
def test_any_code_means_the_same_executed_and_read(content: dict[str, Any]) -> None:
    catalog = builtin_catalog()
    code = to_code(parse_document(content), catalog)
    assert executed(code).document == read_code(code, catalog).document


def test_a_program_may_build_nodes_in_a_loop() -> None:
    with Pipeline("loop") as p:
        images = m.import_images(source="sample:digits")
        for size in (1, 2):
            m.convert_to_image_directory(input_dataset=images, title=f"Part {size}")
    assert [node.id for node in p.document.nodes] == [
        "images",
        "convert_to_image_directory",
        "convert_to_image_directory-2",
    ]
    assert [link.from_.node for link in p.document.links] == ["images", "images"]


def test_variables_of_a_function_are_the_ids() -> None:
    def build() -> Pipeline:
        with Pipeline("f") as p:
            net = m.densenet(pretrained=False)
            assert "untrained_model" in dir(net)
        return p

    assert build().document.nodes[0].id == "net"


def test_mistakes_are_sentences_with_a_fix() -> None:
    with pytest.raises(CodeError, match=r"'densnet' not found. Did you mean"), Pipeline("x"):
        m.densnet()  # type: ignore[attr-defined]
    with pytest.raises(CodeError, match="outside a pipeline"):
        m.densenet()
    with pytest.raises(CodeError, match="has several outputs"), Pipeline("x"):
        m.unknown("score_image_model", dataset=m.unknown("split_image_directory"))
    with pytest.raises(AttributeError, match=r"no output 'datset'. Did you mean"), Pipeline("x"):
        _ = m.import_images().datset  # type: ignore[attr-defined]
    with pytest.raises(CodeError, match="not complete"), Pipeline("x") as p:
        _ = p.document
    with pytest.raises(PipelineError, match="not a valid id"), Pipeline("Not an id"):
        pass


def test_an_error_in_the_block_leaves_nothing_open() -> None:
    with pytest.raises(ZeroDivisionError), Pipeline("x"):
        _ = 1 / 0
    with pytest.raises(CodeError, match="outside a pipeline"):
        m.densenet()


def test_files_are_documents_or_code(tmp_path: Path) -> None:
    with Pipeline("net") as p:
        _net = m.densenet(id="net", pretrained=False)
    assert json.loads(p.save(tmp_path / "net.json").read_text())["id"] == "net"
    code = p.save(tmp_path / "net.py").read_text()
    assert read_code(code, builtin_catalog()).document == p.document


def test_names_of_the_package() -> None:
    assert {"Pipeline", "Workspace", "Run"} <= set(pipeline_designer.__all__)
    for name in pipeline_designer.__all__:
        assert getattr(pipeline_designer, name).__doc__
    assert {"densenet", "unknown", "sub_pipeline"} <= set(dir(m))
