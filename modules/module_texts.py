"""Texts of modules in the language of the user: titles, help, categories, ports and parameters.

Declarations are in English. Every text of a module passes through a function of this file, so that
the collector of catalogs (``convert`` records it) and the interface (``convert`` translates it) see
the same texts. Short titles have a context in the catalogs, because one English word can have
several translations; help has none.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pydantic.fields import FieldInfo

from modules.artifacts import Artifact
from modules.parameters import Follows, Group, Parameters, Unit
from modules.sentences.translation import Convert, in_language, recorder, translations
from modules.spec import Module, Port


def translated(module: Module) -> Module:
    """Return the module with its titles, summary and ports in the language of the user."""
    return module if translations() is None else with_texts(module, in_language)


def with_texts(module: Module, convert: Convert) -> Module:
    """Return the module with its own texts converted; its function and parameters are the same.

    Translated modules keep their English title and keywords as keywords, so that searches for
    them still succeed.
    """
    title = convert(module.title, "module")
    keywords = [convert(keyword, "keyword") for keyword in module.keywords]
    english = () if title == module.title else (module.title,)
    return replace(
        module,
        title=title,
        category="/".join(convert(part, "category") for part in module.category.split("/")),
        summary=convert(module.summary, ""),
        keywords=tuple(dict.fromkeys([*keywords, *module.keywords, *english])),
        inputs=tuple(_port(port, convert) for port in module.inputs),
        outputs=tuple(_port(port, convert) for port in module.outputs),
    )


def _port(port: Port, convert: Convert) -> Port:
    return replace(
        port,
        title=convert(port.title, "port"),
        description=convert(port.description, "") if port.description else "",
        label=convert(port.label, "port on the canvas"),
    )


def documentation(module: Module, convert: Convert = in_language) -> str:
    """Return the docstring of a module."""
    text = inspect.getdoc(module.function)
    return convert(text, "") if text else ""


class ParameterTexts(NamedTuple):
    """Texts of a parameter; ``group`` is the heading above it."""

    title: str | None
    help: str | None
    unit: str
    group: str
    follows: Follows | None


def parameter_texts(info: FieldInfo, convert: Convert = in_language) -> ParameterTexts:
    """Return the texts of a parameter."""
    unit = group = ""
    follows = None
    for entry in info.metadata:
        if isinstance(entry, Unit):
            unit = convert(entry.text, "unit")
        elif isinstance(entry, Group):
            group = convert(entry.title, "group")
        elif isinstance(entry, Follows):
            follows = replace(entry, together=convert(entry.together, "parameter"))
    title = convert(info.title, "parameter") if info.title else info.title
    help_ = convert(info.description, "") if info.description else info.description
    return ParameterTexts(title, help_, unit, group, follows)


def parameter_title(parameters_type: type[Parameters], name: str) -> str | None:
    """Return the title of a parameter; None for an unknown parameter or one without a title."""
    info = parameters_type.model_fields.get(name)
    return in_language(info.title, "parameter") if info is not None and info.title else None


def type_words(kind: type[Artifact], convert: Convert = in_language) -> str:
    """Return the name of a port type for users, ``trained model`` for ``TrainedModel``."""
    return convert(kind.in_words(), "type")


def type_help(kind: type[Artifact], convert: Convert = in_language) -> str:
    """Return the first line of the docstring of a port type."""
    text = (kind.__doc__ or "").strip().split("\n")[0]
    return convert(text, "") if text else ""


def texts_of(module: Module) -> Iterator[tuple[str, str]]:
    """Yield every text of a module and of the types of its ports, with its context."""
    texts: list[tuple[str, str]] = []
    record = recorder(texts)
    with_texts(module, record)
    documentation(module, record)
    for info in module.parameters_type.model_fields.values():
        parameter_texts(info, record)
    for port in (*module.inputs, *module.outputs):
        for kind in port.type.__mro__:
            if issubclass(kind, Artifact):
                type_words(kind, record)
                type_help(kind, record)
    yield from texts
