"""Objects of the dataset endpoints."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class DatasetClass(Shape):
    name: str
    images: int


class DatasetPreview(Shape):
    """Contents of a folder or archive according to its file names; no image is read."""

    images: int
    num_bytes: int
    classes: list[DatasetClass] = Field(description="The largest first, at most 200.")
    num_classes: int
    notice: str | None = Field(
        None, description="Notes, such as the parts found and files that are not read."
    )


class DatasetEntry(Shape):
    name: str
    versions: list[int]
    source: str = Field(description="Value for the source of Import Images.")
    preview: DatasetPreview | None = Field(description="Of the newest version.")


class DatasetList(Shape):
    datasets: list[DatasetEntry]
    allowed_roots: list[str]
    max_upload_bytes: int


class FolderRequest(Shape):
    """Folder or archive on this server."""

    path: str = Field(min_length=1, max_length=4096)
    name: str | None = Field(None, max_length=100)


class DatasetCreated(Shape):
    name: str
    version: int
    source: str
    preview: DatasetPreview
