"""Building an environment in a temporary folder that is moved when it is complete.

An interrupted build leaves nothing that could be mistaken for an environment. A process waits for
another's build of the same one. Environments are never changed: another lock has another key and
folder.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from modules.context import ContainerImage
from modules.errors import EnvironmentNotMadeError, FailedToDownloadFilesError
from modules.files.disk import disk_errors
from modules.files.json_files import JsonObject, remember
from modules.operating_system import locks
from modules.operating_system.files import replace as put_in_place
from pipelines.environments.base_layer import base_versions, ensure_base_layer
from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.environment_keys import needed_packages
from pipelines.environments.file_facts import count_bytes, fingerprint, protect
from pipelines.environments.image_builds import BuiltImage, build_image
from pipelines.environments.image_tree import TREE
from pipelines.environments.lock_lines import LockedPackage, is_same_version, lock_text, without
from pipelines.environments.resolver import FIXED, choose_interpreter
from pipelines.environments.uv_command import WHEELS_ONLY, Report, Uv
from pipelines.environments.verification import damages_of
from pipelines.environments.virtual_environment import (
    bin_dir_of,
    link_base,
    make_virtual_environment,
    python_of,
    site_packages_of,
)
from pipelines.sentences import environments as say

MARKER = ".built.json"
STAGING = ".building-"


@dataclass(frozen=True)
class BuiltEnvironment:
    """Built environment and the cost of this build."""

    name: str
    key: str
    folder: Path
    python: Path
    bin_dir: Path
    was_cached: bool
    seconds: float
    """Duration; nearly zero if it existed."""
    num_bytes: int
    """Size of all its files."""
    own_bytes: int
    """Size of the files that no other environment or cache shares."""
    num_packages: int
    image: ContainerImage | None = None
    """Location of an environment that is an image."""


@dataclass(frozen=True)
class BuildMarker:
    """Last file of a build: what was built, and the fingerprint of its files."""

    key: str
    seconds: float
    num_bytes: int
    own_bytes: int
    num_packages: int
    base: str
    """Folder of links that it uses; empty for an isolated one."""
    fingerprint: str
    image: BuiltImage | None = None

    @classmethod
    def of(cls, folder: Path) -> Self | None:
        """Return the marker in a folder; None if no build was completed."""
        try:
            content: JsonObject = json.loads((folder / MARKER).read_text(encoding="utf-8"))
            image = content.get("image")
            return cls(**{**content, "image": image and BuiltImage(**image)})
        except (OSError, ValueError, TypeError):
            return None

    @classmethod
    def distrust(cls, folder: Path) -> None:
        """Have every file read again before the next use: sizes and times prove nothing now."""
        marker = cls.of(folder)
        if marker is not None:
            remember(folder / MARKER, asdict(replace(marker, fingerprint="")))


def folder_of(key: str, root: Path) -> Path:
    """Return the folder of a key's environment, built or not."""
    return root / key[:24]


def ensure_built(
    record: EnvironmentRecord,
    root: Path,
    report: Report = lambda _: None,
    *,
    run_id: str | None = None,
) -> BuiltEnvironment:
    """Return a record's environment in ``root``, built if it is not intact.

    ``report`` receives log lines, and which run builds it for others that wait. Raises 3110 if it
    cannot be built, 0162 if packages are unavailable, 0138 if the disk is full.
    """
    started = time.monotonic()
    built = _whole(record, root)
    if built is None:
        with _alone(record, root, report, run_id):
            built = _whole(record, root)
            if built is None:
                _build(record, root, report)
                return _built(record, root, started, was_cached=False)
    os.utime(folder_of(record.key, root) / MARKER)  # it was used
    return _built(record, root, started, was_cached=True)


def _built(
    record: EnvironmentRecord, root: Path, started: float, *, was_cached: bool
) -> BuiltEnvironment:
    folder = folder_of(record.key, root)
    marker = BuildMarker.of(folder)
    assert marker is not None
    return BuiltEnvironment(
        name=record.reference,
        key=record.key,
        folder=folder,
        python=Path(marker.image.python) if marker.image else python_of(folder),
        bin_dir=Path(marker.image.python).parent if marker.image else bin_dir_of(folder),
        image=marker.image.files(folder) if marker.image else None,
        was_cached=was_cached,
        seconds=time.monotonic() - started,
        num_bytes=marker.num_bytes,
        own_bytes=marker.own_bytes,
        num_packages=marker.num_packages,
    )


def _whole(record: EnvironmentRecord, root: Path) -> BuildMarker | None:
    """Return the marker of an environment that works and whose files are unchanged."""
    folder = folder_of(record.key, root)
    marker = BuildMarker.of(folder)
    if marker is None or not (marker.image or python_of(folder).exists()):
        return None
    if marker.base and not (root / marker.base / "torch" / "__init__.py").is_file():
        return None
    is_unchanged = fingerprint(installed_in(folder)) == marker.fingerprint
    return marker if is_unchanged or not damages_of(installed_in(folder)) else None


def installed_in(folder: Path) -> Path:
    """Return the folder of the installed packages with their records, or of an image's files."""
    return folder if (folder / TREE).is_dir() else site_packages_of(folder)


@contextmanager
def _alone(
    record: EnvironmentRecord, root: Path, report: Report, run_id: str | None
) -> Iterator[None]:
    """Hold the lock of the build."""
    run_file = root / f"{record.key[:24]}.run"
    with disk_errors(root):
        root.mkdir(parents=True, exist_ok=True)
        with (root / f"{record.key[:24]}.lock").open("w") as file:
            if not locks.try_lock(file):
                report(_builder(record, run_file))
                locks.lock(file)
            run_file.unlink(missing_ok=True)  # of a killed process
            if run_id is not None:
                _write(run_file, run_id)
            try:
                yield
            finally:
                run_file.unlink(missing_ok=True)


def _builder(record: EnvironmentRecord, run_file: Path) -> str:
    """Return the process that builds it, as far as it is known."""
    try:
        run_id = run_file.read_text(encoding="utf-8")
    except OSError:
        run_id = ""
    facts = {"environment": record.reference, "run": run_id}
    return (say.BUILT_BY_RUN if run_id else say.BUILT_ELSEWHERE).about(facts).message


def _build(record: EnvironmentRecord, root: Path, report: Report) -> None:
    started, folder = time.monotonic(), folder_of(record.key, root)
    staging = root / f"{STAGING}{folder.name}"
    _forget_damaged(folder, root)
    for leftover in (folder, staging):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        marker = _filled(record, root, staging, started, report)
        _write(staging / MARKER, json.dumps(asdict(marker)))
        put_in_place(staging, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _forget_damaged(folder: Path, root: Path) -> None:
    """Remove damaged packages from the cache, which shares its files with environments."""
    damaged = {damage.package for damage in damages_of(installed_in(folder))}
    if damaged and not (folder / TREE).is_dir():
        Uv.with_cache(root).forget(sorted(damaged))


def _filled(
    record: EnvironmentRecord, root: Path, staging: Path, started: float, report: Report
) -> BuildMarker:
    """Fill the staging folder and write the marker."""
    if record.base == "image":
        image, num_packages, base = build_image(record, staging, report), 0, ""
    else:
        image, (num_packages, base) = None, _fill(record, root, staging, report)
    num_bytes, own_bytes = count_bytes(staging)
    return BuildMarker(
        key=record.key,
        seconds=time.monotonic() - started,
        num_bytes=num_bytes,
        own_bytes=own_bytes,
        num_packages=num_packages,
        base=base,
        fingerprint=fingerprint(installed_in(staging)),
        image=image,
    )


def _fill(record: EnvironmentRecord, root: Path, staging: Path, report: Report) -> tuple[int, str]:
    """Fill the staging folder; return its number of packages and its base."""
    interpreter = choose_interpreter(record)
    facts = {"environment": record.reference, "python": interpreter.version}
    make_virtual_environment(interpreter.path, staging)
    packages, base = needed_packages(record.lock, interpreter.version), ""
    if record.base == "designer":
        layer = ensure_base_layer(root)
        _require_same_base(record, packages)
        packages, base = without(packages, base_versions()), layer.name
        link_base(staging, layer)
    report(say.BUILDING.about({**facts, "count": len(packages)}).message)
    if packages:
        _install(record, packages, root, staging, report)
        protect(site_packages_of(staging))
    return len(packages), base


def _require_same_base(record: EnvironmentRecord, packages: list[LockedPackage]) -> None:
    base = base_versions()
    others = [
        f"{package.name} {package.version}, here {base[package.name]}"
        for package in packages
        if package.name in FIXED
        and not is_same_version(package.version, base.get(package.name, ""))
    ]
    if others:
        raise EnvironmentNotMadeError(
            say.BASE_CHANGED, environment=record.reference, packages=others, parameter="environment"
        )


def _install(
    record: EnvironmentRecord,
    packages: Sequence[LockedPackage],
    root: Path,
    staging: Path,
    report: Report,
) -> None:
    _write(staging / "lock.txt", lock_text(packages))
    arguments = ["--python", str(python_of(staging)), "--no-deps", "--require-hashes"]
    arguments += ["-r", str(staging / "lock.txt"), *(() if record.allow_builds else WHEELS_ONLY)]
    uv = Uv.with_cache(root)
    try:  # cached packages need no network
        uv.run("install", "--quiet", *arguments, offline=True)
    except (FailedToDownloadFilesError, EnvironmentNotMadeError):
        uv.run("install", *arguments, report=report)


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
