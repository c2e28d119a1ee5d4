"""Parameters of modules: a frozen pydantic model, and what a settings pane must know of it.

class SplitParameters(Parameters):
    fraction: float = Field(0.9, gt=0, lt=1, description="...")
    crop_size: Annotated[int, Unit("pixels"), ShownWhen("crop")] = Field(224, gt=0, ...)
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

T = TypeVar("T")
ParameterValues = dict[str, Any]
"""Values of parameters by name, as JSON."""


def _title_of(name: str, _info: object) -> str:
    return name.replace("_", " ").capitalize()


class Parameters(BaseModel):
    """The base of every module's parameters: frozen, strict, no unknown names, no NaN.

    A parameter without a title is titled by its name: ``crop_size`` is "Crop size".
    """

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        protected_namespaces=(),
        field_title_generator=_title_of,
    )


class NoParameters(Parameters):
    """Parameters of modules that have none."""


@dataclass(frozen=True)
class Unit:
    """Field metadata: the unit of a number, shown after the input."""

    text: str


@dataclass(frozen=True)
class Group:
    """Field metadata: the heading above a parameter; folded groups open on demand."""

    title: str
    folded: bool = False


@dataclass(frozen=True)
class ShownWhen:
    """Field metadata: the parameter applies only while another one has one of these values."""

    parameter: str
    values: tuple[Any, ...] = (True,)


@dataclass(frozen=True)
class Follows:
    """Field metadata: the parameter follows another one as long as both are equal.

    Then one field, titled ``together``, shows both.
    """

    parameter: str
    together: str


@dataclass(frozen=True)
class LocalPath:
    """Field metadata: the text, after ``prefix``, is the path of a file or folder.

    A text that starts with one of ``apart_from`` is not a path.
    """

    prefix: str = ""
    apart_from: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suggestions:
    """Field metadata: suggested values for a free text, computed on request."""

    values: Callable[[], Iterable[str]]


@dataclass(frozen=True)
class FromData:
    """Field metadata: the available choices, or their meaning, depend on data or the machine.

    The module's forecast returns them (``StepForecast.choices``).
    """


@dataclass(frozen=True)
class AddedLater:
    """Field metadata: the parameter is newer than stored results.

    While it has its default it is not part of a step's key, so that those results are reused.
    """


@dataclass(frozen=True)
class Code:
    """Field metadata: the text is a program, with a code editor.

    If it comes with a pipeline of someone else, it runs only after a review.
    """

    language: str = "python"


@dataclass(frozen=True)
class Runs:
    """Field metadata: the value decides which program is run, or what a program does.

    If it comes with a pipeline of someone else, it is reviewed like code, together with all others
    of its node. A value that is ``only_with_others`` runs nothing alone: problems then point to
    another one if possible.
    """

    only_with_others: bool = False


@dataclass(frozen=True)
class Tries:
    """Field metadata: each line, NAME = SPACE, varies another parameter of the module.

    The values of the space win over the parameter's own value.
    """


@dataclass(frozen=True)
class SecretNames:
    """Field metadata: names of secrets, whose values are in ``Context.secrets``."""


def secret_names(parameters: Parameters) -> tuple[str, ...]:
    """Return the names in all fields that hold names of secrets."""
    lists = [getattr(parameters, name) for name in fields_with(type(parameters), SecretNames)]
    return tuple(dict.fromkeys(secret for names in lists for secret in names))


def parameters_in_key(parameters: Parameters) -> ParameterValues:
    """Return the parameters that decide the result of a step, as JSON."""
    values = parameters.model_dump(mode="json")
    for name in fields_with(type(parameters), AddedLater):
        if getattr(parameters, name) == type(parameters).model_fields[name].default:
            del values[name]
    return values


@lru_cache(maxsize=1024)  # an edit calls this for every node; reloaded modules have new types
def fields_with(parameters_type: type[Parameters], kind: type[T]) -> Mapping[str, list[T]]:
    """Return the fields annotated with a kind of metadata, in the order of declaration."""
    by_name = {name: metadata(info, kind) for name, info in parameters_type.model_fields.items()}
    return {name: entries for name, entries in by_name.items() if entries}


def metadata(info: FieldInfo, kind: type[T]) -> list[T]:
    """Return the metadata of one kind of a field."""
    return [entry for entry in info.metadata if isinstance(entry, kind)]


def takes_text(parameters_type: type[Parameters], name: str) -> bool:
    """Return True for text values, which need no quotation marks."""
    hint = parameters_type.model_fields[name].annotation
    if typing.get_origin(hint) in (Union, types.UnionType):
        kinds = [argument for argument in typing.get_args(hint) if argument is not type(None)]
    else:
        kinds = [hint]
    return all(_is_text(kind) for kind in kinds)


def _is_text(kind: Any) -> bool:
    if typing.get_origin(kind) is Literal:
        return all(isinstance(choice, str) for choice in typing.get_args(kind))
    return isinstance(kind, type) and issubclass(kind, str)
