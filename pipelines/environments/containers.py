"""Whether podman or docker is here and answers; images are no base of environments."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

PROGRAMS = ("podman", "docker")
PROBE_SECONDS = 10


@cache
def describe_containers() -> str:
    """What was found, in a few words: programs that answer, that do not, or none."""
    found = [f"{name} {_answer(name)}" for name in PROGRAMS if shutil.which(name)]
    return ", ".join(found) or "neither podman nor docker is here"


def _answer(program: str) -> str:
    """Asking for the service behind it tells more than the program's own version does."""
    try:
        done = subprocess.run(
            [program, "info"], capture_output=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return "does not answer"
    return "answers" if done.returncode == 0 else "is here, but runs no containers"
