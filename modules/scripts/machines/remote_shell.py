"""Replacement of ``ssh`` for mpirun: ``remote_shell.py ADDRESS COMMAND...``.

The machine of that address starts the command, which is Open MPI's own daemon, like everything
else; this process lasts as long. The folder of the machines is in ``DESIGNER_MACHINES``. Only the
standard library is used, as it is run by its path.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

POLL_SECONDS = 0.05


def main() -> None:
    """Run the command, and exit with its result."""
    folder = Path(os.environ["DESIGNER_MACHINES"])
    address, command = sys.argv[1], " ".join(sys.argv[2:])
    node, number = _node_of(folder, address), f"shell{os.getpid()}"
    like = json.loads((folder / "shell.json").read_text(encoding="utf-8"))
    request = {**like, "argv": ["/bin/sh", "-c", command]}
    _put(folder / f"start-{node}-{number}.json", request)
    signal.signal(signal.SIGTERM, lambda *_: (folder / f"signal-{number}-15").touch())
    sys.exit(_end_of(folder, f"end-{number}.json"))


def _node_of(folder: Path, address: str) -> int:
    for path in folder.glob("node-*.json"):
        if json.loads(path.read_text(encoding="utf-8"))["address"] == address:
            return int(path.stem.removeprefix("node-"))
    sys.exit(f"{address} is not a machine of this step.")


def _put(path: Path, content: Mapping[str, object]) -> None:
    """Write a file atomically."""
    temporary = path.with_name(f".{path.name}")
    temporary.write_text(json.dumps(content), encoding="utf-8")
    temporary.replace(path)


def _end_of(folder: Path, name: str) -> int:
    while name not in os.listdir(folder):
        time.sleep(POLL_SECONDS)
    code = int(json.loads((folder / name).read_text(encoding="utf-8"))["code"])
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    main()
