"""Declaration of a module: ports from the signature, parameters from a pydantic model.

    class SplitParameters(Parameters):
        fraction: float = Field(0.9, gt=0, lt=1, title="Fraction", description="...")

    class SplitOutputs(NamedTuple):
        first: ImageDirectory
        second: ImageDirectory

    @module(title="Split Image Directory", category="Computer Vision/Image Data Transformation",
            summary="Divide the images into two sets.")
    def split(images: ImageDirectory, parameters: SplitParameters) -> SplitOutputs:
        ...

The declared module is still callable: ``split(images, SplitParameters(), Context(tmp_path))``.
A mistake in the declaration raises ``DeclarationError`` at import, with a fix.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from modules.artifacts import Artifact
from modules.augmentation import Augmentation
from modules.context import Context
from modules.parameters import NoParameters, Parameters, ShownWhen, metadata
from modules.sentences import declarations as say
from modules.sentences.sentence import Sentence
from modules.spec import Module, ParameterFinding, Port, PortDoc

_SHORTER = (
    (r"^(input|output)\s+", ""),
    ("image directory", "images"),
    ("image transformation", "transformation"),
    ("evaluation results", "results"),
    (r"([a-z])(\d+)$", r"\1 \2"),
)
"""Short forms of port titles, for the canvas."""


class DeclarationError(TypeError):
    """A module declaration that the designer cannot read; the message ends with the fix."""

    def __init__(self, module_id: str, mistake: Sentence, **facts: Any) -> None:
        self.module_id = module_id
        self.statement = mistake.about(facts)
        self.message = f"{module_id}: {self.statement.message}"
        self.cure = self.statement.cure
        super().__init__(f"{self.message} {self.cure}")


def module(
    *,
    title: str,
    category: str,
    summary: str,
    version: int = 1,
    results_version: int = 1,
    icon: str = "box",
    keywords: tuple[str, ...] = (),
    libraries: tuple[str, ...] = (),
    distributed: bool = False,
    stoppable: bool = False,
    launches: bool = False,
    takes_environment: bool = False,
    shares_cores: Mapping[str, Any] | None = None,
    bridges: tuple[str, ...] | None = None,
    check: Callable[[Any], Iterable[ParameterFinding]] | None = None,
    fingerprint: Callable[[Any, Context], str] | None = None,
    forecast: Callable[..., Any] | None = None,
    augmentation: Augmentation | None = None,
    without_gpu: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Any]], Module]:
    """Declare the decorated function as a module whose ID is the function's name.

    Args:
        category: Path with slashes.
        version: Increases if documents must change.
        results_version: Increases if the same parameters and inputs produce other outputs; earlier
            outputs are then not reused.
        icon: Name of a lucide icon.
        libraries: Distributions whose versions affect the result; they are part of the artifact
            key.
        distributed: The module runs on every rank.
        stoppable: The module checks ``Context.stop_requested`` and then outputs its current result.
        launches: The module runs once, starts the processes of the run settings itself, and reports
            when they run (``Context.phase``). On several machines it runs on each of them, with
            ``Context.machine``; the first one's outputs count. It receives the environment, too.
        takes_environment: The module uses the environment of the run settings
            (``Context.environment``).
        shares_cores: Parameter values with which it adapts to the free cores, as everything does
            that gets its threads from ``modules.compute``. Other steps reserve their cores.
        bridges: Inputs at which it is offered between two modules of incompatible types; default:
            all.
        check: Finds parameters that are each in range but conflict.
        fingerprint: Identifies a source's data, for modules that read from outside the graph.
        forecast: Estimates the outputs without running (``modules.forecast``).
        augmentation: Role in handling random operations on images.
        without_gpu: Values of a new node on a machine without a GPU.
    """

    def declare(function: Callable[..., Any]) -> Module:
        module_id = function.__name__
        signature = _Signature.read(module_id, function)
        _check_presentation(module_id, title, category, summary)
        _check_versions(module_id, version, results_version)
        return Module(
            id=module_id,
            title=title,
            category=category,
            summary=summary,
            version=version,
            results_version=results_version,
            icon=icon,
            keywords=keywords,
            parameters_type=signature.parameters_type,
            inputs=signature.inputs,
            outputs=signature.outputs,
            libraries=libraries,
            distributed=distributed,
            stoppable=stoppable,
            launches=launches,
            takes_environment=takes_environment or launches,
            shares_cores=shares_cores,
            bridges=bridges,
            function=function,
            parameters_argument=signature.parameters_argument,
            context_argument=signature.context_argument,
            check=check,
            fingerprint=fingerprint,
            forecast=forecast,
            augmentation=augmentation,
            without_gpu=without_gpu or {},
        )

    return declare


@dataclass(frozen=True)
class _Signature:
    """The annotations of a function, parsed."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    parameters_type: type[Parameters]
    parameters_argument: str | None
    context_argument: str | None

    @classmethod
    def read(cls, module_id: str, function: Callable[..., Any]) -> _Signature:
        hints = _type_hints(module_id, function)
        inputs: list[Port] = []
        parameters_type: type[BaseModel] = NoParameters
        parameters_argument = context_argument = None
        for name, argument in inspect.signature(function).parameters.items():
            if name not in hints:
                raise DeclarationError(module_id, say.NO_ANNOTATION, argument=name)
            if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
                raise DeclarationError(module_id, say.STARS, argument=name)
            hint = hints[name]
            if hint is Context:
                context_argument = name
            elif isinstance(hint, type) and issubclass(hint, BaseModel):
                parameters_type, parameters_argument = hint, name
            else:
                optional = argument.default is not inspect.Parameter.empty
                inputs.append(_port(module_id, name, hint, optional))
        return cls(
            tuple(inputs),
            _outputs(module_id, hints),
            _checked_parameters(module_id, parameters_type),
            parameters_argument,
            context_argument,
        )


def _type_hints(module_id: str, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise DeclarationError(module_id, say.UNRESOLVED, error=error) from None


def _port(module_id: str, name: str, hint: Any, optional: bool) -> Port:
    doc = PortDoc("")
    if hasattr(hint, "__metadata__"):
        doc = next(
            (metadata for metadata in hint.__metadata__ if isinstance(metadata, PortDoc)), doc
        )
        hint = hint.__origin__
    if get_origin(hint) in (Union, types.UnionType):
        members = [argument for argument in get_args(hint) if argument is not type(None)]
        hint = members[0] if len(members) == 1 else hint
    if not (isinstance(hint, type) and issubclass(hint, Artifact)):
        raise DeclarationError(module_id, say.NO_PORT_TYPE, argument=name, hint=repr(hint))
    title = doc.title or name.replace("_", " ").capitalize()
    label = doc.label or _short(title)
    return Port(name, hint, title, doc.description, optional, label, doc.share, doc.made_with)


def _short(title: str) -> str:
    """Return a short form of a port's title for the canvas: ``images``, ``trained model``."""
    for words, shorter in _SHORTER:
        title = re.sub(words, shorter, title, flags=re.IGNORECASE)
    return title.lower()


def _outputs(module_id: str, hints: dict[str, Any]) -> tuple[Port, ...]:
    if "return" not in hints:
        raise DeclarationError(module_id, say.NO_RETURN)
    hint = hints["return"]
    if hint is type(None):
        return ()
    kind = get_origin(hint) or hint
    if not (isinstance(kind, type) and issubclass(kind, tuple)):
        return (_port(module_id, "output", hint, False),)
    fields = {} if get_origin(hint) else typing.get_type_hints(hint, include_extras=True)
    if not fields:
        raise DeclarationError(module_id, say.BARE_TUPLE)
    return tuple(_port(module_id, name, field_type, False) for name, field_type in fields.items())


def _check_presentation(module_id: str, title: str, category: str, summary: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", module_id):
        raise DeclarationError(module_id, say.NOT_SNAKE_CASE)
    if not (title.strip() and category.strip() and summary.strip()):
        raise DeclarationError(module_id, say.NOT_PRESENTED)


def _check_versions(module_id: str, version: int, results_version: int) -> None:
    if version < 1:
        raise DeclarationError(module_id, say.VERSION_BELOW_1)
    if results_version < 1:
        raise DeclarationError(module_id, say.RESULTS_VERSION_BELOW_1)


def _checked_parameters(module_id: str, parameters_type: type[BaseModel]) -> type[Parameters]:
    if not issubclass(parameters_type, Parameters):
        raise DeclarationError(module_id, say.NO_PARAMETERS_CLASS, name=parameters_type.__name__)
    for name, info in parameters_type.model_fields.items():
        if info.description is None:
            raise DeclarationError(module_id, say.NOT_DESCRIBED, name=name)
        for shown in metadata(info, ShownWhen):
            if shown.parameter not in parameters_type.model_fields:
                raise DeclarationError(
                    module_id, say.SHOWN_WHEN_NOTHING, name=name, other=shown.parameter
                )
    return parameters_type
