"""Cures as edits: each valid, one step, and nothing where the pipeline has changed since."""

from __future__ import annotations

from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.documents.document import PipelineDocument, parse_document
from pipelines.documents.lessons import lessons
from pipelines.editing.remedies import remedy_of
from pipelines.validation.checks import validate
from tests.pipelines.documents import cases
from tests.toy import CATALOG as TOYS

TRAINING_PORTS = ["training_dataset", "validation_dataset"]


@pytest.fixture(scope="module")
def catalog() -> Any:
    return builtin_catalog()


@pytest.fixture
def lesson() -> PipelineDocument:
    return lessons()[0].document


def problem(remedy: dict[str, Any], **place: Any) -> dict[str, Any]:
    return {"node": "train", "port": None, "remedy": remedy, **place}


@pytest.mark.parametrize(
    ("remedy", "place", "label"),
    [
        ({"set": {"batch_size": 8}}, {}, "Set Batch size 8"),
        ({"set": {"learning_rate": 0.001}}, {}, "Set Learning rate 0.001"),
        ({"reset": "epochs"}, {}, "Reset"),
        ({"run_settings": {"node_count": 1}}, {}, "Set node count 1"),
        ({"set": {"pretrained": False}}, {"node": "densenet"}, "Set Pretrained false"),
        ({"set": {"pretrained": False}}, {}, "Set Pretrained false at DenseNet"),
        ({"set": {"frozen_stages": 2}}, {}, "Set Frozen stages 2 at DenseNet"),
        (
            {"across": {"module": "align_classes", "ports": TRAINING_PORTS}},
            {},
            "Insert Align Classes",
        ),
        (
            {"insert": ["init_image_transformation", "apply_image_transformation"]},
            {"port": "training_dataset"},
            "Insert Init Image Transformation, Apply Image Transformation",
        ),
    ],
)
def test_a_cure_leaves_a_pipeline_that_can_run(
    remedy: dict[str, Any], place: dict[str, Any], label: str, lesson: Any, catalog: Any
) -> None:
    cured = remedy_of(problem(remedy, **place), lesson, catalog)
    assert cured is not None
    assert cured.label == label
    assert [each for each in validate(cured.document, catalog) if each.severity == "error"] == []
    assert parse_document(cured.document.to_json()) == cured.document


def test_unequal_sizes_are_cured_on_both_sides_by_one_transformation(
    lesson: PipelineDocument, catalog: Any
) -> None:
    init, apply = "init_image_transformation", "apply_image_transformation"
    remedy = {"insert": [init, apply], "parameters": {init: {"size": 32, "crop_size": 32}}}
    cured = remedy_of(problem(remedy, port="validation_dataset"), lesson, catalog)
    assert cured is not None
    into = {str(link.to): link.from_.node for link in cured.document.links}
    assert {into["train.training_dataset"], into["train.validation_dataset"]} == {
        apply,
        f"{apply}_2",
    }
    assert into[f"{apply}.input_image_transformation"] == init
    assert into[f"{apply}_2.input_image_transformation"] == init
    assert {into[f"{apply}.input_image_directory"], into[f"{apply}_2.input_image_directory"]} == {
        "split"
    }
    added = next(node for node in cured.document.nodes if node.id == init)
    assert added.parameters == {"size": 32, "crop_size": 32}


@pytest.mark.parametrize(
    "broken",
    [
        problem({"set": {"batch_size": 8}}, node="gone"),
        problem({"set": 8}),
        problem({"insert": ["no_such_module"]}, port="training_dataset"),
        problem({"insert": ["densenet"]}, port="training_dataset"),
        problem({"across": {"module": "align_classes", "ports": ["gone"]}}),
        problem({"unknown": 1}),
        {"node": "train", "remedy": None},
    ],
)
def test_a_cure_that_no_longer_fits_is_none(broken: Any, lesson: Any, catalog: Any) -> None:
    assert remedy_of(broken, lesson, catalog) is None


def test_a_link_that_does_not_fit_can_be_removed() -> None:
    document = parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "sums",
            "nodes": [{"id": "one", "module": "constant"}, {"id": "whole", "module": "whole"}],
            "links": [
                {
                    "from": {"node": "one", "port": "output"},
                    "to": {"node": "whole", "port": "a"},
                }
            ],
        }
    )
    remedy = {"disconnect": {"node": "whole", "port": "a"}}
    cured = remedy_of({"node": "whole", "remedy": remedy}, document, TOYS)
    assert cured is not None
    assert cured.document.links == ()


@pytest.mark.parametrize("case", cases.named(cases.load("remedies.json")))
def test_a_cure_sets_parameters_where_they_are(case: dict[str, Any]) -> None:
    document = parse_document(cases.pipeline(*case["nodes"], links=tuple(case["links"])))
    problem = {"node": case["node"], "port": case.get("port"), "remedy": case["remedy"]}
    cured = remedy_of(problem, document, TOYS)
    assert (cured and cured.label) == case["label"]
    if cured is not None:
        changed = {node.id: node.parameters for node in cured.document.nodes if node.parameters}
        assert changed == {case["changed"]: case["parameters"]}
