"""Stand-ins for all of ``azureml`` that needs a workspace of Azure Machine Learning.

They can be imported, as scripts do at their top for things used elsewhere. Calling one, or
accessing an attribute, raises an error with the alternative.
"""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

PACKAGES = ("core", "data", "exceptions", "pipeline", "train", "widgets")
"""Parts of ``azureml`` with stand-ins."""
SUBMIT = (
    "Files that start a training in Azure are not run here. Create a pipeline from them with "
    "`designer import FILE.py`."
)
DATA = "Connect the data to an input of the node, and read them from there."
TARGET = "Choose the compute target in the node's run settings; `designer target add` makes one."
MODEL = "Write the model to outputs/ and register it with `designer models register`."
ADVICE = {
    **dict.fromkeys(("Dataset", "Datastore", "TabularDataset", "FileDataset"), DATA),
    **dict.fromkeys(("ComputeTarget", "AmlCompute", "ComputeInstance"), TARGET),
    "Model": MODEL,
    **dict.fromkeys(("Experiment", "ScriptRunConfig", "Environment", "RunConfiguration"), SUBMIT),
    **dict.fromkeys(("MpiConfiguration", "PyTorchConfiguration", "CondaDependencies"), SUBMIT),
    **dict.fromkeys(("TensorflowConfiguration", "DockerConfiguration", "Estimator"), SUBMIT),
}
OTHERWISE = (
    "Read data from the step's inputs, write files to outputs/, or install azureml-core in the "
    "environment."
)


class NeedsWorkspaceError(RuntimeError):
    """Something was used that needs a workspace of Azure Machine Learning."""

    def __init__(self, name: str, class_name: str) -> None:
        super().__init__(
            f"{name} needs an Azure Machine Learning workspace. The designer only provides "
            f"azureml.core.Run. {ADVICE.get(class_name, OTHERWISE)}"
        )


class _AbsentType(type):
    """The type of classes that can be named, but neither called nor accessed."""

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        raise NeedsWorkspaceError(f"{cls.__module__}.{cls.__name__}", cls.__name__)

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NeedsWorkspaceError(f"{cls.__module__}.{cls.__name__}.{name}", cls.__name__)


class _AbsentModule(ModuleType):
    """A module whose names are stand-ins; a module-level ``__getattr__`` needs Python 3.7."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        stand_in = self._stand_in(name)
        setattr(self, name, stand_in)
        return stand_in

    def _stand_in(self, name: str) -> Any:
        if name.islower():
            return importlib.import_module(f"{self.__name__}.{name}")
        if name.endswith(("Exception", "Error")):  # scripts catch them
            return type(name, (Exception,), {"__module__": self.__name__})
        return _AbsentType(name, (), {"__module__": self.__name__})


class _Finder(MetaPathFinder, Loader):
    """Finder of modules of ``azureml`` that are not installed: it comes last."""

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> "ModuleSpec | None":
        parts = name.split(".")
        is_ours = parts[0] == "azureml" and len(parts) > 1 and parts[1] in PACKAGES
        return ModuleSpec(name, self, is_package=True) if is_ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing: names are created on access."""


def stand_in_for_others(core: ModuleType) -> None:
    """Provide every name in ``azureml.core``, and in the missing parts of ``azureml``."""
    core.__class__ = _AbsentModule
    sys.meta_path.append(_Finder())
