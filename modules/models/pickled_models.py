"""Tensors of whole models pickled by ``torch.save(model)``; none of their code is run.

torch's own unpickler for weights builds the file's objects. Each unknown class and function is
replaced by a class that keeps its state and does nothing: a module is reduced to its dictionaries
of parameters, buffers and submodules.
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
    """An object of a class that is not imported: its state, without behaviour."""

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
    """Return the state dict of a whole model in a file; None for other files."""
    try:
        stored = _loaded(path)
    except (pickle.UnpicklingError, ValueError, EOFError, RuntimeError, TypeError, KeyError):
        return None  # the reader of the weights reports the error
    module = _module_in(stored)
    return None if module is None else dict(_tensors(module, "", MAX_DEPTH))


def _loaded(path: Path) -> object:
    """Return the object of a file with classes that torch does not know."""
    import torch
    from torch.serialization import get_unsafe_globals_in_checkpoint, safe_globals

    names = get_unsafe_globals_in_checkpoint(path)
    if not names:
        return None
    inert: list[Any] = [(type("Inert", (_Inert,), {}), name) for name in names]
    with safe_globals(inert):
        return torch.load(path, map_location="cpu", weights_only=True)


def _module_in(stored: object) -> _Inert | None:
    """Return the saved module, also if a checkpoint contains it among other values."""
    if isinstance(stored, Mapping):
        modules = [
            module for module in map(_module_in, map(stored.get, WRAPPERS)) if module is not None
        ]
        return modules[0] if modules else None
    return stored if isinstance(stored, _Inert) and stored.is_module else None


def _tensors(module: _Inert, prefix: str, depth: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the items of the module's ``state_dict``."""
    import torch

    if depth == 0:
        raise ValueError("modules are nested too deeply")
    state = vars(module)
    left_out = state.get("_non_persistent_buffers_set") or ()
    own = {**state["_parameters"], **state["_buffers"]}
    for name, tensor in own.items():
        if isinstance(tensor, torch.Tensor) and name not in left_out:
            yield f"{prefix}{name}", tensor.detach()
    for name, inner in state["_modules"].items():
        if isinstance(inner, _Inert) and inner.is_module:
            yield from _tensors(inner, f"{prefix}{name}.", depth - 1)
