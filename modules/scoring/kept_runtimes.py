"""Runtimes chosen for single pictures: kept in the cache of a workspace with the exported model.

Each key, a model with everything that decides its fastest runtime, has a JSON file with the choice
and, unless torch is the fastest, the exported model in a file next to it.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.files.bounded_files import make_room, unneeded
from modules.files.json_files import read_if_valid, write_whole
from modules.files.whole_files import replacing
from modules.image_loading.cache_limits import GIB
from modules.scoring.backends import PACKAGES

FOLDER = "exported-runtimes"
"""Folder in the cache of a workspace."""
MODEL_SUFFIX, CHOICE_SUFFIX = ".onnx", ".json"
LIMIT_BYTES = 2 * GIB
"""Maximum size of all exported models of a workspace."""
MOST_DISTURBED = 4
"""Number of disturbed comparisons after which there is no other one for RETRY_SECONDS."""
RETRY_SECONDS = 24 * 3600.0
"""Age from which a failure that may have had a passing cause is tried again."""
TORCH = "torch"


@dataclass(frozen=True)
class KeptRuntime:
    """The choice for one model."""

    name: str
    """``torch`` or one of ``PACKAGES``."""
    content: bytes | None = None
    """The exported model; None for torch."""
    reason: str | None = None
    """Reason why torch was chosen; None if it is the fastest."""
    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    """Images/s by runtime and number of images."""
    is_final: bool = True
    """False for failures whose cause may pass."""
    num_disturbed: int = 0
    """Number of comparisons that other work disturbed, if they all ended with torch."""

    @property
    def may_repeat(self) -> bool:
        """Return True if a comparison on a quiet machine may choose another runtime."""
        return 0 < self.num_disturbed < MOST_DISTURBED


@dataclass(frozen=True)
class RuntimeCache:
    """The choice of one key below the cache folder ``cache_dir``."""

    cache_dir: Path
    key: str

    @property
    def folder(self) -> Path:
        return self.cache_dir / FOLDER

    @property
    def lock_path(self) -> Path:
        """File that is locked while a runtime is chosen: one at a time in a workspace."""
        return self.folder / ".lock"

    def find(self) -> KeptRuntime | None:
        """Return the choice, which then counts as used now; None if it is absent or damaged."""
        stored = read_if_valid(self._choice_path)
        kept = None if stored is None else self._checked(stored)
        if kept is not None:
            for path in (self._choice_path, self._model_path):
                with suppress(OSError):
                    os.utime(path)
        return kept

    def _checked(self, stored: dict[str, Any]) -> KeptRuntime | None:
        name, reason, chosen = stored.get("runtime"), stored.get("reason"), stored.get("time")
        if name == TORCH and isinstance(chosen, int | float):
            is_final = bool(stored.get("is_final"))
            if not is_final and not 0 <= time.time() - chosen < RETRY_SECONDS:
                return None
            num = stored.get("num_disturbed")
            return KeptRuntime(
                TORCH,
                reason=reason if isinstance(reason, str) else None,
                is_final=is_final,
                num_disturbed=num if isinstance(num, int) else 0,
            )
        if not isinstance(name, str) or name not in PACKAGES:
            return None
        try:
            content = self._model_path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest() != stored.get("sha256"):
            return None
        return KeptRuntime(name, content)

    def has_room(self, num_bytes: int) -> bool:
        """Return True if a model of this size may be added; removes the least recently used ones.

        Raises ``OSError`` if there is no cache folder or it cannot be written.
        """
        self.folder.mkdir(exist_ok=True)  # a deleted workspace is not created again
        return make_room(self.folder, _paths(self.cache_dir), num_bytes, LIMIT_BYTES)

    def keep(self, chosen: KeptRuntime) -> None:
        """Store a choice, the model first; raises ``OSError`` if it cannot be written."""
        self.folder.mkdir(exist_ok=True)
        sha256 = None
        if chosen.content is not None:
            sha256 = hashlib.sha256(chosen.content).hexdigest()
            with replacing(self._model_path) as path:
                path.write_bytes(chosen.content)
        facts = {
            "runtime": chosen.name,
            "reason": chosen.reason,
            "rates": chosen.rates,
            "sha256": sha256,
            "time": time.time(),
            "is_final": chosen.is_final,
            "num_disturbed": chosen.num_disturbed,
        }
        write_whole(self._choice_path, facts)

    @property
    def _choice_path(self) -> Path:
        return self.folder / f"{self.key}{CHOICE_SUFFIX}"

    @property
    def _model_path(self) -> Path:
        return self.folder / f"{self.key}{MODEL_SUFFIX}"


def unneeded_files(cache_dir: Path) -> list[Path]:
    """Return the files that are long unused or beyond the limit."""
    return unneeded(_paths(cache_dir), LIMIT_BYTES)


def _paths(cache_dir: Path) -> list[Path]:
    suffixes = (MODEL_SUFFIX, CHOICE_SUFFIX)
    return [path for suffix in suffixes for path in (cache_dir / FOLDER).glob(f"[!.]*{suffix}")]
