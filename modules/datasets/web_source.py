"""An archive on the web as a source of Import Images, downloaded once and cached."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.datasets.folder_summary import forecast_of
from modules.downloads.address import Address, parse_address
from modules.downloads.connection import answer
from modules.downloads.download import Tell, download
from modules.downloads.permission import require_safe_scheme
from modules.errors import FailedToDownloadFilesError, InvalidDatasetError, ModuleError
from modules.files.archive_kinds import require_archive
from modules.files.disk import disk_errors
from modules.files.hashing import HashCache, content_hash
from modules.files.progress import ProgressReporter
from modules.forecast import ArtifactForecast
from modules.formatting import format_bytes
from modules.sentences import datasets as say

DOWNLOADS = "downloads"
HEAD_SECONDS = 1.0
"""Maximum wait of a forecast for the size from a server."""
_MEGABYTE = 10**6


@dataclass(frozen=True)
class WebSource:
    """An archive by its address. The first download is used until it is removed."""

    address: Address

    def check(self, context: Context) -> None:  # noqa: ARG002
        """Refuse plain http without a hash; other errors are reported when it is downloaded."""
        require_safe_scheme(self.address)

    def write(self, context: Context) -> AnyDirectory:
        archive = self._fetched(context)
        folder = context.new_folder()
        kept = Path("data") / archive.name
        with disk_errors(folder):
            (folder / "data").mkdir()
            _link_or_copy(archive, folder / kept)
        size, sha256 = archive.stat().st_size, self._hash(archive, context)
        print(f"{self.address.url} is {size:,} bytes. To accept nothing else: #sha256={sha256}")
        context.summary(say.ARCHIVE_FETCHED, name=archive.name, size=format_bytes(size))
        return AnyDirectory.write(folder, kept)

    def fingerprint(self, context: Context) -> str:
        """Return the hash of the archive: the requested one, else that of the cached file.

        Without either it is downloaded first, as running the step must not change its key.
        """
        if self.address.sha256 is not None:
            return f"web:{self.address.sha256}"
        if not context.may_download and not self._path(context).is_file():
            return f"web:{self.address.url}:not downloaded"
        return f"web:{self._hash(self._fetched(context), context)}"

    def forecast(self, context: Context) -> ArtifactForecast:
        path = self._path(context)
        return (
            forecast_of(path)
            if path.is_file()
            else ArtifactForecast(num_bytes=_size_of(self.address))
        )

    def _hash(self, path: Path, context: Context) -> str:
        return content_hash(path, _hashes(context), trust_young=True, context=context)

    def _path(self, context: Context) -> Path:
        home = (context.cache_dir or context.staging_dir) / DOWNLOADS
        return home / self.address.folder_name / self.address.file_name

    def _fetched(self, context: Context) -> Path:
        """Return the cached archive, downloaded if needed, and its expected hash."""
        path = self._path(context)
        if not path.is_file():
            download(self.address, path, _teller(context))
        try:
            require_archive(path)
        except InvalidDatasetError:
            # for example a page that requires signing in: do not keep it for the next run
            path.unlink(missing_ok=True)
            raise
        self._require_hash(path, context)
        return path

    def _require_hash(self, path: Path, context: Context) -> None:
        """Verify the hash, also of manually copied files and after disk errors."""
        expected = self.address.sha256
        if expected in (None, self._hash(path, context)):
            return
        path.unlink(missing_ok=True)
        raise FailedToDownloadFilesError(
            say.ARCHIVE_CHANGED, path=path, sha256=expected, parameter="source"
        )


def parse_web(scheme: str) -> Callable[[str], WebSource]:
    """Return the parser of sources that start with ``https:`` or ``http:``."""
    return lambda rest: WebSource(parse_address(f"{scheme}:{rest}"))


def _teller(context: Context) -> Tell:
    pace = ProgressReporter(context, "MB downloaded", with_rate=True)
    return lambda done, total: pace.tell(done // _MEGABYTE, (total or 0) // _MEGABYTE)


def _link_or_copy(source: Path, target: Path) -> None:
    """Give the artifact its own archive, without using space on the cache's disk."""
    try:
        os.link(source, target)
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)


_sizes: dict[str, int | None] = {}
"""Sizes reported by servers to this process, by address; None also while a request is pending."""


def _size_of(address: Address) -> int | None:
    """Return the size that a server reports, if it responds quickly; it is asked once."""
    if address.url not in _sizes:
        _sizes[address.url] = None
        asking = threading.Thread(target=_ask_size, args=(address,), daemon=True)
        asking.start()  # looking up a name has no time limit
        asking.join(HEAD_SECONDS)
    return _sizes[address.url]


def _ask_size(address: Address) -> None:
    with (
        suppress(ModuleError, OSError, HTTPException),
        answer(address, {}, method="HEAD", timeout=HEAD_SECONDS) as response,
    ):
        length = response.headers.get("Content-Length", "")
        if response.status == 200 and length.isdecimal():
            _sizes[address.url] = int(length)


def _hashes(context: Context) -> HashCache | None:
    return None if context.cache_dir is None else HashCache(context.cache_dir / "hashes")
