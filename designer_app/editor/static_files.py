"""Built files of the editor: their location, delivery, and the files of each page."""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC_DIR = Path(__file__).resolve().parent / "static"
STATIC_PATH = "/ui"
HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.(js|css|woff2|svg|map)$")
COMPRESSED = {".js", ".css", ".svg", ".map"}
FOREVER = "public, max-age=31536000, immutable"
ENTRY = "src/main.tsx"
CHARTS_ENTRY = "src/charts.ts"
ARCHIVES_ENTRY = "src/archives.ts"
CAMERA_ENTRY = "src/camera.tsx"


@dataclass(frozen=True)
class _KeptFile:
    content: bytes
    compressed: bytes | None
    media_type: str | None

    def response(self, headers: Headers) -> Response:
        answered = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        if self.compressed is None or "gzip" not in headers.get("accept-encoding", ""):
            return Response(self.content, headers=answered, media_type=self.media_type)
        answered["Content-Encoding"] = "gzip"
        return Response(self.compressed, headers=answered, media_type=self.media_type)


class EditorFiles(StaticFiles):
    """Built editor. Files with a hash in their names never change, and are sent from memory.

    Compressing the largest for each first visit would take 18 ms of processor time while the
    browser waits.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)
        self._kept: dict[str, _KeptFile] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        headers = Headers(scope=scope)
        if scope["method"] == "GET" and HASHED.search(path) and "range" not in headers:
            if path not in self._kept:
                await run_in_threadpool(self._keep, path)
            if path in self._kept:
                return self._kept[path].response(headers)
        response = await super().get_response(path, scope)
        lasting = response.status_code in (200, 304) and HASHED.search(path)
        response.headers["Cache-Control"] = FOREVER if lasting else "no-cache"
        return response

    def _keep(self, path: str) -> None:
        full_path, state = self.lookup_path(path)
        if state is None or not Path(full_path).is_file():
            return
        content = Path(full_path).read_bytes()
        compressed = (
            gzip.compress(content, mtime=0) if Path(full_path).suffix in COMPRESSED else None
        )
        if compressed is not None and len(compressed) >= len(content):
            compressed = None
        self._kept[path] = _KeptFile(content, compressed, mimetypes.guess_type(full_path)[0])


def bundle(static_dir: Path = STATIC_DIR) -> dict[str, Any] | None:
    """Return the addresses of the bundle's script and styles; None if it was not built."""
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
    """Return the address of the script that saves charts as files; None if it was not built."""
    return _script(CHARTS_ENTRY, static_dir)


def archive_bundle(static_dir: Path = STATIC_DIR) -> str | None:
    """Return the address of the script that archives folders; None if it was not built."""
    return _script(ARCHIVES_ENTRY, static_dir)


def _script(entry: str, static_dir: Path) -> str | None:
    try:
        manifest = json.loads((static_dir / "manifest.json").read_text(encoding="utf-8"))
        return f"{STATIC_PATH}/{manifest[entry]['file']}"
    except (OSError, ValueError, KeyError, TypeError):
        return None
