"""Settings in a workspace's ``designer.toml``: its database and object store."""

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
    """Return ``$DESIGNER_DATABASE_URL``, ``database`` in ``designer.toml``, or SQLite's file.

    It may contain a password: only for the store. Raises ``SettingsUnreadableError``.
    """
    chosen = os.environ.get(DATABASE_VARIABLE) or _settings(root / FILE).get("database")
    if chosen is None:
        return file_url(root)
    if not isinstance(chosen, str):
        raise SettingsUnreadableError(root / FILE, places.DATABASE_NO_TEXT.about({}))
    return chosen


def file_url(root: Path) -> str:
    """Return the address of the SQLite file of a workspace without other settings."""
    return f"sqlite:///{root / 'designer.db'}"


def artifacts_address(root: Path) -> str | None:
    """Return the object store in ``artifacts``; None: outputs are in the workspace's folder.

    Raises ``SettingsUnreadableError``.
    """
    chosen = _settings(root / FILE).get("artifacts")
    if chosen is not None and not isinstance(chosen, str):
        raise SettingsUnreadableError(root / FILE, object_stores.NO_TEXT.about({}))
    return chosen


def artifacts_cache_bytes(root: Path) -> int:
    """Return the limit of local copies of an object store's content.

    Raises ``SettingsUnreadableError``.
    """
    return _cache_bytes(root, "artifacts_cache_gb")


def shards_cache_bytes(root: Path) -> int:
    """Return the limit of a machine's cache for shards in object stores.

    Raises ``SettingsUnreadableError``.
    """
    return _cache_bytes(root, "shards_cache_gb")


def _cache_bytes(root: Path, name: str) -> int:
    chosen = _settings(root / FILE).get(name, DEFAULT_CACHE_GB)
    if isinstance(chosen, bool) or not isinstance(chosen, int | float) or not 0 < chosen < 1e9:
        raise SettingsUnreadableError(root / FILE, object_stores.NO_SIZE.about({"name": name}))
    return int(chosen * 10**9)


def settings_stamp(root: Path) -> tuple[int, int] | None:
    """Return a value that changes when ``designer.toml`` does; None without the file."""
    try:
        facts = (root / FILE).stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size


def _settings(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):  # the latter is reported when it is opened
        return {}
    except (OSError, ValueError) as error:
        raise SettingsUnreadableError(path, str(error)) from None
    import tomllib  # most workspaces have no such file, and commands start often

    try:
        return tomllib.loads(text)
    except ValueError as error:
        # The message does not quote the file, like the one above: it may contain a password.
        raise SettingsUnreadableError(path, str(error)) from None
    except RecursionError as error:
        raise SettingsUnreadableError(path, str(error)) from None
