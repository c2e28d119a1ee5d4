"""Declaring a module: ports from the signature; every mistake is told at import, with its cure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Optional

import pytest
from pydantic import BaseModel, Field

from modules.artifacts import AnyDirectory, ImageDirectory, Table
from modules.catalog_spec import module_spec
from modules.context import Context
from modules.declare import DeclarationError, module
from modules.parameters import NoParameters, Parameters, ShownWhen
from modules.spec import Module, PortDoc
from tests.json_values import as_json


class CutParameters(Parameters):
    share: float = Field(0.5, gt=0, lt=1, title="Share", description="Of the first part.")


class CutOutputs(NamedTuple):
    first: Annotated[ImageDirectory, PortDoc("The first part.", "Part one")]
    second_part: ImageDirectory


@module(title="Cut", category="Tests/Here", summary="Cut in two.", version=2, libraries=("torch",))
def cut(
    images: Annotated[ImageDirectory, PortDoc("What is cut.")],
    parameters: CutParameters,
    context: Context,
    table: Table | None = None,
    other: Optional[Table] = None,  # noqa: UP045  this spelling must be read too
) -> CutOutputs:
    """Cut images in two."""
    assert 0 < parameters.share < context.world_size
    assert table is other is None
    return CutOutputs(images, images)


def declare(function: Callable[..., Any], **presentation: Any) -> Module:
    shown = {"title": "T", "category": "C", "summary": "S", **presentation}
    return module(**shown)(function)


def test_what_a_signature_says() -> None:
    assert (cut.id, cut.version, cut.needs_torch) == ("cut", 2, True)
    assert [(port.id, port.type, port.optional) for port in cut.inputs] == [
        ("images", ImageDirectory, False),
        ("table", Table, True),
        ("other", Table, True),
    ]
    assert [(port.id, port.title, port.description) for port in cut.outputs] == [
        ("first", "Part one", "The first part."),
        ("second_part", "Second part", ""),
    ]
    assert cut.parameters_type is CutParameters
    assert cut.input("images") is cut.inputs[0]
    assert cut.output("images") is None


def test_a_declared_module_is_still_a_function(tmp_path: Path) -> None:
    images = ImageDirectory(tmp_path)
    assert cut(images, CutParameters(), Context(tmp_path)).first is images
    outputs = cut.run({"images": images}, CutParameters(), Context(tmp_path))
    assert outputs == {"first": images, "second_part": images}


def test_a_module_without_parameters_or_outputs() -> None:
    def look(images: ImageDirectory) -> None:
        assert images

    found = declare(look)
    assert (found.parameters_type, found.outputs) == (NoParameters, ())
    assert found.context_argument is None


def test_one_output_is_called_output() -> None:
    def give() -> AnyDirectory:
        raise NotImplementedError

    assert [port.id for port in declare(give).outputs] == ["output"]


def test_the_specification() -> None:
    found = as_json(module_spec(cut))
    assert found["description"] == "Cut images in two."
    assert found["inputs"][1]["optional"] is True
    assert [each["id"] for each in found["parameters"]] == ["share"]


class Untold(Parameters):
    share: float = 0.5


class Misled(Parameters):
    share: Annotated[float, ShownWhen("gone")] = Field(0.5, title="S", description="D.")


class Foreign(BaseModel):
    share: float = Field(0.5, title="S", description="D.")


def bare(images) -> None:  # type: ignore[no-untyped-def]
    """An argument without an annotation."""


def text(images: str) -> None:
    """An argument that is no port."""


def several(images: ImageDirectory | Table) -> None:
    """A port of two types."""


def unnamed() -> tuple[ImageDirectory, ImageDirectory]:
    """Outputs without names."""
    raise NotImplementedError


def silent(images: ImageDirectory):  # type: ignore[no-untyped-def]
    """Nothing said of what it gives."""


def stars(*images: ImageDirectory) -> None:
    """As many ports as one likes."""


def number() -> 5:  # type: ignore[valid-type]
    """An output that is no type at all."""


def untold(parameters: Untold) -> None:
    """A parameter without words."""


def misled(parameters: Misled) -> None:
    """A condition on nothing."""


def foreign(parameters: Foreign) -> None:
    """Parameters that are not frozen."""


def unknown(images: NoSuchType) -> None:  # type: ignore[name-defined]  # noqa: F821
    """An annotation that names nothing."""


def Loud() -> None:  # noqa: N802
    """A name in capitals."""


def fine() -> None:
    """Nothing wrong."""


@pytest.mark.parametrize(
    ("function", "presentation", "says"),
    [
        (bare, {}, "has no annotation. Annotate it"),
        (text, {}, "which is not a port type. Use a port type such as"),
        (several, {}, "which is not a port type. Use a port type such as"),
        (unnamed, {}, "Return a NamedTuple"),
        (silent, {}, "has no return annotation. Annotate it"),
        (number, {}, "which is not a port type"),
        (stars, {}, "is variadic (* or **). Declare a separate argument"),
        (untold, {}, "has no description. Pass it"),
        (misled, {}, "which does not exist. Use the name of a parameter of the same class"),
        (foreign, {}, "is not a Parameters class. Derive it"),
        (unknown, {}, "cannot be resolved"),
        (Loud, {}, "not snake_case. Rename"),
        (fine, {"title": " "}, "title, category or summary is empty"),
        (fine, {"version": 0}, "below 1. Start versions at 1."),
        (fine, {"results_version": 0}, "below 1. Start versions at 1."),
    ],
)
def test_mistakes_are_told_with_their_cure(
    function: Callable[..., Any], presentation: dict[str, Any], says: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        declare(function, **presentation)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{function.__name__}: ")
