"""Detection of the frameworks that a script imports, and their launchers, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Framework:
    """A framework by its import name, with its launcher and environment."""

    title: str
    packages: tuple[str, ...]
    launcher: str | None = None
    """None if the default suits it."""
    environment: str | None = None
    """The built-in environment that contains it."""


FRAMEWORKS = (
    Framework(
        "Lightning",
        ("lightning", "lightning_fabric", "pytorch_lightning"),
        "pytorch_node",
        "pytorch-lightning",
    ),
    Framework("DeepSpeed", ("deepspeed",)),
    Framework("Transformers", ("transformers",), environment="transformers"),
    Framework("accelerate", ("accelerate",), environment="transformers"),
    Framework("Horovod", ("horovod",)),
    Framework("TensorFlow", ("tensorflow",), "tensorflow", "tensorflow"),
    Framework("mpi4py", ("mpi4py",), "mpi", "mpi"),
)
"""Frameworks in order of precedence: the first one that a script imports starts its processes."""


def framework_of(source: str) -> Framework | None:
    """Return the framework that starts a script's processes, with an environment that has it.

    None if the script imports none, or is not Python.
    """
    try:
        packages = set(_imported(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    imported = [framework for framework in FRAMEWORKS if packages.intersection(framework.packages)]
    if not imported:
        return None
    first = imported[0]
    environment = next(
        (framework.environment for framework in imported if framework.environment), None
    )
    return Framework(first.title, first.packages, first.launcher, environment)


def _imported(tree: ast.AST) -> Iterator[str]:
    """Return the packages of all imports, including those in functions and conditions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").split(".")[0]
