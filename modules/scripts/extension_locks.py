"""Locks that a killed build of a torch extension left: the next one would wait on them for ever."""

from __future__ import annotations

from pathlib import Path

from modules.operating_system.orphans import is_in_use

NAMES = ("lock", ".ninja_lock")


def remove_stale_locks(extensions_dir: Path) -> list[Path]:
    """Remove the locks below a ``TORCH_EXTENSIONS_DIR`` that no process has; gives their paths."""
    found = [path for name in NAMES for path in extensions_dir.rglob(name)]
    if not found or is_in_use("TORCH_EXTENSIONS_DIR", str(extensions_dir)):
        return []
    for path in found:
        path.unlink(missing_ok=True)
    return found
