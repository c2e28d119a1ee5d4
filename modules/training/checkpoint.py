"""Checkpoints of a training: whole or not there, checked by their hash, the last two kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.context import Context

if TYPE_CHECKING:
    import torch

KEPT = 2
_HASH_LETTERS = 32


class Checkpoints:
    """The checkpoints of one training in a folder, which may be None: then nothing is kept.

    ``identity`` says what is trained; a checkpoint of another training is never resumed from.
    """

    def __init__(self, folder: Path | None, identity: str, context: Context) -> None:
        self._folder = folder
        self._identity = identity
        self._context = context

    def save(self, epoch: int, state: dict[str, Any]) -> None:
        """Write the state after ``epoch``; tensors, numbers, texts, lists and dicts only."""
        import torch

        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f"unfinished-{os.getpid()}"
        try:
            with unfinished.open("wb") as file:
                torch.save({"identity": self._identity, "epoch": epoch, **state}, file)
                file.flush()
                os.fsync(file.fileno())
            name = f"epoch-{epoch:06d}-{_hash(unfinished)}.pt"
            unfinished.replace(self._folder / name)
        finally:
            unfinished.unlink(missing_ok=True)
        for old in self._newest_first()[KEPT:]:
            old.unlink(missing_ok=True)

    def keep_weights(self, epoch: int, weights: Mapping[str, torch.Tensor]) -> str | None:
        """Write the weights of an epoch for any later training, and give the file's place."""
        from safetensors.torch import save_file

        if self._folder is None:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"best-epoch-{epoch:06d}.safetensors"
        unfinished = self._folder / f"unfinished-{os.getpid()}"
        try:
            # Clones, because safetensors refuses tensors that share memory.
            save_file(
                {name: each.contiguous().clone() for name, each in weights.items()}, unfinished
            )
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return str(path)

    def load(self) -> dict[str, Any] | None:
        """The newest whole state of this training, or None; a warning for each damaged one."""
        for path in self._newest_first():
            state = self._read(path)
            if state is None:
                self._context.warn(
                    f"The checkpoint {path.name} is damaged and left out. Nothing to do: training "
                    "goes on from the one before, or from the beginning."
                )
            elif state.get("identity") == self._identity:
                return state
        return None

    def _newest_first(self) -> list[Path]:
        if self._folder is None or not self._folder.is_dir():
            return []
        return sorted(self._folder.glob("epoch-*.pt"), reverse=True)

    def _read(self, path: Path) -> dict[str, Any] | None:
        import torch

        try:
            if not path.stem.endswith(_hash(path)):
                return None
            state = torch.load(path, map_location="cpu", weights_only=True)
        except Exception:  # a damaged file makes the unpickler raise anything
            return None
        return state if isinstance(state, dict) else None


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_HASH_LETTERS]
