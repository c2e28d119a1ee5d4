"""Pictures in the body of a request: a raw image, multipart files, or base64 text in JSON."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from designer_app.errors import ApiError
from designer_app.serving import sentences
from designer_app.serving.settings import ServingLimits
from pipelines.document import strict_json
from pipelines.problems import PipelineError

RAW_TYPES = ("image/", "application/octet-stream")


@dataclass(frozen=True)
class SentPictures:
    """Files of the pictures of a request, and whether the answer is a list."""

    files: list[bytes]
    as_list: bool


async def read_pictures(request: Request, limits: ServingLimits) -> SentPictures:
    """Return the pictures of a request for ``/score``; raises ``ApiError``."""
    content_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if content_type == "multipart/form-data":
        sent = SentPictures(files := await _multipart(request, limits), len(files) > 1)
    elif content_type == "application/json":
        sent = _from_json(parsed_json(await request.body()))
    elif content_type.startswith(RAW_TYPES):
        body = await request.body()
        sent = SentPictures([body] if body else [], as_list=False)
    else:
        sent_type = content_type[:100] or "none"
        raise ApiError(415, "wrong_content_type", sentences.BODY_TYPE, given=sent_type)
    require_some(sent.files, limits)
    return sent


def require_some(files: list[bytes], limits: ServingLimits) -> None:
    """Raise ``ApiError`` unless a request has one picture or more, and not too many."""
    if not files:
        raise ApiError(422, "no_picture", sentences.NO_PICTURE_SENT)
    if len(files) > limits.request_pictures:
        raise _too_many(len(files), limits)


def _too_many(count: int, limits: ServingLimits) -> ApiError:
    said, most = sentences.TOO_MANY_IMAGES_SENT, limits.request_pictures
    return ApiError(413, "too_many_pictures", said, count=count, most=most)


async def _multipart(request: Request, limits: ServingLimits) -> list[bytes]:
    try:
        async with request.form(
            max_files=limits.request_pictures, max_fields=100, max_part_size=2**20
        ) as form:
            parts = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
            return [await part.read() for part in parts]
    except HTTPException as error:
        if "Too many files" in str(error.detail):
            raise _too_many(limits.request_pictures + 1, limits) from None
        raise ApiError(400, "bad_multipart", sentences.BODY_MULTIPART) from None


def _from_json(body: Any) -> SentPictures:
    """Return the pictures of ``{"image": TEXT}`` or ``{"instances": [TEXT, ...]}``."""
    if not isinstance(body, dict):
        raise bad_json("an object is expected")
    if isinstance(body.get("image"), str):
        return SentPictures([decoded(body["image"], 1)], as_list=False)
    instances = body.get("instances")
    if not isinstance(instances, list):
        raise bad_json("image or instances is expected")
    texts = [item.get("image") if isinstance(item, dict) else item for item in instances]
    encoded = [text for text in texts if isinstance(text, str)]
    if len(encoded) < len(texts):
        raise bad_json("instances must be base64 texts")
    files = [decoded(text, number) for number, text in enumerate(encoded, 1)]
    return SentPictures(files, as_list=True)


def decoded(text: str, number: int) -> bytes:
    """Return the bytes of base64 text, also of a ``data:`` address; raises ``ApiError``."""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ApiError(422, "not_base64", sentences.NOT_BASE64, number=number) from None


def parsed_json(body: bytes) -> Any:
    """Parse JSON without NaN, duplicate keys or deep nesting; raises ``ApiError``."""
    try:
        return strict_json.parse_checked(body)
    except PipelineError:
        raise bad_json("not valid JSON") from None


def bad_json(why: str) -> ApiError:
    """Return the response to a JSON body of another form."""
    return ApiError(400, "bad_json", sentences.BODY_JSON, why=why)
