"""Relocking of the curated environments: ``python -m pipelines.environments.relock``.

Part of ``make lock``: they contain the torch of the project's own lock.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from pipelines.environments.curated_environments import FOLDER
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.resolver import resolve


def relock(path: Path, root: Path) -> bool:
    """Resolve the lock of one file again for every system; return True if it has changed.

    Its version is incremented: a named version never changes.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    record = EnvironmentRecord.from_json({"key": "", "lock": "", **content})
    names = EnvironmentDefinition.__dataclass_fields__
    definition = EnvironmentDefinition(**{name: getattr(record, name) for name in names})
    lock = resolve(definition, root, universal=True).lock
    if lock == record.lock:
        return False
    content |= {"lock": lock, "version": record.version + (1 if record.lock else 0)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return True


def main() -> None:
    """Relock all curated environments and print which ones changed."""
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(FOLDER.glob("*.json")):
            print(f"{path.stem}: {'locked again' if relock(path, Path(folder)) else 'unchanged'}")


if __name__ == "__main__":
    main()
