"""Errors for features of Horovod that the stand-in lacks."""

import sys
from types import ModuleType
from typing import NoReturn

LACKS = (
    "{name} is not available. Horovod has no wheels, so the designer provides `import "
    "horovod.torch` itself: allreduce, allgather, broadcast and DistributedOptimizer over "
    "torch.distributed. Adasum, elastic training, process sets, TensorFlow and horovodrun need "
    "Horovod itself in the environment."
)


class _Lacking(ModuleType):
    """A module that raises an explanation for missing names: Python 3.6 asks only the class."""

    def __getattr__(self, name: str) -> NoReturn:
        is_special = name.startswith("__")
        full_name = f"{self.__name__}.{name}"
        raise AttributeError(name if is_special else LACKS.format(name=full_name))


def explain_missing_names(module: str) -> None:
    """Explain every missing name of a module in an error."""
    sys.modules[module].__class__ = _Lacking


def refuse(name: str) -> NoReturn:
    """Raise ``NotImplementedError`` for an unsupported argument."""
    raise NotImplementedError(LACKS.format(name=name))
