"""Checks of this machine: available resources, missing parts and how to install them."""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from modules.formatting import format_bytes
from modules.operating_system.files import is_shared_on_purpose
from modules.operating_system.machine import gpu_names, memory_bytes, num_cores
from modules.operating_system.wall import can_wall
from pipelines.environments.containers import container_programs, describe_containers
from pipelines.environments.uv_command import find_uv
from pipelines.errors import DatabaseError, DesignerError
from pipelines.sentences import _
from pipelines.sentences import environments as say
from pipelines.store.artifacts.cache_keys import library_version
from pipelines.store.database.connections import Database
from pipelines.store.database.facts import WorkspaceFacts
from pipelines.store.objects.object_store import ObjectStore
from pipelines.workspace import Workspace
from pipelines.workspace_settings import artifacts_address

NEEDED_LIBRARIES = ("torch", "torchvision", "networkx", "pandas", "pillow", "streamlit")
IMPORT_NAMES = {"pillow": "PIL"}
MIN_FREE_BYTES = 2 * 10**9
MIN_MEMORY_BYTES = 4 * 10**9


@dataclass(frozen=True)
class DoctorCheck:
    """Result of one check."""

    name: str
    ok: bool
    found: str
    cure: str = ""


def examine(workspace: Workspace) -> list[DoctorCheck]:
    """Return all findings; none of the checks imports torch."""
    return [
        _python(),
        *(_library(name) for name in NEEDED_LIBRARIES),
        _cores(),
        _gpus(),
        _memory(),
        _workspace(workspace),
        *_privacy(workspace),
        _postgres(),
        _object_stores(),
        *_own_object_store(workspace),
        _kubernetes(),
        _disk(workspace),
        _shared_memory(),
        _uv(),
        _wall(),
        _mpi(),
        _containers(),
    ]


def _python() -> DoctorCheck:
    ok = (3, 11) <= sys.version_info[:2] <= (3, 13)
    cure = "" if ok else _("Install Python 3.11, 3.12 or 3.13, then run `make` again.")
    return DoctorCheck("python", ok, f"Python {platform.python_version()}", cure)


def _library(name: str) -> DoctorCheck:
    ok = importlib.util.find_spec(IMPORT_NAMES.get(name, name)) is not None
    cure = "" if ok else _("Run `make` again to install it.")
    return DoctorCheck(name, ok, library_version(name), cure)


def _cores() -> DoctorCheck:
    count = num_cores()
    return DoctorCheck(
        "cores", True, _("{count}: up to {count} processes without a GPU", count=count)
    )


def _gpus() -> DoctorCheck:
    count = len(gpu_names())
    text = f"{count}" if count else _("none: training uses the CPU")
    return DoctorCheck("gpus", True, text)


def _memory() -> DoctorCheck:
    total = memory_bytes()
    ok = total >= MIN_MEMORY_BYTES
    cure = "" if ok else _("Use small images and a small batch size.")
    return DoctorCheck("memory", ok, format_bytes(total), cure)


def _workspace(workspace: Workspace) -> DoctorCheck:
    try:
        database = Database.open(workspace)
        version, location = database.schema_version(), database.place
        database.close()
    except DatabaseError as error:
        return DoctorCheck("workspace", False, f"{workspace.root}: {error.message}", error.cure)
    except Exception as error:  # any problem of the workspace is a finding
        cure = _("Choose a folder with write permission with --workspace.")
        return DoctorCheck("workspace", False, f"{workspace.root}: {error}"[:300], cure)
    return DoctorCheck(
        "workspace",
        True,
        _(
            "{root} ({location}, schema {version})",
            root=workspace.root,
            location=location,
            version=version,
        ),
    )


def _privacy(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Check whether other users can read the workspace; not on Windows, which has no modes."""
    if os.name != "posix" or not workspace.root.is_dir():
        return
    root = workspace.root
    mode = stat.S_IMODE(root.stat().st_mode)
    is_team = is_shared_on_purpose(root)
    is_open_to_group, is_open_to_all = mode & 0o070 and not is_team, mode & 0o007
    if not is_open_to_group and not is_open_to_all:
        team, alone = _("accessible to its group, which shares it"), _("accessible to only you")
        yield DoctorCheck("privacy", True, team if is_team else alone)
        return
    readers = _("other users") if is_open_to_all else _("your group")
    text = _(
        "{readers} of this machine can read the workspace (mode {mode:04o}): database, logs and "
        "images",
        readers=readers,
        mode=mode,
    )
    change = "o-rwx" if is_team else "go-rwx"
    command = f"chmod {change} {shlex.quote(str(root))}"
    yield DoctorCheck("privacy", True, text, _("Restrict access: {command}", command=command))


def _postgres() -> DoctorCheck:
    if importlib.util.find_spec("psycopg") is None:
        return DoctorCheck("postgres", True, _("extra not installed: workspaces use SQLite"))
    return DoctorCheck("postgres", True, f"psycopg {library_version('psycopg')}")


def _object_stores() -> DoctorCheck:
    """List the object stores with an installed driver; no driver is imported."""
    reached = {"s3": "s3fs", "azure": "adlfs", "gcs": "gcsfs"}
    drivers = [
        f"{extra} ({package} {library_version(package)})"
        for extra, package in reached.items()
        if importlib.util.find_spec(package) is not None
    ]
    none = _("extras s3, azure and gcs not installed: outputs are kept in folders")
    return DoctorCheck("object stores", True, ", ".join(drivers) or none)


def _own_object_store(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Check the object store of the workspace, if it has one."""
    try:
        named = artifacts_address(workspace.root)
        if named is None:
            return
        database = Database.open(workspace)
        try:
            store = ObjectStore(named, WorkspaceFacts(database).own_id)
            store.check()
        finally:
            database.close()
    except DesignerError as error:
        yield DoctorCheck("outputs", False, error.message, error.cure)
    else:
        yield DoctorCheck("outputs", True, _("in {place}", place=store.place))


def _kubernetes() -> DoctorCheck:
    if importlib.util.find_spec("kubernetes") is None:
        return DoctorCheck(
            "kubernetes", True, _("extra not installed: Kubernetes clusters cannot be targets")
        )
    return DoctorCheck(
        "kubernetes", True, _("client {version}", version=library_version("kubernetes"))
    )


def _disk(workspace: Workspace) -> DoctorCheck:
    folder = workspace.root if workspace.root.is_dir() else workspace.root.parent
    if not folder.is_dir():
        return DoctorCheck(
            "disk", False, _("{folder} not found", folder=folder), _("Choose another --workspace.")
        )
    free = shutil.disk_usage(folder).free
    ok = free >= MIN_FREE_BYTES
    cure = "" if ok else _("Free disk space. `designer gc` deletes unreferenced outputs.")
    return DoctorCheck("disk", ok, _("{size} free", size=format_bytes(free)), cure)


def _uv() -> DoctorCheck:
    program = find_uv()
    if program is not None:
        return DoctorCheck("uv", True, _("{program}: environments can be built", program=program))
    return DoctorCheck(
        "uv", True, _("not installed: {message}", message=say.NO_UV.message), say.NO_UV.cure
    )


def _wall() -> DoctorCheck:
    if not can_wall(network=True):
        cure = _("To run scripts from others, install bubblewrap (Debian: apt install bubblewrap).")
        return DoctorCheck("sandbox", True, _("none: scripts have your permissions"), cure)
    both = _("bubblewrap: scripts can run with or without a network")
    only = _("bubblewrap: scripts can run only with a network")
    return DoctorCheck("sandbox", True, both if can_wall(network=False) else only)


def _mpi() -> DoctorCheck:
    """Find the mpirun of the launcher MPI."""
    if (program := shutil.which("mpirun")) is None:
        cure = _("To use it, install Open MPI (Debian: apt install openmpi-bin).")
        return DoctorCheck("mpi", True, _("none: the launcher MPI cannot be used"), cure)
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return DoctorCheck(
            "mpi",
            True,
            _("{program} failed ({error})", program=program, error=error),
            _("Reinstall Open MPI."),
        )
    return DoctorCheck("mpi", True, f"{program}: {done.stdout.partition(chr(10))[0]}")


def _containers() -> DoctorCheck:
    """Check container programs, which only environments of images need."""
    programs = container_programs()
    cure = ""
    if programs and not any(program.runs for program in programs):
        cure = _(
            "To use images as environments, find out why `{program} import` and `create` "
            "fail: check its service and its storage.",
            program=programs[0].name,
        )
    return DoctorCheck(
        "containers",
        True,
        _("{programs} (needed only for environments of images)", programs=describe_containers()),
        cure,
    )


def _shared_memory() -> DoctorCheck:
    if not os.path.isdir("/dev/shm"):
        return DoctorCheck("shared memory", True, _("not used on this system"))
    free = shutil.disk_usage("/dev/shm").free
    ok = free >= 64 * 2**20
    cure = "" if ok else _("Increase the shared memory of the container: --shm-size=1g.")
    return DoctorCheck("shared memory", ok, format_bytes(free), cure)
