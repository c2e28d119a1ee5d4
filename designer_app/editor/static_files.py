"""The editor's built files: where they lie, how they are served, which ones a page loads."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC_DIR = Path(__file__).resolve().parent / "static"
STATIC_PATH = "/ui"
HASHED = re.compile(r"-[A-Za-z0-9_-]{8,}\.(js|css|woff2|svg|map)$")
FOREVER = "public, max-age=31536000, immutable"
ENTRY = "src/main.tsx"
CHARTS_ENTRY = "src/charts.ts"
ARCHIVES_ENTRY = "src/archives.ts"


class EditorFiles(StaticFiles):
    """The built editor: a file with its hash in its name never changes."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        lasting = response.status_code in (200, 304) and HASHED.search(path)
        response.headers["Cache-Control"] = FOREVER if lasting else "no-cache"
        return response


def bundle(static_dir: Path = STATIC_DIR) -> dict[str, Any] | None:
    """The addresses of the built bundle's script and styles; None when it was not built."""
    try:
        manifest = json.loads((static_dir / "manifest.json").read_text(encoding="utf-8"))
        entry = manifest[ENTRY]
        files = [entry["file"], *entry.get("css", [])]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not all((static_dir / file).is_file() for file in files):
        return None
    return {
        "js": f"{STATIC_PATH}/{files[0]}",
        "css": [f"{STATIC_PATH}/{file}" for file in files[1:]],
    }


def chart_bundle(static_dir: Path = STATIC_DIR) -> str | None:
    """The address of the script that keeps charts as files; None when it was not built."""
    return _script(CHARTS_ENTRY, static_dir)


def archive_bundle(static_dir: Path = STATIC_DIR) -> str | None:
    """The address of the script that makes archives of folders; None when it was not built."""
    return _script(ARCHIVES_ENTRY, static_dir)


def _script(entry: str, static_dir: Path) -> str | None:
    try:
        manifest = json.loads((static_dir / "manifest.json").read_text(encoding="utf-8"))
        return f"{STATIC_PATH}/{manifest[entry]['file']}"
    except (OSError, ValueError, KeyError, TypeError):
        return None
