"""Endpoint for thumbnails of an output's images, one sheet per request."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.artifacts import folder_of
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.errors import ApiError
from modules.json_model import JsonModel
from pipelines.inspection.images import group, opened
from pipelines.inspection.thumbnails import COLUMNS, EDGE, MAX_AT_ONCE, Thumbnail, sheet

A_DAY = "private, max-age=86400, immutable"
"""Cache lifetime: outputs never change, and their ids are never reused."""
LISTED = re.compile(rf"[0-9]{{1,9}}(,[0-9]{{1,9}}){{0,{MAX_AT_ONCE - 1}}}")


class ThumbnailSheet(JsonModel):
    """Sheet of thumbnails in rows of ``columns``, each ``edge`` pixels wide."""

    picture: str = Field(description="WebP image as a data: URL.")
    columns: int
    edge: int
    images: tuple[Thumbnail, ...]


@ApiEndpoint(
    "GET",
    "/api/artifacts/{artifact_id}/{port}/thumbnails",
    gives=ThumbnailSheet,
    query={
        "group": "0: all images; k: class number k - 1; the last one: unlabelled images.",
        "offset": "Number of images of the group to skip.",
        "count": f"How many, at most {MAX_AT_ONCE}.",
        "indices": "Rows of the directory, separated by commas, instead of a group.",
    },
    errors=(400, 404, 422),
)
def _thumbnails(application: Application, call: Call) -> Reply:
    """Small previews of images on one sheet: of a group, or of listed rows."""
    folder = folder_of(application, call)
    listed = call.query.get("indices")
    indices = _of_group(call, folder) if listed is None else _listed(listed, folder)
    made = sheet(folder, indices)
    content = ThumbnailSheet(
        picture=made.address, columns=COLUMNS, edge=EDGE, images=made.thumbnails
    )
    return Reply(content, headers={"Cache-Control": A_DAY})


def _of_group(call: Call, folder: Path) -> list[int]:
    start = call.number("offset", 0)
    count = call.number("count", MAX_AT_ONCE, largest=MAX_AT_ONCE)
    return [int(index) for index in group(folder, call.number("group", 0))[start : start + count]]


def _listed(text: str, folder: Path) -> list[int]:
    num_rows = len(opened(folder).images)
    indices = [int(index) for index in text.split(",")] if LISTED.fullmatch(text) else []
    if not indices or max(indices) >= num_rows:
        raise ApiError(
            400, "invalid_request", sentences.NO_INDICES, most=MAX_AT_ONCE, count=num_rows
        )
    return indices


ENDPOINTS = (_thumbnails,)
