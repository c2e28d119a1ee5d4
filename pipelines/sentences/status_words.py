"""States of runs and nodes in the language of the user."""

from __future__ import annotations

from modules.sentences.sentence import _

WORDS = {
    "not started": _("not started"),
    "queued": _("queued"),
    "preparing": _("preparing"),
    "running": _("running"),
    "finalising": _("finalising"),
    "stalled": _("stalled"),
    "cancelling": _("cancelling"),
    "completed": _("completed"),
    "reused": _("reused"),
    "pinned": _("pinned"),
    "failed": _("failed"),
    "cancelled": _("cancelled"),
    "skipped": _("skipped"),
    "planned": _("planned"),
    "interrupted": _("interrupted"),
    "paused": _("paused"),
    "stopping": _("stopping"),
    "stopped": _("stopped"),
}


def status_words(status: str) -> str:
    """Return the words for a recorded state."""
    return WORDS.get(status, status)
