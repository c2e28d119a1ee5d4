"""Outputs: their files and small pictures of their images."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class FileEntry(Shape):
    """A file of an output, by its path in it."""

    path: str
    num_bytes: int


class FileList(Shape):
    files: list[FileEntry]
    num_files: int


class ThumbnailEntry(Shape):
    """An image on a sheet; ``index`` is its row in the directory."""

    index: int
    path: str
    label: str | None
    shown: bool = Field(description="False where the file cannot be read.")


class ThumbnailSheet(Shape):
    """Small pictures in rows of so many columns, so many pixels apart."""

    picture: str = Field(description="A data: address of a WebP picture.")
    columns: int
    edge: int
    images: list[ThumbnailEntry]
