"""A wall around what runs somebody's code: packages that it cannot change, and no network.

That is bubblewrap's work, where it is installed and the kernel lets it: whether it does is found
out by running it. Elsewhere there is no wall, and nothing pretends that there was one.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

PROGRAM = "bwrap"
PROBE_SECONDS = 10
EVERYTHING = ("--bind", "/", "/", "--dev-bind", "/dev", "/dev")
LIFETIME = ("--die-with-parent", "--unshare-pid", "--proc", "/proc")
"""All that it starts ends with it, wherever it has gone."""
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
    return [PROGRAM, *EVERYTHING, *read_only, *LIFETIME, *cut_off, "--", *argv]
