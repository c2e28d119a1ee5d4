"""Older Pythons of this machine, as environments without packages."""

from __future__ import annotations

import pytest

from modules.context import ScriptEnvironment
from pipelines.environments.interpreters import find_interpreter


def older_environment(version: str) -> ScriptEnvironment:
    """The Python of that version as an environment; skips the test where there is none."""
    found = find_interpreter(version)
    if found is None:
        pytest.skip(f"there is no Python {version} on this machine")
    return ScriptEnvironment(f"python-{version}@1", version, found.path, found.path.parent)
