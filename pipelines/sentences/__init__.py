"""Messages of problems and refusals of pipelines, with placeholders for facts."""

from __future__ import annotations

from pathlib import Path

from modules.sentences.sentence import _
from modules.sentences.translation import add_catalogs

__all__ = ["_"]

add_catalogs(Path(__file__).resolve().parents[1] / "locale")
