"""Stand-ins for all of ``azureml`` that needs a workspace of Azure Machine Learning.

They can be imported, as scripts do at their beginning for what they use elsewhere. Who calls one,
or takes an attribute of it, is told what to do here in its place.
"""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

PACKAGES = ("core", "data", "exceptions", "pipeline", "train", "widgets")
"""The parts of ``azureml`` that are stood in for."""
SUBMIT = (
    "Files that start a training in Azure are not run here: `designer import FILE.py` makes a "
    "pipeline of them."
)
DATA = "Connect the data to an input of the node, and read it from there."
TARGET = "Choose the compute target in the node's run settings; `designer target add` makes one."
MODEL = "Write the model to outputs/; `designer models register` registers it."
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
            f"{name} needs an Azure Machine Learning workspace, and the designer has none: it "
            f"stands in for azureml.core.Run alone. {ADVICE.get(class_name, OTHERWISE)}"
        )


class _AbsentType(type):
    """The type of classes that can be named, and neither called nor asked for anything."""

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        raise NeedsWorkspaceError(f"{cls.__module__}.{cls.__name__}", cls.__name__)

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NeedsWorkspaceError(f"{cls.__module__}.{cls.__name__}.{name}", cls.__name__)


class _AbsentModule(ModuleType):
    """A module whose names are stand-ins; ``__getattr__`` of a module itself needs Python 3.7."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._stand_in(name)
        setattr(self, name, found)
        return found

    def _stand_in(self, name: str) -> Any:
        if name.islower():
            return importlib.import_module(f"{self.__name__}.{name}")
        if name.endswith(("Exception", "Error")):  # scripts catch them
            return type(name, (Exception,), {"__module__": self.__name__})
        return _AbsentType(name, (), {"__module__": self.__name__})


class _Finder(MetaPathFinder, Loader):
    """Finds the modules of ``azureml`` that nobody else has: it comes last."""

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> "ModuleSpec | None":
        parts = name.split(".")
        is_ours = parts[0] == "azureml" and len(parts) > 1 and parts[1] in PACKAGES
        return ModuleSpec(name, self, is_package=True) if is_ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run: names are made as they are asked for."""


def stand_in_for_others(core: ModuleType) -> None:
    """Have ``azureml.core``, and the parts of ``azureml`` that are not there, answer every name."""
    core.__class__ = _AbsentModule
    sys.meta_path.append(_Finder())
