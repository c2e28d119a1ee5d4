"""Tensors of whole models that ``torch.save(model)`` pickled; none of their code is run.

torch's own unpickler for weights builds the file's objects. Each class and function that it does
not know is replaced by a class that keeps its state and does nothing: what remains of a module are
its dictionaries of parameters, buffers and inner modules.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

WRAPPERS = ("model", "net", "network", "module", "state_dict", "model_state_dict")
"""Keys of a checkpoint that may hold the model."""
MAX_DEPTH = 200


class _Inert:
    """An object of a class that is not imported: its state, without anything that it could do."""

    def __new__(cls, *_: Any, **__: Any) -> _Inert:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        if isinstance(state, Mapping):
            vars(self).update(state)

    @property
    def is_module(self) -> bool:
        return {"_modules", "_parameters", "_buffers"} <= vars(self).keys()


def tensors_of_pickled_model(path: Path) -> dict[str, torch.Tensor] | None:
    """Return the state dict of a whole model in a file; None for a file of anything else."""
    try:
        stored = _loaded(path)
    except (pickle.UnpicklingError, ValueError, EOFError, RuntimeError, TypeError, KeyError):
        return None  # whoever reads weights from it says what is wrong
    module = _module_in(stored)
    return None if module is None else dict(_tensors(module, "", MAX_DEPTH))


def _loaded(path: Path) -> object:
    """Return the object of a file that names classes which torch does not know."""
    import torch
    from torch.serialization import get_unsafe_globals_in_checkpoint, safe_globals

    names = get_unsafe_globals_in_checkpoint(path)
    if not names:
        return None
    inert: list[Any] = [(type("Inert", (_Inert,), {}), name) for name in names]
    with safe_globals(inert):
        return torch.load(path, map_location="cpu", weights_only=True)


def _module_in(stored: object) -> _Inert | None:
    """Return the module that was saved, also where a checkpoint has it among other values."""
    if isinstance(stored, Mapping):
        found = [each for each in map(_module_in, map(stored.get, WRAPPERS)) if each is not None]
        return found[0] if found else None
    return stored if isinstance(stored, _Inert) and stored.is_module else None


def _tensors(module: _Inert, prefix: str, depth: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield what ``state_dict`` of the module would have."""
    import torch

    if depth == 0:
        raise ValueError("modules within modules without end")
    state = vars(module)
    left_out = state.get("_non_persistent_buffers_set") or ()
    own = {**state["_parameters"], **state["_buffers"]}
    for name, tensor in own.items():
        if isinstance(tensor, torch.Tensor) and name not in left_out:
            yield f"{prefix}{name}", tensor.detach()
    for name, inner in state["_modules"].items():
        if isinstance(inner, _Inert) and inner.is_module:
            yield from _tensors(inner, f"{prefix}{name}.", depth - 1)
