"""Checkpoints of a training: written atomically, verified by hash; the last two are kept.

They are written in the background, one after the other, while training continues.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, cast

from modules.compute.background_threads import background_pool
from modules.context import Context
from modules.files.locks import hold, remove_unless_held
from modules.operating_system.files import protects_open_files, replace
from modules.sentences import training as say

if TYPE_CHECKING:
    import torch

KEPT = 2
_HASH_LETTERS = 32
_UNFINISHED = "unfinished-"


class Checkpoints:
    """The checkpoints of one training in a folder; if the folder is None, nothing is saved.

    ``identity`` identifies the training; checkpoints of other trainings are never resumed from. All
    are written when the ``with`` block ends.
    """

    def __init__(self, folder: Path | None, identity: str, context: Context) -> None:
        self._folder = folder
        self._identity = identity
        self._context = context
        self._pool = background_pool(1, "checkpoint")
        self._pending: Future[None] | None = None

    def __enter__(self) -> Checkpoints:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown()
        if kind is None:
            self.wait()

    def save(self, epoch: int, state: dict[str, Any]) -> None:
        """Write the state after ``epoch``; the caller must not modify it any more.

        It may contain only tensors, numbers, texts, lists and dicts. Raises what ``wait`` raises.
        """
        if self._folder is None:
            return
        self.wait()
        self._pending = self._pool.submit(self._write, self._folder, epoch, state)

    def wait(self) -> None:
        """Wait until everything is written; raise ``OSError`` if writing failed."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

    def _write(self, folder: Path, epoch: int, state: dict[str, Any]) -> None:
        import torch

        folder.mkdir(exist_ok=True)
        unfinished = folder / f"{_UNFINISHED}{os.getpid()}"
        try:
            with unfinished.open("wb") as file:
                hold(file)
                hashed = _Hashed(file)
                whole = {"identity": self._identity, "epoch": epoch, **state}
                torch.save(whole, cast("IO[bytes]", hashed))
                file.flush()
                os.fsync(file.fileno())
                named = folder / f"epoch-{epoch:06d}-{hashed.letters}.pt"
                if not protects_open_files():  # stays open until it has its final name
                    unfinished.replace(named)
            if protects_open_files():
                replace(unfinished, named)
        finally:
            unfinished.unlink(missing_ok=True)
        for other in self._others_than(named):
            other.unlink(missing_ok=True)

    def _others_than(self, written: Path) -> list[Path]:
        """Return checkpoints to remove: all but the last, and those of another training."""
        checkpoints = self._newest_first()
        earlier = [path for path in checkpoints if _epoch(path) < _epoch(written)]
        kept = {written, *earlier[: KEPT - 1]}
        return [path for path in checkpoints if path not in kept]

    def keep_weights(
        self, epoch: int, weights: Mapping[str, torch.Tensor], description: Mapping[str, Any]
    ) -> str | None:
        """Write the weights of an epoch for later trainings, and return the path of the file.

        ``description`` is that of a trained model, as far as it is known.
        """
        from modules.models.serialization import save_weights

        if self._folder is None:
            return None
        self.wait()
        self._folder.mkdir(exist_ok=True)
        path = self._folder / f"best-epoch-{epoch:06d}.safetensors"
        unfinished = self._folder / f"{_UNFINISHED}{os.getpid()}"
        try:
            save_weights(weights, unfinished, description)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return str(path)

    def load(
        self, is_sound: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any] | None:
        """Return the newest complete state of this training, or None; warn of each damaged one.

        A checkpoint that is not ``is_sound`` counts as damaged. Incomplete files of a killed
        process are deleted.
        """
        if self._folder is not None:
            for leftover in self._folder.glob(f"{_UNFINISHED}*"):
                remove_unless_held(leftover)
        for path in self._newest_first():
            state = self._read(path)
            is_own = state is not None and state.get("identity") == self._identity
            if state is None or (is_own and not is_sound(state)):
                self._context.warn(say.CHECKPOINT_DAMAGED, checkpoint=path.name)
            elif is_own:
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
        except Exception:  # a damaged file can raise any exception in the unpickler
            return None
        return state if isinstance(state, dict) else None


class _Hashed:
    """A file that is hashed while it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()

    def write(self, content: bytes) -> int:
        self._digest.update(content)
        return self._file.write(content)

    def flush(self) -> None:
        self._file.flush()

    @property
    def letters(self) -> str:
        """Return the first characters of the hash."""
        return self._digest.hexdigest()[:_HASH_LETTERS]


def _epoch(path: Path) -> int:
    return int(path.name.split("-")[1])


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_HASH_LETTERS]


def unchanging(state: Any) -> Any:
    """Return the state with copies of its tensors in memory, so that training can continue."""
    import torch

    if isinstance(state, torch.Tensor):
        return state.to("cpu", copy=True)
    if isinstance(state, dict):
        return {name: unchanging(item) for name, item in state.items()}
    return [unchanging(item) for item in state] if isinstance(state, list) else state
