"""Whether requirements.lock fits pyproject.toml, told without resolving and without a network."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
ENTRY = re.compile(r"^(?P<requirement>[A-Za-z0-9][^\\\n]*?)[ ]*\\?$")


def declared_requirements(pyproject: Path) -> list[Requirement]:
    """What pyproject.toml asks for: to run, in every extra, and to build."""
    content = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    project = content["project"]
    texts = [*content["build-system"]["requires"], *project["dependencies"]]
    for extra in project.get("optional-dependencies", {}).values():
        texts.extend(extra)
    return [Requirement(text) for text in texts]


def locked_requirements(lock: Path) -> list[tuple[Requirement, int]]:
    """Each entry of a lock file with its number of hashes."""
    entries: list[tuple[Requirement, int]] = []
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("--hash=sha256:"):
            requirement, num_hashes = entries[-1]
            entries[-1] = (requirement, num_hashes + 1)
        elif found := ENTRY.match(line):
            entries.append((Requirement(found["requirement"]), 0))
    return entries


def find_lock_problems(pyproject: Path, lock: Path) -> list[str]:
    """A sentence for each requirement the lock does not meet, each entry it cannot vouch for."""
    pinned: dict[str, list[str]] = defaultdict(list)
    problems = []
    for requirement, num_hashes in locked_requirements(lock):
        pins = [one for one in requirement.specifier if one.operator == "=="]
        if len(pins) != 1 or requirement.url:
            problems.append(f"{requirement} is not pinned to one version.")
            continue
        if not num_hashes:
            problems.append(f"{requirement} has no hash.")
        pinned[canonicalize_name(requirement.name)].append(pins[0].version)
    for requirement in declared_requirements(pyproject):
        versions = pinned[canonicalize_name(requirement.name)]
        if not versions:
            problems.append(f"{requirement.name} is asked for, but is not locked.")
        problems += [
            f"{requirement} is asked for, but {version} is locked."
            for version in versions
            if not requirement.specifier.contains(version, prereleases=True)
        ]
    return problems


def main() -> int:
    """Print the problems of this checkout's lock; the exit code is 1 where there are any."""
    problems = find_lock_problems(ROOT / "pyproject.toml", ROOT / "requirements.lock")
    for problem in problems:
        sys.stderr.write(f"requirements.lock: {problem}\n")
    if problems:
        sys.stderr.write("Run make lock, and commit requirements.lock with pyproject.toml.\n")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
