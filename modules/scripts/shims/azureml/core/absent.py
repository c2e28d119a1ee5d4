"""What is said of all in ``azureml.core`` but ``Run``."""

import sys
from types import ModuleType
from typing import NoReturn


class _Refusing(ModuleType):
    """A module that has nothing: each import of a name says why, in Python 3.6 too."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            f"{self.__name__}.{name} needs an Azure Machine Learning workspace, and the designer "
            "has none: it stands in for azureml.core.Run alone. Read data from the step's inputs, "
            "write files to outputs/, or install azureml-core in the environment."
        )


def refuse_other_names(module: str) -> None:
    """Have every name that a module lacks say why."""
    sys.modules[module].__class__ = _Refusing
