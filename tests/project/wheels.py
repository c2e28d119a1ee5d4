"""Whether all that is locked can be had ready-made for Windows and macOS, as the registry says.

``python -m tests.project.wheels`` asks it, by uv, and keeps the answer in ``wheels.json`` beside
this file, with the hash of the lock that it holds for: tests need no network to see that it does.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
RECORD = Path(__file__).with_name("wheels.json")
SYSTEMS = {"Windows, x86-64": "x86_64-pc-windows-msvc", "macOS 14, arm64": "aarch64-apple-darwin"}
"""What uv calls them."""
PYTHONS = ("3.11", "3.12", "3.13")
OLDEST_MACOS = {"MACOSX_DEPLOYMENT_TARGET": "14.0"}
RESOLVED = re.compile(r"^Resolved (\d+) packages", re.MULTILINE)


def find_uv() -> str | None:
    """The uv of this machine, or the one that set this checkout up."""
    own = ROOT / ".venv" / "uv"
    return shutil.which("uv") or (str(own) if own.is_file() else None)


def num_wheels(uv: str, platform: str, python: str) -> int:
    """How many packages of the lock apply there, each a wheel; nothing is downloaded.

    Raises ``LookupError`` with uv's words where one of them has no wheel for that system.
    """
    options = ["--dry-run", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    system = ["--python-platform", platform, "--python-version", python]
    with TemporaryDirectory() as folder:
        asked = subprocess.run(
            [uv, "pip", "install", *options, *system, "--target", folder, "-r", str(LOCK)],
            env={**os.environ, **OLDEST_MACOS},
            capture_output=True,
            text=True,
            check=False,
        )
    resolved = RESOLVED.search(asked.stderr)
    if asked.returncode or resolved is None:
        raise LookupError(asked.stderr)
    return int(resolved[1])


def lock_hash() -> str:
    """What tells one lock from another."""
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def ask(uv: str) -> dict[str, Any]:
    """The record: the lock's hash, and by system and Python how many wheels it comes to."""
    found = {
        name: {python: num_wheels(uv, platform, python) for python in PYTHONS}
        for name, platform in SYSTEMS.items()
    }
    return {"lock": lock_hash(), "wheels": found}


def main() -> int:
    """Ask, and keep the answer; the exit code is 1 where a package has no wheel, or no uv is."""
    uv = find_uv()
    if uv is None:
        sys.stderr.write("This needs uv: install it (pip install -r .ci/uv.txt).\n")
        return 1
    try:
        RECORD.write_text(json.dumps(ask(uv), indent=2) + "\n", encoding="utf-8")
    except LookupError as error:
        sys.stderr.write(f"Not all packages have wheels for every system.\n{error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
