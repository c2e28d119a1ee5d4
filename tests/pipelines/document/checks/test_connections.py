"""One function decides what may be linked; its cases are shared with the browser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec
from pipelines.document.checks.connections import may_link
from pipelines.document.checks.graph import Graph
from pipelines.document.document import Endpoint, PipelineDocument, parse_document
from pipelines.document.edits import connect
from tests.json_values import as_json
from tests.pipelines.document import cases
from tests.toy import CATALOG


@pytest.mark.parametrize("case", cases.named(cases.load("rules.json")))
def test_shared_cases(case: dict[str, Any]) -> None:
    document = parse_document(case["document"])
    verdict = may_link(document, CATALOG, Endpoint(**case["from"]), Endpoint(**case["to"]))
    assert (verdict.allowed, verdict.reason) == (case["allowed"], case["reason"])
    assert (verdict.bridge, as_json(verdict.replaces)) == (case["bridge"], case["replaces"])
    stated = verdict.statement and verdict.statement.to_json()
    assert stated == case["statement"]


def test_the_catalog_the_cases_are_about_is_the_toy_catalog() -> None:
    assert cases.load("toy_catalog.json") == as_json(catalog_spec(CATALOG)), "Write it again."


@pytest.mark.parametrize(
    ("source", "target", "reason", "bridge"),
    [
        (
            "densenet.untrained_model",
            "score_image_model.trained_model",
            "Score Image Model needs a trained or exported model, but DenseNet produces an "
            "untrained model: add Train PyTorch Model between them.",
            "train_pytorch_model",
        ),
        (
            "run_training_script.model",
            "score_image_model.trained_model",
            "Score Image Model needs a trained or exported model, but Run Training Script produces "
            "a model of a script: add Make Trained Model between them.",
            "make_trained_model",
        ),
        (
            "import_images.dataset",
            "split_image_directory.input_image_directory",
            "Split Image Directory needs an image directory, but Import Images produces a folder "
            "or archive: add Convert to Image Directory between them.",
            "convert_to_image_directory",
        ),
        (
            "score_image_model.scored_dataset",
            "train_pytorch_model.training_dataset",
            "Train PyTorch Model needs an image directory, but Score Image Model produces scored "
            "images: connect an output of Convert to Image Directory, Split Image Directory, "
            "Align Classes, Apply Image Transformation, Execute Python Script.",
            None,
        ),
    ],
)
def test_sentences_of_the_built_in_modules(
    source: str, target: str, reason: str, bridge: str | None
) -> None:
    ends = [Endpoint(node=node, port=port) for node, port in (source.split("."), target.split("."))]
    document = parse_document(cases.pipeline(*(end.node for end in ends)))
    verdict = may_link(document, builtin_catalog(), *ends)
    assert (verdict.reason, verdict.bridge) == (reason, bridge)


modules = st.sampled_from([module.id for module in CATALOG.modules])
places = st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["a", "b", "n"]))


@given(st.lists(modules, min_size=10, max_size=10), st.lists(places, max_size=40))
def test_allowed_links_keep_a_graph_sound(
    kinds: list[str], attempts: list[tuple[int, int, str]]
) -> None:
    document = parse_document(cases.pipeline(*(f"n{i}:{kind}" for i, kind in enumerate(kinds))))
    for source, target, port in attempts:
        document = _linked(document, f"n{source}", f"n{target}", port)
    graph = Graph(document, CATALOG)
    assert graph.cycle() is None
    assert sum(len(links) for links in graph.links_into.values()) == len(document.links)
    places = {node_id: place for place, node_id in enumerate(graph.order)}
    assert all(places[link.from_.node] < places[link.to.node] for link in document.links)


def _linked(document: PipelineDocument, source: str, target: str, port: str) -> PipelineDocument:
    from_, to = Endpoint(node=source, port="output"), Endpoint(node=target, port=port)
    if not may_link(document, CATALOG, from_, to).allowed:
        return document
    return connect(document, CATALOG, from_, to)
