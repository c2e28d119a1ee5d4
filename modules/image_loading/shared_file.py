"""A file in the cache that several processes write together, each a part, and then all read.

They agree in rounds. In each round every process sends one value and receives those of all others
(``Peers.gather``), so that all decide alike and none waits for a process in another round:

    found     Which processes have the finished file? If all have, it is read without more rounds.
    names     Each creates an unfinished file and sends its name ("" if it has the finished one).
    choices   Each sends the first of those files that it sees: those in one folder choose the same.
    room      Is there enough disk space? If one process has too little, no file is created.
    written   Each has written its share; the first writer renames the file.
    closed    Only if open files are protected: all have closed it before it is renamed.
    named     Only then: it is renamed, and all open it again.

A process that dies ends the others' round with an error, and leaves an unfinished file without a
lock, which is removed when space is needed.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol
from uuid import uuid4

from modules.context import Context
from modules.files.locks import hold
from modules.image_loading.cache_limits import UNFINISHED_SUFFIX, CacheLimits, reserve
from modules.operating_system.files import protects_open_files, replace, write_at


class Peers(Protocol):
    """The processes that work on the same images."""

    def gather(self, value: str) -> list[str]:
        """Return the value of each process by rank, on every process."""


@dataclass
class SharedFile:
    """An open file, marked as in use, and this process's part in creating it."""

    file: IO[bytes]
    is_finished: bool
    """True on every process, or on none."""
    place: int = 0
    """Index of this process among those that create the file."""
    num_makers: int = 0
    """0 if this process found the file finished, while others somewhere have to create theirs."""

    @property
    def is_first_maker(self) -> bool:
        """Return True on one of the processes that create the same file."""
        return self.num_makers > 0 and self.place == 0

    def share(self, num_parts: int) -> range:
        """Return the parts that this process must write; each part has one writer."""
        if not self.num_makers:
            return range(0)
        return range(self.place, num_parts, self.num_makers)

    def write(self, content: bytes, offset: int) -> None:
        """Write at a position of the file, regardless of other writers.

        A full disk is an ``OSError``; a write through a mapping would end the process.
        """
        view = memoryview(content)
        while view:
            num_written = write_at(self.file, view, offset)
            view, offset = view[num_written:], offset + num_written


@contextmanager
def cache_folder(context: Context, peers: Peers) -> Iterator[Path]:
    """Yield the cache; without one, a folder that is removed at the end of the block."""
    folder = context.cache_dir or context.staging_dir / "decoded"
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
    if context.cache_dir is None:
        # Nobody can use it again: without a name a file is removed when its last reader closes it.
        peers.gather("open")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shared_file(
    path: Path, num_bytes: int, peers: Peers, limits: CacheLimits
) -> Iterator[SharedFile | None]:
    """Open the file of that name and size; if it does not exist, the block must write it.

    It gets its name only once the block has succeeded on all processes; otherwise nothing remains.
    None, on every process, if one of them has no space for it. All processes follow the same
    protocol, whatever each of them finds: processes of one machine may share a folder or not, and
    one machine may have a file that another lacks.
    """
    # Round "found".
    finished = _open_finished(path, num_bytes)
    if all(peers.gather("found" if finished else "")) and finished:
        yield SharedFile(finished, is_finished=True)
        return
    with _unfinished(path) as own:
        # Rounds "names" and "choices"; a process that has found the file joins without creating
        # one.
        shared = _begun(own, finished, peers)
        try:
            # Round "room": one process of each file asks its disk.
            has_room = not shared.is_first_maker or reserve(shared.file, own, num_bytes, limits)
            if not all(peers.gather("room" if has_room else "")):
                shared.file.close()
                yield None
                return
            yield shared
            # Round "written": the name must not appear before the last byte is on the disk.
            _sync(shared)
            peers.gather("written")
            if protects_open_files():
                _name_closed(shared, own, path, num_bytes, peers)
            elif shared.is_first_maker:
                own.replace(path)
        except BaseException:
            shared.file.close()
            raise


def _open_finished(path: Path, num_bytes: int) -> IO[bytes] | None:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    hold(file)
    if os.fstat(file.fileno()).st_size != num_bytes:
        file.close()
        return None
    os.utime(path)
    return file


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """Yield a name next to ``path`` with the machine's name, and remove its file at the end."""
    stem = f"{path.stem[:32]}-{socket.gethostname()}"
    own = path.with_name(f"{stem}-{uuid4().hex}{UNFINISHED_SUFFIX}")
    try:
        yield own
    finally:
        own.unlink(missing_ok=True)


def _begun(own: Path, finished: IO[bytes] | None, peers: Peers) -> SharedFile:
    """Return the first of the files started by all processes that is visible in this folder.

    So processes that share a folder find each other, whatever the names of their machines.
    """
    file = finished or _open_unfinished(own)
    try:
        names = peers.gather("" if finished else own.name)
        chosen = "" if finished else next(name for name in names if _is_seen(name, own))
        choices = peers.gather(chosen)
        if finished:
            return SharedFile(finished, is_finished=False)
        if chosen != own.name:
            file.close()
            file = _open_unfinished(own.with_name(chosen))
        makers = [name for name, choice in zip(names, choices, strict=True) if choice == chosen]
        return SharedFile(file, False, makers.index(own.name), len(makers))
    except BaseException:
        file.close()
        raise


def _is_seen(name: str, own: Path) -> bool:
    # Machines that share a folder over a network may not see new files at once.
    is_of_this_machine = name.rpartition("-")[0] == own.name.rpartition("-")[0]
    return is_of_this_machine and own.with_name(name).exists()


def _open_unfinished(path: Path) -> IO[bytes]:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        hold(file)
        if os.fstat(descriptor).st_nlink:
            return file
        # Another process removed it as abandoned, between its creation and its lock.
        file.close()


def _name_closed(shared: SharedFile, own: Path, path: Path, num_bytes: int, peers: Peers) -> None:
    """Rename the file, which all processes must close for that, and open it again."""
    shared.file.close()
    peers.gather("closed")
    if shared.is_first_maker:
        with suppress(PermissionError):  # another run created it in the meantime, and reads it
            replace(own, path)
    peers.gather("named")
    finished = _open_finished(path, num_bytes)
    if finished is None:
        raise FileNotFoundError(f"{path} was removed right after it was created")
    shared.file = finished


def _sync(shared: SharedFile) -> None:
    if shared.num_makers:
        os.fsync(shared.file.fileno())
