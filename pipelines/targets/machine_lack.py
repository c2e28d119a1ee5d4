"""Problem of a machine that cannot run a step, from its output: a line of JSON with ``missing``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from modules.files.json_files import JsonObject
from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say


def answer_of(printed: str) -> JsonObject | None:
    """Return the last line of JSON; output of the login before it is ignored."""
    for line in reversed(printed.splitlines()):
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict):
            return content
    return None


def refusal_of(answer: Mapping[str, Any], folder: object, user: str) -> RefusedError | None:
    """Return why a machine with this answer cannot be used; None if it can."""
    facts = {"host": answer.get("host"), "folder": folder, "why": answer.get("why"), "user": user}
    match answer.get("missing"):
        case "folder":
            return RefusedError(say.FOLDER_ABSENT, **facts)
        case "writing":
            return RefusedError(say.FOLDER_READ_ONLY, **facts)
    return None
