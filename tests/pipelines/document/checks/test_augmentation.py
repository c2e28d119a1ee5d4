"""Random operations that never reach a training are told before the run, with their cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.document.checks.augmentation import idle_augmentation
from pipelines.document.document import PipelineDocument, load_document
from pipelines.document.edits import set_parameter
from pipelines.problems import AUGMENTATION_LEFT_OUT, Problem
from tests.pipelines.execution.refusals import Node, node, wired

CATALOG = builtin_catalog()
LIBRARY = sorted((Path(__file__).parents[4] / "pipelines" / "lessons" / "library").glob("*.json"))
IMAGES = "output_image_directory"
TO_APPLY = "init.output_image_transformation -> apply.input_image_transformation"


def training(
    *links: str, init: dict[str, Any] | None = None, mode: str | None = None
) -> PipelineDocument:
    """A training whose images come over these links from nodes of every kind."""
    nodes: list[Node] = [
        node("import", "import_images", source="sample:shapes"),
        node("convert", "convert_to_image_directory"),
        node("init", "init_image_transformation", **(init or {})),
        node("apply", "apply_image_transformation", **({"mode": mode} if mode else {})),
        node("again", "apply_image_transformation", mode="For training"),
        node("split", "split_image_directory"),
        node("align", "align_classes"),
        node("resnet", "resnet", pretrained=False),
        node("train", "train_pytorch_model"),
    ]
    return wired(nodes, "import.dataset -> convert.input_dataset", TO_APPLY, *links)


CONVERT_APPLY = f"convert.{IMAGES} -> apply.input_image_directory"
DIRECT = f"apply.{IMAGES} -> train.training_dataset"
SPLIT = [f"apply.{IMAGES} -> split.input_image_directory"]
ALIGN = [
    f"apply.{IMAGES} -> align.input_image_directory2",
    f"convert.{IMAGES} -> align.input_image_directory1",
]


def findings_in(document: PipelineDocument) -> list[Problem]:
    return list(idle_augmentation(document, CATALOG))


@pytest.mark.parametrize(
    "links",
    [
        [DIRECT],
        [*SPLIT, f"split.{IMAGES}2 -> train.training_dataset"],
        [*ALIGN, f"align.{IMAGES}2 -> train.training_dataset"],
        [
            *SPLIT,
            f"split.{IMAGES}1 -> align.input_image_directory1",
            f"align.{IMAGES}1 -> train.training_dataset",
        ],
    ],
    ids=["directly", "split", "aligned", "split and aligned"],
)
def test_what_was_forgotten_is_told_with_a_button_that_sets_it(links: list[str]) -> None:
    document = training(CONVERT_APPLY, *links, init={"random_rotation": True})
    [problem] = findings_in(document)
    assert (problem.code, problem.severity) == (AUGMENTATION_LEFT_OUT.code, "warning")
    assert (problem.node, problem.parameter) == ("apply", "mode")
    assert "random horizontal flip" in problem.message
    assert problem.remedy == {"set": {"mode": "For training"}}
    assert findings_in(set_parameter(document, CATALOG, "apply", "mode", "For training")) == []


def test_images_that_validate_too_need_the_same() -> None:
    link = f"split.{IMAGES}1 -> train.training_dataset"
    alone, too = (
        findings_in(training(CONVERT_APPLY, *SPLIT, link, *more))
        for more in ([], [f"split.{IMAGES}2 -> train.validation_dataset"])
    )
    assert "Validation on these images" in too[0].cure
    assert "Validation on these images" not in alone[0].cure


@pytest.mark.parametrize(
    ("links", "facts"),
    [
        ([DIRECT], {"mode": "For training"}),
        ([DIRECT], {"init": {"random_horizontal_flip": False}}),
        ([DIRECT], {"init": {"size": -1}}),
        ([f"apply.{IMAGES} -> train.validation_dataset"], {}),
        ([*ALIGN, f"align.{IMAGES}1 -> train.training_dataset"], {}),
        (
            [
                f"apply.{IMAGES} -> again.input_image_directory",
                f"again.{IMAGES} -> train.training_dataset",
            ],
            {},
        ),
    ],
    ids=["set", "nothing random", "no values", "validation only", "other side", "replaced"],
)
def test_what_is_meant_is_left_alone(links: list[str], facts: dict[str, Any]) -> None:
    assert findings_in(training(CONVERT_APPLY, *links, **facts)) == []


def test_links_in_a_circle_end() -> None:
    circle = f"split.{IMAGES}1 -> align.input_image_directory1"
    back = f"align.{IMAGES}1 -> split.input_image_directory"
    assert findings_in(training(circle, back, f"split.{IMAGES}1 -> train.training_dataset")) == []


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_no_lesson_forgets_it(path: Path) -> None:
    assert findings_in(load_document(path)) == []
