"""Settings reserved for future features: never ignored silently."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pipelines.document.document import PipelineDocument
from pipelines.problems import SETTING_UNAVAILABLE, Problem
from pipelines.sentences import sub_pipelines as sentences


def unavailable_sweep(document: PipelineDocument) -> Iterator[Problem]:
    """Report a search over parameters, which is not supported yet."""
    sweep = document.settings.sweep
    if sweep is not None:
        statement = sentences.SETTING_UNAVAILABLE.about(
            {"setting": "Sweep", "value": _shown(sweep)}
        )
        yield Problem.of(SETTING_UNAVAILABLE, statement)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
