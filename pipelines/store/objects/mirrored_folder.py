"""Folder that machines without a shared folder keep in sync through an object store.

Each participant has a channel: numbered bundles of its changes, written once and never modified.
The others tail it: a channel needs no list, late readers start with its first bundle, and changes
are seen in order. A file has one writer at a time. Append-only files are transferred in pieces,
large files as separate objects, of which only the last one is kept.

    <base>/<channel>/00000000        one line of JSON, then the bytes that it describes
    <base>/<channel>/00000000.0      a large file that it names
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import NotRequired, TypedDict

from modules.files.json_files import read_if_valid, write_whole
from modules.files.whole_files import replacing
from modules.operating_system.files import private_mode
from pipelines.errors import ObjectStoreError
from pipelines.store.objects.object_files import ObjectFiles

APPENDED = (".txt", ".jsonl", ".log")
"""Suffixes of files that are only appended to."""
LARGE_BYTES = 4 * 2**20
UNREACHABLE_SECONDS = 4.0
"""Time without a response of the store after which silence of others does not count."""

RARE_INTERVAL_SECONDS = 2.0
MOST_READERS = 16
"""Number of channels read at the same time: with a hundred machines the latencies add up."""

Signature = tuple[int, int, int]


class BundleEntry(TypedDict):
    """File in a bundle."""

    path: str
    kind: str
    """``whole``, ``piece`` (from ``start``), ``large`` (in ``object``) or ``gone``."""
    size: int
    start: NotRequired[int]
    object: NotRequired[str]


def is_appended(name: str) -> bool:
    """Return whether a file of this name is only appended to."""
    return name.endswith(APPENDED)


def read_piece(path: Path, start: int, length: int) -> bytes:
    """Return bytes of a file."""
    with path.open("rb") as file:
        file.seek(start)
        return file.read(length)


@dataclass(frozen=True)
class Known:
    """State of a file after its last upload or download."""

    signature: Signature
    num_sent: int
    own_object: str | None = None
    is_own: bool = False


@dataclass
class Bundle:
    """Files uploaded together, and their new known states."""

    content: bytes
    known: dict[str, Known]
    removed: list[str]
    superseded: list[str]
    was_tried: bool = False


@dataclass
class MirroredFolder:
    """One participant's side of a folder; its methods are for one thread.

    All but the constructor raise ``ObjectStoreError``, and ``OSError`` if the disk is full.
    """

    files: ObjectFiles
    base: str
    channel: str
    root: Path
    others: Sequence[str] = ()
    """Channels to read. The first one's participant may have seen the reports of the rest: it is
    read before them, and their reports are applied before its own."""
    rare: Sequence[str] = ()
    """Channels whose participants may have seen all of those. They are read when those have news,
    and every ``RARE_INTERVAL_SECONDS``, since each poll is a request."""
    own_files: Callable[[], Iterable[Path]] = tuple
    """Files to upload when changed. A file that confirms others comes after them."""
    takes: Callable[[str], bool] = bool
    """Predicate: a file of that name below the root is downloaded."""
    state_path: Path | None = None
    """File of the reading position, for its successor."""
    reports_removals: bool = False
    grows: Callable[[str], bool] = is_appended
    """Predicate: a file of that name is only appended to and transferred in pieces."""
    read_piece: Callable[[Path, int, int], bytes] = read_piece
    """Function that reads a piece of such a file from an offset."""
    _known: dict[str, Known] = field(default_factory=dict)
    _read: dict[str, int] = field(default_factory=dict)
    _next: int = 0
    _pending: Bundle | None = None
    _heard: float = field(default_factory=time.monotonic)
    _rare_at: float = 0.0
    _readers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(MOST_READERS))

    def __post_init__(self) -> None:
        if self.state_path is not None:
            self._read = dict(read_if_valid(self.state_path) or {})

    @property
    def is_unreachable(self) -> bool:
        """Return whether the store has not responded for a while, so that reports are missing."""
        return self.unreachable_seconds > UNREACHABLE_SECONDS

    @property
    def unreachable_seconds(self) -> float:
        """Return for how long the store has not responded."""
        return time.monotonic() - self._heard

    def sync(self) -> None:
        """Upload changes, and download what others have uploaded."""
        self.put()
        self.take()

    def know(self, other: MirroredFolder) -> None:
        """Record files that another mirror of this participant has downloaded as known."""
        own = {self._name(path) for path in self.own_files()}
        shared = {name: known for name, known in other._known.items() if name in own}
        self._known |= {name: replace(known, is_own=True) for name, known in shared.items()}

    # putting

    def put(self) -> bool:
        """Upload changes; return False if there are none."""
        self._pending = self._pending or self._bundled()
        if self._pending is None:
            return False
        self._put(self._pending)
        self._pending = None
        return True

    def put_all(self) -> None:
        """Upload changes until none remain."""
        while self.put():
            pass

    def _put(self, bundle: Bundle) -> None:
        was_tried, bundle.was_tried = bundle.was_tried, True
        while not self.files.create(self._path(self.channel, self._next), bundle.content):
            if was_tried and self._is_there(bundle):  # it had arrived although no confirmation came
                break
            self._next += 1  # an earlier process of this participant uploaded that one
        self._next += 1
        self._known |= bundle.known
        for name in bundle.removed:
            self._known.pop(name, None)
        for name in bundle.superseded:
            self.files.remove(name)

    def _is_there(self, bundle: Bundle) -> bool:
        """Return whether the existing object is this one, and not one of an earlier process."""
        with suppress(FileNotFoundError):
            return self.files.read(self._path(self.channel, self._next)) == bundle.content
        return False

    def _bundled(self) -> Bundle | None:
        paths = [path for path in self.own_files() if not path.name.endswith(".tmp")]
        names = list(dict.fromkeys(map(self._name, paths)))
        bundle = Bundle(b"", {}, [], [])
        entries: list[BundleEntry] = []
        contents: list[bytes] = []
        for name in reversed(names):
            with suppress(FileNotFoundError):
                entry, content = self._entry(name, bundle)
                if entry is not None:
                    entries.append(entry)
                    contents.append(content)
        if self.reports_removals:
            own = {name for name, known in self._known.items() if known.is_own}
            bundle.removed = sorted(own - set(names))
            bundle.superseded += [o for n in bundle.removed if (o := self._known[n].own_object)]
            entries += [{"path": name, "kind": "gone", "size": 0} for name in bundle.removed]
        if not entries:
            return None
        bundle.content = b"\n".join((json.dumps(entries).encode(), b"".join(contents)))
        return bundle

    def _entry(self, name: str, bundle: Bundle) -> tuple[BundleEntry | None, bytes]:
        path = self.root / name
        signature = _signature(path)
        known = self._known.get(name)
        size = signature[0]
        if known is not None and known.signature == signature and known.num_sent == size:
            return None, b""
        if self.grows(name):
            return self._piece(name, signature, known, bundle)
        if size >= LARGE_BYTES:
            return self._large(name, signature, known, bundle), b""
        content = path.read_bytes()
        bundle.known[name] = Known((len(content), *signature[1:]), len(content), None, True)
        self._supersede(known, bundle)
        return {"path": name, "kind": "whole", "size": len(content)}, content

    def _piece(
        self, name: str, signature: Signature, known: Known | None, bundle: Bundle
    ) -> tuple[BundleEntry | None, bytes]:
        is_new = known is None or known.signature[2] != signature[2]
        start = 0 if is_new or known is None or signature[0] < known.num_sent else known.num_sent
        content = self.read_piece(self.root / name, start, min(LARGE_BYTES, signature[0] - start))
        bundle.known[name] = Known(signature, start + len(content), None, True)
        if known is not None and not content and start == known.num_sent:
            return None, b""  # only touched
        return {"path": name, "kind": "piece", "start": start, "size": len(content)}, content

    def _large(
        self, name: str, signature: Signature, known: Known | None, bundle: Bundle
    ) -> BundleEntry | None:
        object_path = self._path(
            self.channel, f"{self._next:08d}.{len(bundle.known)}-{os.urandom(3).hex()}"
        )
        try:
            self.files.write_from(object_path, self.root / name)
        except ObjectStoreError:
            if (self.root / name).exists():
                raise
            raise FileNotFoundError from None
        bundle.known[name] = Known(signature, signature[0], object_path, True)
        self._supersede(known, bundle)
        return {"path": name, "kind": "large", "object": object_path, "size": 0}

    @staticmethod
    def _supersede(known: Known | None, bundle: Bundle) -> None:
        if known is not None and known.own_object is not None:
            bundle.superseded.append(known.own_object)

    # taking

    def take(self) -> None:
        """Download what others have uploaded since the last time."""
        updates = self._updates(self.others[:1]) | self._updates(self.others[1:])
        if any(updates.values()) or time.monotonic() >= self._rare_at:
            updates |= self._updates(self.rare)
            self._rare_at = time.monotonic() + RARE_INTERVAL_SECONDS
        for channel, bundles in reversed(updates.items()):
            for number, bundle in bundles:
                self._apply(bundle)
                self._read[channel] = number + 1
        if any(updates.values()) and self.state_path is not None:
            with suppress(OSError):
                write_whole(self.state_path, self._read)
        self._heard = time.monotonic()

    def _updates(self, channels: Sequence[str]) -> dict[str, list[tuple[int, bytes]]]:
        read = self._readers.map if len(channels) > 1 else map
        return dict(zip(channels, read(self._updates_of, channels), strict=True))

    def _updates_of(self, channel: str) -> list[tuple[int, bytes]]:
        bundles: list[tuple[int, bytes]] = []
        number = self._read.get(channel, 0)
        with suppress(FileNotFoundError):
            while True:
                bundles.append((number, self.files.read(self._path(channel, number))))
                number += 1
        return bundles

    def _apply(self, bundle: bytes) -> None:
        header, _, content = bundle.partition(b"\n")
        start = 0
        for entry in json.loads(header):
            size = int(entry["size"])
            name = str(entry["path"])
            if _is_inside(name) and self.takes(name):
                self._take_in(name, entry, content[start : start + size])
            start += size

    def _take_in(self, name: str, entry: BundleEntry, content: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match entry["kind"]:
            case "gone":
                path.unlink(missing_ok=True)
                self._known.pop(name, None)
                return
            case "piece":
                _write_at(path, int(entry["start"]), content)
            case "large":
                try:
                    with replacing(path) as temporary:
                        self.files.fetch(str(entry["object"]), temporary)
                except FileNotFoundError:  # a later one has replaced it
                    return
            case _:
                with replacing(path) as temporary:
                    temporary.write_bytes(content)
        signature = _signature(path)
        self._known[name] = Known(signature, signature[0])

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _path(self, channel: str, number: int | str) -> str:
        return f"{self.base}/{channel}/{number if isinstance(number, str) else f'{number:08d}'}"


def _signature(path: Path) -> Signature:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns, facts.st_ino


def _write_at(path: Path, start: int, content: bytes) -> None:
    """Write a piece; the first one replaces the previous file."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if start == 0 else 0)
    with open(os.open(path, flags, private_mode(path.parent)), "wb") as file:
        file.seek(start)
        file.write(content)


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts
