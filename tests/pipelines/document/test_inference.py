"""Derived inference pipelines: what is kept, what goes and why, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.document.checks.validate import validate
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.document.inference import Derived, derive_inference
from pipelines.lessons.lesson import lessons
from pipelines.problems import PipelineError, errors_in

CATALOG = builtin_catalog()


def document(
    nodes: dict[str, dict[str, Any]], links: list[tuple[str, str]], **facts: Any
) -> PipelineDocument:
    """A document from modules by node, and wires such as ``("a.output", "b.input")``."""
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "birds",
            "nodes": [{"id": name, **facts} for name, facts in nodes.items()],
            "links": [
                {
                    "from": dict(zip(("node", "port"), source.split("."), strict=True)),
                    "to": dict(zip(("node", "port"), target.split("."), strict=True)),
                }
                for source, target in links
            ],
            **facts,
        }
    )


NODES: dict[str, dict[str, Any]] = {
    "images": {"module": "import_images", "parameters": {"source": "sample:shapes"}},
    "convert": {
        "module": "convert_to_image_directory",
        "parameters": {"class_from": "folder name", "part": "train"},
    },
    "split": {"module": "split_image_directory"},
    "init": {
        "module": "init_image_transformation",
        "parameters": {"size": 64, "crop_size": 64, "random_rotation": True, "mixup_alpha": 0.2},
    },
    "apply": {
        "module": "apply_image_transformation",
        "parameters": {"mode": "For training"},
    },
    "apply_test": {"module": "apply_image_transformation"},
    "net": {"module": "resnet"},
    "train": {"module": "train_pytorch_model"},
    "score": {"module": "score_image_model"},
    "evaluate": {"module": "evaluate_model"},
}
LINKS = [
    ("images.dataset", "convert.input_dataset"),
    ("convert.output_image_directory", "split.input_image_directory"),
    ("split.output_image_directory1", "apply.input_image_directory"),
    ("split.output_image_directory2", "apply_test.input_image_directory"),
    ("init.output_image_transformation", "apply.input_image_transformation"),
    ("init.output_image_transformation", "apply_test.input_image_transformation"),
    ("net.untrained_model", "train.untrained_model"),
    ("apply.output_image_directory", "train.training_dataset"),
    ("apply_test.output_image_directory", "train.validation_dataset"),
    ("train.trained_model", "score.trained_model"),
    ("apply_test.output_image_directory", "score.dataset"),
    ("score.scored_dataset", "evaluate.scored_dataset"),
]


def derived(original: PipelineDocument, **how: Any) -> Derived:
    """The inference pipeline, which must be valid, and leaves the original as it was."""
    before = original.to_json()
    made = derive_inference(original, CATALOG, "birds@2", **how)
    assert original.to_json() == before
    assert errors_in(validate(made.document, CATALOG)) == ()
    return made


def modules_of(made: Derived) -> dict[str, str]:
    return {node.id: node.module for node in made.document.nodes}


def test_training_goes_and_everything_that_classifies_stays() -> None:
    made = derived(document(NODES, LINKS))
    assert modules_of(made) == {
        "convert": "convert_to_image_directory",
        "init": "init_image_transformation",
        "apply_test": "apply_image_transformation",
        "score": "score_image_model",
        "registered_model": "registered_model",
        "web_service_input": "web_service_input",
        "web_service_output": "web_service_output",
    }
    wires = {(f"{link.from_}", f"{link.to}") for link in made.document.links}
    assert wires == {
        ("web_service_input.dataset", "convert.input_dataset"),
        ("convert.output_image_directory", "apply_test.input_image_directory"),
        ("init.output_image_transformation", "apply_test.input_image_transformation"),
        ("apply_test.output_image_directory", "score.dataset"),
        ("registered_model.trained_model", "score.trained_model"),
        ("score.scored_dataset", "web_service_output.scored_dataset"),
    }
    parameters = {node.id: node.parameters for node in made.document.nodes}
    assert parameters["registered_model"] == {"model": "birds@2"}
    assert parameters["convert"] == {"class_from": "none"}
    assert parameters["init"] == {"size": 64, "crop_size": 64, "random_horizontal_flip": False}
    places = {node.id: node.position for node in made.document.nodes}
    assert places["web_service_output"].x > places["score"].x, "the flow is from left to right"
    assert places["web_service_output"].y == places["score"].y
    [images] = made.document.parameters
    assert "file:" in images.description, "a path without it is rejected"
    assert (images.id, images.default) == ("images", "sample:shapes")
    assert images.binds == ("web_service_input.source",)


def test_every_change_has_its_reason() -> None:
    made = derived(document(NODES, LINKS))
    reasons = {(change.kind, change.node): str(change.why) for change in made.changes}
    assert set(reasons) == {
        ("replaced", "train"),
        ("removed", "images"),
        ("removed", "split"),
        ("removed", "apply"),
        ("removed", "net"),
        ("removed", "evaluate"),
        ("changed", "convert"),
        ("changed", "init"),
        ("added", "web_service_input"),
        ("added", "web_service_output"),
    }
    assert "random_horizontal_flip" in reasons["changed", "init"]
    assert all(reason.endswith(".") for reason in reasons.values())


def test_a_test_set_with_mode_for_training_is_read_for_inference() -> None:
    links = [
        (source.replace("apply_test.", "apply."), target)
        if target == "score.dataset"
        else (source, target)
        for source, target in LINKS
    ]
    made = derived(document(NODES, links))
    node = made.document.node("apply")
    assert node is not None
    assert node.parameters == {}
    assert ("changed", "apply") in {(change.kind, change.node) for change in made.changes}


def test_a_pipeline_without_a_score_gets_one() -> None:
    nodes = {name: node for name, node in NODES.items() if name not in ("score", "evaluate")}
    links = [wire for wire in LINKS if "score" not in wire[1] and "evaluate" not in wire[1]]
    made = derived(document(nodes, links))
    assert set(modules_of(made).values()) == {
        "registered_model",
        "score_image_model",
        "init_image_transformation",
        "apply_image_transformation",
        "convert_to_image_directory",
        "web_service_input",
        "web_service_output",
    }


def test_parameters_of_removed_nodes_go() -> None:
    bound = [
        {"id": "epochs", "type": "integer", "default": 3, "binds": ["train.epochs"]},
        {
            "id": "size",
            "type": "integer",
            "default": 64,
            "binds": ["init.size", "split.random_seed"],
        },
    ]
    made = derived(document(NODES, LINKS, parameters=bound))
    assert [parameter.id for parameter in made.document.parameters] == ["size", "images"]
    assert made.document.parameters[0].binds == ("init.size",)


def test_a_registered_model_is_pinned() -> None:
    nodes = {
        name: node
        for name, node in NODES.items()
        if name not in ("train", "net", "apply", "split", "evaluate")
    }
    nodes["known"] = {"module": "registered_model", "parameters": {"model": "birds@best"}}
    links = [
        ("images.dataset", "convert.input_dataset"),
        ("convert.output_image_directory", "apply_test.input_image_directory"),
        ("init.output_image_transformation", "apply_test.input_image_transformation"),
        ("known.trained_model", "score.trained_model"),
        ("apply_test.output_image_directory", "score.dataset"),
    ]
    made = derived(document(nodes, links))
    node = made.document.node("known")
    assert node is not None
    assert node.parameters == {"model": "birds@2"}


def test_two_trainings_need_a_choice() -> None:
    nodes = {**NODES, "train2": {"module": "train_pytorch_model"}}
    links = [*LINKS] + [
        (source, target.replace("train.", "train2."))
        for source, target in LINKS
        if target.startswith("train.")
    ]
    original = document(nodes, links)
    with pytest.raises(PipelineError) as refused:
        derive_inference(original, CATALOG, "birds@2")
    assert "train2" in str(refused.value)
    assert "score" in modules_of(derived(original, node="train"))


@pytest.mark.parametrize(
    "original",
    [
        document({}, []),
        document({"images": NODES["images"]}, []),
        document({"gone": {"module": "no_such_module"}}, []),
    ],
)
def test_what_cannot_be_derived_is_refused(original: PipelineDocument) -> None:
    with pytest.raises(PipelineError) as refused:
        derive_inference(original, CATALOG, "birds@2")
    [problem] = refused.value.problems
    assert problem.name == "NoInferencePipeline"
    assert problem.cure


LESSONS = {entry.slug: entry.document for entry in lessons()}


def trainings(original: PipelineDocument) -> list[str]:
    flat = expanded(original)
    return [
        node.id.replace("/", "-") for node in flat.nodes if node.module == "train_pytorch_model"
    ]


@pytest.mark.parametrize("lesson", [slug for slug, lesson in LESSONS.items() if trainings(lesson)])
def test_every_lesson_that_trains_can_be_derived(lesson: str) -> None:
    original = LESSONS[lesson]
    made = derived(original, node=trainings(original)[0])
    assert {"web_service_input", "web_service_output"} <= set(modules_of(made).values())
    assert not {"train_pytorch_model", "evaluate_model"} & set(modules_of(made).values())
