"""What a workspace's ``designer.toml`` says: which database it has, where its outputs lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pipelines.errors import SettingsUnreadableError
from pipelines.sentences import object_stores, places

FILE = "designer.toml"
DATABASE_VARIABLE = "DESIGNER_DATABASE_URL"
DEFAULT_CACHE_GB = 50


def database_url(root: Path) -> str:
    """``$DESIGNER_DATABASE_URL``, else ``database`` in ``designer.toml``, else an SQLite file.

    It may hold a password: it is for the store alone. Raises ``SettingsUnreadableError``.
    """
    chosen = os.environ.get(DATABASE_VARIABLE) or _settings(root / FILE).get("database")
    if chosen is None:
        return file_url(root)
    if not isinstance(chosen, str):
        raise SettingsUnreadableError(root / FILE, places.DATABASE_NO_TEXT.about({}))
    return chosen


def file_url(root: Path) -> str:
    """The SQLite file that a workspace has where it names no other database."""
    return f"sqlite:///{root / 'designer.db'}"


def artifacts_address(root: Path) -> str | None:
    """The object store that ``artifacts`` names; None: outputs lie in the workspace's folder.

    Raises ``SettingsUnreadableError``.
    """
    chosen = _settings(root / FILE).get("artifacts")
    if chosen is not None and not isinstance(chosen, str):
        raise SettingsUnreadableError(root / FILE, object_stores.NO_TEXT.about({}))
    return chosen


def artifacts_cache_bytes(root: Path) -> int:
    """How much of what an object store has may lie in the workspace's folder too.

    Raises ``SettingsUnreadableError``.
    """
    return _cache_bytes(root, "artifacts_cache_gb")


def shards_cache_bytes(root: Path) -> int:
    """How much of the shards in object stores a machine keeps.

    Raises ``SettingsUnreadableError``.
    """
    return _cache_bytes(root, "shards_cache_gb")


def _cache_bytes(root: Path, name: str) -> int:
    chosen = _settings(root / FILE).get(name, DEFAULT_CACHE_GB)
    if isinstance(chosen, bool) or not isinstance(chosen, int | float) or not 0 < chosen < 1e9:
        raise SettingsUnreadableError(root / FILE, object_stores.NO_SIZE.about({"name": name}))
    return int(chosen * 10**9)


def settings_stamp(root: Path) -> tuple[int, int] | None:
    """What changes when ``designer.toml`` does; None where there is none."""
    try:
        facts = (root / FILE).stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size


def _settings(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):  # the latter is told where it is opened
        return {}
    except (OSError, ValueError) as error:
        raise SettingsUnreadableError(path, str(error)) from None
    import tomllib  # most workspaces have no such file, and commands start often

    try:
        return tomllib.loads(text)
    except ValueError as error:
        # It does not quote the file, nor does the one above: a password may stand in it.
        raise SettingsUnreadableError(path, str(error)) from None
    except RecursionError as error:
        raise SettingsUnreadableError(path, str(error)) from None
