"""Objects of the product as the JSON values that commands and the HTTP API send."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_jsonable_python


def as_json(content: object) -> Any:
    """Return models and dataclasses as JSON values."""
    return to_jsonable_python(content, by_alias=True)
