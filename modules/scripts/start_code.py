"""Version of the code that starts scripts: a change may change the results of a script."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PARTS = ("bootstrap.py", "launchers/*.py", "shims/**/*.py", "intake/tracking_*.py")


@cache
def start_code_version() -> int:
    """Return a number above 1 from the hash of the code of bootstrap, launchers and shims.

    As the version of a module's results it changes the keys of that module alone.
    """
    digest = hashlib.sha256()
    for path in sorted({path for part in PARTS for path in FOLDER.glob(part)}):
        digest.update(path.relative_to(FOLDER).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return 2 + int(digest.hexdigest()[:12], 16)
