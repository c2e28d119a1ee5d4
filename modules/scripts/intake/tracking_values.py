"""Validated values of a request to the tracking address, and errors in MLflow's form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

STATUS = {
    "RESOURCE_DOES_NOT_EXIST": 404,
    "ENDPOINT_NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL_ERROR": 500,
}
"""HTTP status by MLflow's codes; every other one is 400."""
MAX_TEXT = 8_000
"""Maximum characters of a value, MLflow's own limit for tags; longer ones are truncated."""
MAX_KEY = 250

Body = Mapping[str, Any]
"""JSON object of a request."""
Reply = Mapping[str, object]
"""JSON object of a response in MLflow's form."""


class TrackingError(Exception):
    """An error for a client in MLflow's form: a code and a sentence."""

    def __init__(self, code: str, statement: Statement) -> None:
        super().__init__(code)
        self.code = code
        self.status = STATUS.get(code, 400)
        self.statement = statement

    @property
    def reply(self) -> Reply:
        """Return the error in MLflow's form."""
        return {"error_code": self.code, "message": str(self.statement)}


def invalid(name: str, wanted: str) -> TrackingError:
    """Return the error for an invalid value."""
    facts = say.TRACKING_VALUE.about({"name": name, "wanted": wanted})
    return TrackingError("INVALID_PARAMETER_VALUE", facts)


def parsed(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of a body, empty for none; raise ``TrackingError``."""
    try:
        body = json.loads(raw) if raw else {}
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise TrackingError("INVALID_PARAMETER_VALUE", say.TRACKING_NOT_JSON.about({}))
    return body


def text(body: Body, name: str, default: str | None = None, *, most: int = MAX_TEXT) -> str:
    """Return a text of the request, truncated to ``most`` characters; raise ``TrackingError``."""
    value = body.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise invalid(name, "a text")
    return value[:most]


def key(body: Body, name: str = "key") -> str:
    """Return the name of a metric, a parameter or a tag; raise ``TrackingError``."""
    value = text(body, name, most=MAX_KEY + 1)
    if not 0 < len(value) <= MAX_KEY:
        raise invalid(name, f"a name of 1 to {MAX_KEY} characters")
    return value


def number(body: Body, name: str) -> float:
    """Return a number; NaN and infinity are sent as texts. Raises ``TrackingError``."""
    value = body.get(name)
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise invalid(name, "a number")
        return float(value)
    except (ValueError, OverflowError):
        raise invalid(name, "a number") from None


def whole_number(body: Body, name: str) -> int:
    """Return a whole number, 0 if absent; large ones may be texts. Raises ``TrackingError``."""
    value = number({name: body.get(name) or 0}, name)
    if not math.isfinite(value) or value != int(value):
        raise invalid(name, "a whole number")
    return int(value)


def entries(body: Body, name: str) -> list[Body]:
    """Return a list of objects, empty if there is none; raise ``TrackingError``."""
    value = body.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise invalid(name, "a list of objects")
    return value


def number_to_json(value: float) -> float | str:
    """Return a number in the JSON form of protocol buffers, as JSON has no NaN and infinity."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
