"""A sandbox for foreign code: read-only packages and no network.

It uses bubblewrap if it is installed and the kernel permits it, which is tested by running it.
Otherwise there is no sandbox, and callers must handle that.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from modules.operating_system.image_mounts import image_mounts

PROGRAM = "bwrap"
PROBE_SECONDS = 10
EVERYTHING = ("--bind", "/", "/", "--dev-bind", "/dev", "/dev")
LIFETIME = ("--die-with-parent", "--unshare-pid", "--proc", "/proc")
"""All processes in it end with it."""
TOGETHER = ("--die-with-parent", "--bind", "/proc", "/proc")
"""Ranks have different pids, as on one machine: TensorBoard's file names contain them."""
MACHINE = ("--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys", "--tmpfs", "/tmp")
NAMES = ("/etc/hosts", "/etc/resolv.conf")
"""Files for resolving host names: an image has empty files there."""
UNASKED = ("/bin/sh", "-c", 'trap "" TERM; exec "$@"', "sh")
"""Shell that ignores a request to end, which is meant for the sandboxed process: bubblewrap would
kill it at once.
"""
NO_NETWORK = ("--unshare-net",)
"""Only the loopback exists, so that several processes of one command find each other."""


@cache
def can_wall(*, network: bool) -> bool:
    """Return True if a command can run in a sandbox here, with or without a network."""
    program = shutil.which(PROGRAM)
    if program is None:
        return False
    try:
        command = wall(["true"], [Path("/usr")], network=network)
        done = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def wall(argv: Sequence[str], packages: Sequence[Path], *, network: bool) -> list[str]:
    """Return the command that runs ``argv`` in a sandbox; only if ``can_wall`` is true.

    ``packages`` are read-only folders. Without ``network`` it reaches only its own loopback.
    """
    read_only = [word for folder in packages for word in ("--ro-bind", str(folder), str(folder))]
    cut_off = () if network else NO_NETWORK
    return [*UNASKED, PROGRAM, *EVERYTHING, *read_only, *LIFETIME, *cut_off, "--", *argv]


def wall_of_image(
    argv: Sequence[str],
    tree: Path,
    *,
    readable: Sequence[Path] = (),
    writable: Sequence[Path] = (),
    loaded: Mapping[str, str] | None = None,
    network: bool = True,
) -> list[str]:
    """Return the command that runs ``argv`` with an image as its file system.

    It also has the given folders of this machine, under their own paths, and the kernel's file
    systems. ``loaded`` are variables of the loader (``LD_...``), which bubblewrap itself must not
    use.
    """
    names = [word for path in NAMES for word in ("--ro-bind-try", path, path)]
    variables = [word for variable in (loaded or {}).items() for word in ("--setenv", *variable)]
    lifetime = TOGETHER if network else (*LIFETIME, *NO_NETWORK)
    program = shutil.which(PROGRAM) or PROGRAM  # not on the PATH of the image
    mounts = image_mounts(tree, (*MACHINE, *names), readable, writable)
    return [*UNASKED, program, *mounts, *lifetime, *variables, "--", *argv]
