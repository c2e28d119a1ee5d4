"""Sources of images: ``sample:``, ``file:``, ``https:``, ``s3:``, ``dataset:`` and so on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.datasets.dataset_names import check_name, normal_name
from modules.datasets.folder_summary import forecast_of
from modules.datasets.reading_suffix import reading_suffix
from modules.datasets.registered import versions_of
from modules.datasets.remote_source import parse_remote
from modules.datasets.samples import parse_sample
from modules.datasets.torchvision_datasets import parse_torchvision
from modules.datasets.web_source import parse_web
from modules.errors import InvalidDatasetError, NotInRangeValueError, NullOrEmptyError
from modules.files.allowed_roots import require_allowed
from modules.files.archive_kinds import require_archive
from modules.files.hashing import HashCache, content_hash
from modules.files.object_folder import PROTOCOLS
from modules.files.workspace_folder import own_place
from modules.forecast import ArtifactForecast
from modules.sentences import datasets as say

PREFIXES = ("sample:", "file:", "https:", "s3:", "abfs:", "gs:", "dataset:", "torchvision:")


class Source(Protocol):
    """A parsed source."""

    def check(self, context: Context) -> None:
        """Raise the error for users if it does not exist or cannot be read."""

    def write(self, context: Context) -> AnyDirectory:
        """Write the source as an artifact in a new folder of the context."""

    def fingerprint(self, context: Context) -> str:
        """Return a text that changes if the images may have changed."""

    def forecast(self, context: Context) -> ArtifactForecast:
        """Return what is known of it without reading images."""


@dataclass(frozen=True)
class FileSource:
    """A folder or an archive on this server."""

    path: Path

    def check(self, context: Context) -> None:
        self.location(context)

    def write(self, context: Context) -> AnyDirectory:
        return AnyDirectory.write(context.new_folder(), self.location(context))

    def fingerprint(self, context: Context) -> str:
        # The path counts as well: the artifact refers to it and holds no copy.
        path = self.location(context)
        content = content_hash(path, _hash_cache(context), context=context)
        suffix = reading_suffix(path, content, context.allowed_roots)
        return f"file:{path}:{content}{suffix}"

    def forecast(self, context: Context) -> ArtifactForecast:
        return forecast_of(self.location(context), allowed_roots=context.allowed_roots)

    def location(self, context: Context) -> Path:
        """Return the path without links; raise if it is missing, not an archive or not allowed."""
        try:
            path = self.path.expanduser().resolve()
            is_there, is_folder = path.exists(), path.is_dir()
        except (OSError, RuntimeError, ValueError) as error:
            raise _not_there(self.path) from error
        require_allowed(path, context.allowed_roots, name=str(self.path), parameter="source")
        if not is_there:
            raise _not_there(self.path)
        workspace = own_place(path)
        if workspace is not None:
            raise InvalidDatasetError(
                say.OWN_PLACE, path=path, workspace=workspace, parameter="source"
            )
        if not is_folder:
            require_archive(path)
        return path


@dataclass(frozen=True)
class DatasetSource:
    """A registered dataset; without a version, the newest one."""

    name: str
    version: int | None = None

    def check(self, context: Context) -> None:
        self.location(context)

    def write(self, context: Context) -> AnyDirectory:
        return AnyDirectory.write(context.new_folder(), self.location(context))

    def fingerprint(self, context: Context) -> str:
        path = self.location(context)
        sha256 = content_hash(path, _hash_cache(context), trust_young=True, context=context)
        return f"dataset:{self.name}@{path.name}:{sha256}{reading_suffix(path, sha256)}"

    def forecast(self, context: Context) -> ArtifactForecast:
        return forecast_of(self.location(context))

    def location(self, context: Context) -> Path:
        """Return the location of its files; raise if it is not registered."""
        folder = context.datasets_dir
        versions = versions_of(folder, self.name) if folder is not None else ()
        version = versions[-1] if versions and self.version is None else self.version
        if folder is None or version not in versions:
            reference = f"{self.name}@{version}" if version else self.name
            missing = say.NOT_REGISTERED.about({"reference": reference})
            if versions:
                facts = {"reference": reference, "versions": versions}
                missing = say.OTHER_VERSIONS.about(facts)
            raise InvalidDatasetError(missing, parameter="source")
        return folder.resolve() / self.name / str(version)


def parse_source(text: str | None) -> Source:
    """Parse a source; raise 0003 for none, 0008 or 0018 for an invalid one."""
    if text is None or not text.strip():
        raise NullOrEmptyError(
            say.NO_SOURCE, prefixes=PREFIXES[:-1], last=PREFIXES[-1], parameter="source"
        )
    text = text.strip()
    prefix, colon, rest = text.partition(":")
    parser = _PARSERS.get(prefix + colon)
    if parser is None or not rest:
        raise NotInRangeValueError(
            say.NOT_A_SOURCE if parser is None else say.NOTHING_BEHIND,
            text=text[:200],
            prefixes=PREFIXES[:-1],
            last=PREFIXES[-1],
            parameter="source",
        )
    return parser(rest)


def readable(path: str, context: Context) -> Path:
    """Return the folder or archive of that path; raise the error to show if it may not be read."""
    parse_source(f"file:{path}").check(context)
    return Path(path).expanduser().resolve()


def _parse_file(text: str) -> FileSource:
    if "\0" in text:
        raise _not_there(Path(text.replace("\0", "?")))
    return FileSource(Path(text))


def _parse_dataset(text: str) -> DatasetSource:
    name, at, version = normal_name(text).partition("@")
    check_name(name)
    if at and not re.fullmatch(r"[1-9][0-9]{0,8}", version):
        raise NotInRangeValueError(
            say.NO_DATASET_VERSION, version=version[:100], name=name, parameter="source"
        )
    return DatasetSource(name, int(version) if at else None)


_PARSERS = {
    "sample:": parse_sample,
    "file:": _parse_file,
    "https:": parse_web("https"),
    "http:": parse_web("http"),
    **{f"{protocol}:": parse_remote(protocol) for protocol in PROTOCOLS},
    "dataset:": _parse_dataset,
    "camera:": _parse_dataset,  # a recording is saved as a dataset of its name
    "torchvision:": parse_torchvision,
}


def _not_there(path: Path) -> InvalidDatasetError:
    return InvalidDatasetError(say.NOT_THERE, path=str(path)[:300], parameter="source")


def _hash_cache(context: Context) -> HashCache | None:
    return None if context.cache_dir is None else HashCache(context.cache_dir / "hashes")
