"""Modules as functions that add a node to the open pipeline: ``m.densenet(pretrained=False)``.

Type checkers read the signatures of the built-in modules from ``modules.pyi``, which
``python -m pipeline_designer.stub`` writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modules.catalog import builtin_modules
from pipeline_designer.open_pipelines import open_level
from pipelines.document.code.build import CodeError, Node
from pipelines.document.parts import DEFINITION_PREFIX
from pipelines.problems import did_you_mean
from pipelines.sentences import python_code, python_scripts


def unknown(module: str, /, **arguments: Any) -> Any:
    """Add a node with a module that need not be installed."""
    root, level = open_level()
    return root._add_module(level, module, arguments)


def sub_pipeline(definition: str, /, **arguments: Any) -> Any:
    """Add a node with a sub-pipeline by its id, which may be defined later."""
    _, level = open_level()
    return level._add(f"{DEFINITION_PREFIX}{definition}", arguments, definition, None, 1)


def __getattr__(name: str) -> Callable[..., Node]:
    if name.startswith("__"):
        raise AttributeError(name)

    def add(*positional: object, **arguments: Any) -> Node:
        if positional:
            raise CodeError(python_code.POSITIONAL_ARGUMENT, name=f"m.{name}")
        root, level = open_level()
        catalog = root._catalog
        if catalog.get(name) is None:
            names = [module.id for module in catalog.modules]
            cure = did_you_mean(name, names)
            raise CodeError(python_scripts.NO_MODULE_NAMED, name=name, cure=cure)
        return root._add_module(level, name, arguments)

    add.__name__ = add.__qualname__ = name
    return add


def __dir__() -> list[str]:
    return sorted(("unknown", "sub_pipeline", *(module.id for module in builtin_modules())))
