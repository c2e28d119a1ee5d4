"""What is said of all that Horovod has and its stand-in has not."""

import sys
from types import ModuleType
from typing import NoReturn

LACKS = (
    "{name} is not here. Horovod has no wheels, so the designer answers `import horovod.torch` "
    "itself: allreduce, allgather, broadcast and DistributedOptimizer over torch.distributed; "
    "Adasum, elastic training, process sets, TensorFlow and horovodrun need Horovod itself in "
    "the environment."
)


class _Lacking(ModuleType):
    """A module in which each name that it has not says why: Python 3.6 asks the class alone."""

    def __getattr__(self, name: str) -> NoReturn:
        is_special = name.startswith("__")
        full_name = f"{self.__name__}.{name}"
        raise AttributeError(name if is_special else LACKS.format(name=full_name))


def explain_missing_names(module: str) -> None:
    """Have every name that a module lacks say why."""
    sys.modules[module].__class__ = _Lacking


def refuse(name: str) -> NoReturn:
    """Raise ``NotImplementedError`` about something that was asked for by an argument."""
    raise NotImplementedError(LACKS.format(name=name))
