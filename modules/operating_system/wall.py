"""A wall around what runs somebody's code: packages that it cannot change, and no network.

That is bubblewrap's work, where it is installed and the kernel lets it: whether it does is found
out by running it. Elsewhere there is no wall, and nothing pretends that there was one.
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
"""All that it starts ends with it, wherever it has gone."""
TOGETHER = ("--die-with-parent", "--bind", "/proc", "/proc")
"""Ranks have different pids, as on one machine: files that TensorBoard writes are named by them."""
MACHINE = ("--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys", "--tmpfs", "/tmp")
NAMES = ("/etc/hosts", "/etc/resolv.conf")
"""How a machine names others: an image has empty files there."""
UNASKED = ("/bin/sh", "-c", 'trap "" TERM; exec "$@"', "sh")
"""A request to end is for what runs behind the wall: bubblewrap would kill it at once."""
NO_NETWORK = ("--unshare-net",)
"""Its own loopback is there, so that several processes of one command find each other."""


@cache
def can_wall(*, network: bool) -> bool:
    """Whether a command can run behind a wall here, with or without a network."""
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
    """The command that runs ``argv`` behind a wall; only where ``can_wall`` says so.

    ``packages`` are folders that it may read and not write. Without ``network`` it reaches its
    own loopback and nothing else.
    """
    read_only = [word for each in packages for word in ("--ro-bind", str(each), str(each))]
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
    """The command that runs ``argv`` with the files of an image as all files there are.

    Of this machine's it finds those folders, under their own names, and what the kernel offers.
    ``loaded`` are variables of the loader (``LD_...``), which bubblewrap itself must not follow.
    """
    names = [word for each in NAMES for word in ("--ro-bind-try", each, each)]
    told = [word for each in (loaded or {}).items() for word in ("--setenv", *each)]
    lifetime = TOGETHER if network else (*LIFETIME, *NO_NETWORK)
    program = shutil.which(PROGRAM) or PROGRAM  # not on the PATH of the image
    mounts = image_mounts(tree, (*MACHINE, *names), readable, writable)
    return [*UNASKED, program, *mounts, *lifetime, *told, "--", *argv]
