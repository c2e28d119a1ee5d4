"""Requests about datasets."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel


class FolderRequest(JsonModel):
    """Folder or archive on this server."""

    path: str = Field(min_length=1, max_length=4096)
    name: str | None = Field(None, max_length=100)
