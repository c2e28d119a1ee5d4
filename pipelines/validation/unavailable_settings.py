"""Settings that the format has for features to come: never ignored in silence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pipelines.documents.document import Node, PipelineDocument
from pipelines.problems import SETTING_UNAVAILABLE, Problem
from pipelines.sentences import sub_pipelines as sentences

_RUN_SETTINGS: dict[str, tuple[str, Any]] = {
    "environment": ("Environment", None),
}
"""What cannot be run yet: the setting, its title, and the value that stands for none."""


def unavailable_run_settings(node: Node) -> Iterator[Problem]:
    """One problem for each run setting of a node that nothing runs with yet."""
    for name, (title, none) in _RUN_SETTINGS.items():
        value = getattr(node.run_settings, name)
        if value != none:
            yield Problem.of(
                SETTING_UNAVAILABLE,
                sentences.SETTING_UNAVAILABLE,
                setting=title,
                value=_shown(value),
                node=node.id,
                parameter=name,
                remedy={"clear": name},
            )


def unavailable_sweep(document: PipelineDocument) -> Iterator[Problem]:
    """A problem where the document asks for a search over parameters."""
    sweep = document.settings.sweep
    if sweep is not None:
        said = sentences.SETTING_UNAVAILABLE.about({"setting": "Sweep", "value": _shown(sweep)})
        yield Problem.of(SETTING_UNAVAILABLE, said)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
