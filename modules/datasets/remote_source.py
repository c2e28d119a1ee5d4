"""Tar shards in an object store as a source of Import Images, read on demand."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from modules.artifacts import SHARDS_FILE, AnyDirectory
from modules.context import Context
from modules.datasets.folder_summary import forecast_of
from modules.datasets.registered import INDEXES
from modules.errors import ModuleError
from modules.files.disk import disk_errors
from modules.files.hashing import hash_file
from modules.files.object_folder import ObjectFolder
from modules.files.remote_shards import KeptIndex
from modules.forecast import ArtifactForecast

LOOK_SECONDS = 3.0
"""Maximum wait of a forecast for a store; a late answer is available to the next one."""
PAUSE_SECONDS = 60.0
"""Time during which a forecast does not repeat a request."""


@dataclass(frozen=True)
class RemoteSource:
    """A folder of shards by its address. Only its index is downloaded."""

    folder: ObjectFolder

    def check(self, context: Context) -> None:  # noqa: ARG002 - as of all sources
        """Do nothing: errors are reported when its index is downloaded."""
        self.folder.require_package()

    def write(self, context: Context) -> AnyDirectory:
        kept = self._kept(context).refresh()
        folder = context.new_folder()
        own = Path("data") / self.folder.root.rpartition("/")[2]
        with disk_errors(folder):
            (folder / own).mkdir(parents=True)
            shutil.copyfile(kept / SHARDS_FILE, folder / own / SHARDS_FILE)
        return AnyDirectory.write(folder, own)

    def fingerprint(self, context: Context) -> str:
        kept = self._kept(context)
        if context.may_download:
            kept.refresh()
        elif not _is_seen(kept):
            return f"shards:{self.folder.place}:not fetched"
        return f"shards:{self.folder.place}:{hash_file(kept.folder / SHARDS_FILE)}"

    def forecast(self, context: Context) -> ArtifactForecast:
        kept = self._kept(context)
        return forecast_of(kept.folder) if _is_seen(kept) else ArtifactForecast()

    def _kept(self, context: Context) -> KeptIndex:
        return KeptIndex(self.folder, (context.cache_dir or context.staging_dir) / INDEXES)


def parse_remote(protocol: str) -> Callable[[str], RemoteSource]:
    """Return the parser of sources of a protocol such as ``s3:``."""
    return lambda rest: RemoteSource(ObjectFolder.parse(f"{protocol}:{rest}"))


_asked: dict[Path, float] = {}
"""Time of the last request for an index, by its path."""


def _is_seen(kept: KeptIndex) -> bool:
    """Return True if the index is cached; else request it, and wait briefly."""
    now = time.monotonic()
    if not kept.is_here() and now - _asked.get(kept.folder, -PAUSE_SECONDS) >= PAUSE_SECONDS:
        _asked[kept.folder] = now
        looking = threading.Thread(target=_look, args=(kept,), daemon=True)
        looking.start()
        looking.join(LOOK_SECONDS)
    return kept.is_here()


def _look(kept: KeptIndex) -> None:
    with suppress(ModuleError, OSError):  # the run reports it
        kept.refresh()
