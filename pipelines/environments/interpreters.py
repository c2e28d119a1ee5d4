"""Python interpreters of this machine; each is run once, since not all found ones work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from platform import python_version

from packaging.markers import default_environment
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

PROGRAM = re.compile(r"python3\.\d+")
PROBE = "import platform; print(platform.python_implementation(), platform.python_version())"
PROBE_TIMEOUT_SECONDS = 20


@dataclass(frozen=True)
class Interpreter:
    """Working Python interpreter."""

    path: Path
    version: str
    """For example ``3.11.7``."""


def designers_own() -> Interpreter:
    """Return the Python that runs the designer."""
    return Interpreter(Path(sys.executable), python_version())


def markers_of(version: str) -> dict[str, str]:
    """Return the environment markers of a Python of that version on this machine."""
    own = {name: str(value) for name, value in default_environment().items()}
    short = ".".join(version.split(".")[:2])
    changed = {"python_full_version": version, "implementation_version": version}
    return {**own, **changed, "python_version": short}


def find_interpreter(requested: str) -> Interpreter | None:
    """Return the newest Python of a version, ``3.8``, or range, ``>=3.8,<3.11``.

    The designer's own if it matches or nothing is requested.
    """
    accepted = accepted_versions(requested)
    own = designers_own()
    if accepted is None or own.version in accepted:
        return own if accepted is not None else None
    fitting = [interpreter for interpreter in all_interpreters() if interpreter.version in accepted]
    return max(fitting, key=lambda interpreter: Version(interpreter.version), default=None)


def accepted_versions(requested: str) -> SpecifierSet | None:
    """Return the requested versions; None if the text is invalid."""
    text = requested.strip()
    if text[:1].isdigit():
        text = f"=={text}" if text.count(".") >= 2 or text.endswith("*") else f"=={text}.*"
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def installed_versions() -> list[str]:
    """Return the versions of all interpreters, oldest first."""
    return sorted({interpreter.version for interpreter in all_interpreters()}, key=Version)


def all_interpreters() -> list[Interpreter]:
    """Return the working interpreters on the path and in the usual places, one per version."""
    interpreters = [designers_own(), *filter(None, map(_probe, _candidates()))]
    return list(
        {interpreter.version: interpreter for interpreter in reversed(interpreters)}.values()
    )[::-1]


def _candidates() -> Iterator[Path]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        paths = sorted(Path(folder or ".").glob("python3.*"))
        yield from (path for path in paths if PROGRAM.fullmatch(path.name))
    home = Path.home()
    for tools in (home / ".pyenv/versions", home / ".local/share/uv/python"):
        yield from sorted(tools.glob("*/bin/python3"))


@cache
def _probe(path: Path) -> Interpreter | None:
    """Return the facts that a Python reports; None if it does not work."""
    try:
        done = subprocess.run(
            [path, "-I", "-S", "-c", PROBE],
            capture_output=True,
            timeout=PROBE_TIMEOUT_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
            text=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    implementation, _, version = done.stdout.strip().partition(" ")
    return Interpreter(path, version) if implementation == "CPython" else None
