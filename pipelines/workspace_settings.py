"""What a workspace's ``designer.toml`` says, unless the environment does: which database it has."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pipelines.errors import SettingsUnreadableError
from pipelines.sentences import places

FILE = "designer.toml"
DATABASE_VARIABLE = "DESIGNER_DATABASE_URL"


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


def _settings(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        # Neither kind quotes the file: a password may stand in it.
        raise SettingsUnreadableError(path, str(error)) from None
