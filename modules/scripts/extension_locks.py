"""Removal of locks left by a killed build of a torch extension, which block the next one."""

from __future__ import annotations

from pathlib import Path

from modules.operating_system.orphans import is_in_use

NAMES = ("lock", ".ninja_lock")


def remove_stale_locks(extensions_dir: Path) -> list[Path]:
    """Remove abandoned locks below a ``TORCH_EXTENSIONS_DIR``; return their paths."""
    locks = [path for name in NAMES for path in extensions_dir.rglob(name)]
    if not locks or is_in_use("TORCH_EXTENSIONS_DIR", str(extensions_dir)):
        return []
    for path in locks:
        path.unlink(missing_ok=True)
    return locks
