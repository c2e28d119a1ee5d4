"""What is said of all in ``azureml.core`` but ``Run``."""

from __future__ import annotations

from typing import Callable, NoReturn


def refusing(module: str) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module that has nothing: each import of a name says why."""

    def refuse(name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            f"{module}.{name} needs an Azure Machine Learning workspace, and the designer has "
            "none: it stands in for azureml.core.Run alone. Read data from the step's inputs, "
            "write files to outputs/, or install azureml-core in the environment."
        )

    return refuse
