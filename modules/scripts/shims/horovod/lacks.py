"""What is said of all that Horovod has and its stand-in has not."""

from __future__ import annotations

from typing import Callable, NoReturn

LACKS = (
    "{name} is not here. Horovod has no wheels, so the designer answers `import horovod.torch` "
    "itself: allreduce, allgather, broadcast and DistributedOptimizer over torch.distributed; "
    "Adasum, elastic training, process sets, TensorFlow and horovodrun need Horovod itself in "
    "the environment."
)


def lacking(module: str) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module: each name that it has not says why."""

    def lack(name: str) -> NoReturn:
        is_special = name.startswith("__")
        raise AttributeError(name if is_special else LACKS.format(name=f"{module}.{name}"))

    return lack


def refuse(name: str) -> NoReturn:
    """Raise ``NotImplementedError`` about something that was asked for by an argument."""
    raise NotImplementedError(LACKS.format(name=name))
