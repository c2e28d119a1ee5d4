"""Texts of modules are shown in the language of the user; everything else stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.catalog import Catalog, builtin_catalog, builtin_modules
from modules.catalog_spec import catalog_spec
from modules.module_texts import parameter_title, texts_of, translated, type_words
from pipelines.document.checks.connections import may_link
from pipelines.document.document import Endpoint, Node, PipelineDocument
from pipelines.document.node_titles import setting_title
from pipelines.reference.pages import reference
from tests.languages import Entry, in_czech

MARK = "č "
NOT_TEXTS = frozenset({"icon", "id", "origin", "type", "items", "default", "choices", "libraries"})


def marked() -> Iterator[Entry]:
    """A translation of every text, which is the text after a mark."""
    for module in builtin_modules():
        for text, context in texts_of(module):
            yield text, context, MARK + text


@pytest.fixture
def czech(tmp_path: Path) -> Iterator[Catalog]:
    with in_czech(tmp_path, marked()):
        yield builtin_catalog()


def without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_marks(inner) for name, inner in value.items() if name != "keywords"}
    if isinstance(value, list | tuple):
        return [without_marks(inner) for inner in value]
    return value.replace(MARK, "") if isinstance(value, str) else value


def unmarked_texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Fields with words that are not translated."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NOT_TEXTS:
                yield from unmarked_texts(inner, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from unmarked_texts(inner, name)
    elif isinstance(value, str) and value and MARK not in value:
        yield name, value


def test_every_text_of_the_palette_is_translated(czech: Catalog) -> None:
    modules = [spec.model_dump() for spec in catalog_spec(czech).modules]
    fields = ("title", "category", "summary", "description", "inputs", "outputs", "parameters")
    shown = [{name: module[name] for name in fields} for module in modules]
    rest = {"code", "shown_when", "parameter", "made_with", "suggestions", "values"}
    assert [found for found in unmarked_texts(shown) if found[0] not in rest] == []


def test_only_texts_are_translated(czech: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = catalog_spec(czech).model_dump()
    monkeypatch.setattr("modules.sentences.translation.translations", lambda: None)
    english = catalog_spec(builtin_catalog()).model_dump()
    assert without_marks(shown) == without_marks(english)
    assert shown != english


def test_translated_modules_are_found_by_their_english_title(czech: Catalog) -> None:
    module = czech.get("train_pytorch_model")
    assert module is not None
    assert module.title == "č Train PyTorch Model"
    assert "Train PyTorch Model" in module.keywords
    assert module.category == "č Model Training"
    parts = {entry.category for entry in czech.modules if "/" in entry.category}
    assert "č Computer Vision/č Image Classification" in parts


def test_messages_use_translated_names(czech: Catalog) -> None:
    module = czech.get("train_pytorch_model")
    assert module is not None
    assert setting_title("epochs", module) == "č Epochs"
    assert setting_title("node_count", module) == "Node count"
    assert parameter_title(module.parameters_type, "none") is None
    nodes = (Node(id="a", module="resnet"), Node(id="b", module="evaluate_model"))
    document = PipelineDocument(id="p", name="P", nodes=nodes)
    network = czech.get("resnet")
    assert network is not None
    output = network.outputs[0]
    source = Endpoint(node="a", port=output.id)
    refused = may_link(document, czech, source, Endpoint(node="b", port="scored_dataset"))
    assert "č Evaluate Model" in refused.reason
    assert type_words(output.type) in refused.reason


def test_the_reference_is_translated(czech: Catalog) -> None:
    page = reference(czech, [], "modules")
    assert "## č Train PyTorch Model" in page
    assert "| č Epochs |" in page


def test_english_modules_are_those_declared() -> None:
    for module in builtin_modules():
        assert translated(module) is module
        assert type_words(module.outputs[0].type) == module.outputs[0].type.in_words()
