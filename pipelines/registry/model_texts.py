"""Rules for names, aliases and descriptions of registered models."""

from __future__ import annotations

import re

from modules.sentences.sentence import Sentence
from pipelines.errors import RefusedError
from pipelines.sentences import refusals

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MAX_DESCRIPTION = 20_000
MAX_REASON = 1000


def _check_name(text: str, otherwise: Sentence) -> None:
    if NAME.fullmatch(text) is None:
        raise RefusedError(otherwise, text=text[:80])


def check_alias(alias: str) -> None:
    """Raise ``RefusedError`` for an invalid alias; a number would be read as a version."""
    _check_name(alias, refusals.NO_ALIAS_NAME)
    if alias.isdecimal():
        raise RefusedError(refusals.ALIAS_IS_NUMBER, alias=alias)


def check_reason(reason: str) -> None:
    """Raise ``RefusedError`` for a reason that is too long."""
    if len(reason) > MAX_REASON:
        raise RefusedError(refusals.REASON_LENGTH, most=MAX_REASON)


def check_texts(name: str, description: str | None, alias: str | None) -> None:
    """Raise ``RefusedError`` for an invalid name, description or alias of a model."""
    _check_name(name, refusals.NO_MODEL_NAME)
    check_lengths(description)
    if alias is not None:
        check_alias(alias)


def check_lengths(*texts: str | None) -> None:
    """Raise ``RefusedError`` for a description that is too long."""
    if any(text is not None and len(text) > MAX_DESCRIPTION for text in texts):
        raise RefusedError(refusals.DESCRIPTION_LENGTH, most=MAX_DESCRIPTION)
