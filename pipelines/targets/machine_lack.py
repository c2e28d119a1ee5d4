"""What a machine lacks for a step, by what was printed there: a line of JSON with ``missing``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say


def answer_of(printed: str) -> dict[str, Any] | None:
    """The last line of JSON: what a login prints before is none of it."""
    for line in reversed(printed.splitlines()):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    return None


def refusal_of(answer: Mapping[str, Any], folder: object, user: str) -> RefusedError | None:
    """Why a machine that answered so cannot be used; None where it can."""
    facts = {"host": answer.get("host"), "folder": folder, "why": answer.get("why"), "user": user}
    match answer.get("missing"):
        case "folder":
            return RefusedError(say.FOLDER_ABSENT, **facts)
        case "writing":
            return RefusedError(say.FOLDER_READ_ONLY, **facts)
    return None
