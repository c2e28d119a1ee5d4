"""Outputs: their files and thumbnails of their images."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class FileEntry(Shape):
    """File of an output, with its relative path."""

    path: str
    num_bytes: int


class FileList(Shape):
    files: list[FileEntry]
    num_files: int


class ThumbnailEntry(Shape):
    """Image on a sheet; ``index`` is its row in the image directory."""

    index: int
    path: str
    label: str | None
    shown: bool = Field(description="False if the file cannot be read.")


class ThumbnailSheet(Shape):
    """Sheet of thumbnails in rows of ``columns``, each ``edge`` pixels wide."""

    picture: str = Field(description="WebP image as a data: URL.")
    columns: int
    edge: int
    images: list[ThumbnailEntry]
