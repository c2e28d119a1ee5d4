"""Chosen cell of a confusion matrix: clicked in the chart or selected from a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.translation import _
from designer_app.viewers.viewed_output import ViewedOutput
from modules.formatting import format_count

if TYPE_CHECKING:
    import pandas as pd

MOST_LISTED = 200
"""Limit of mistakes in the list, most frequent first."""

Pair = tuple[str, str]
"""Actual and predicted class."""


@dataclass(frozen=True)
class Listed:
    """Last choice from the list; a chart with another ``turn`` is a new one."""

    turn: int = 0
    pair: Pair | None = None


@dataclass(frozen=True)
class ChosenCell:
    """Choice in one matrix, kept between visits of the page."""

    subject: ViewedOutput
    suffix: str

    @property
    def listed(self) -> Listed:
        """Return the initial selection of the chart."""
        kept = st.session_state.get(self._key("listed"))
        return kept if isinstance(kept, Listed) else Listed()

    def ask(self, cells: pd.DataFrame, drawing: Any, selection: str) -> Pair | None:
        """Draw the list next to the matrix; return the cell clicked or chosen last."""
        key = self._key("cell")
        images = _images_of(cells)
        clicked = _clicked(drawing, selection)
        if clicked is not None:
            st.session_state[key] = clicked
        listed = _listed(images)
        chosen = st.session_state.get(key)
        if chosen is not None and chosen not in listed:
            listed.append(chosen)

        def take() -> None:
            turn = self.listed.turn + 1
            st.session_state[self._key("listed")] = Listed(turn, st.session_state[key])

        return st.selectbox(
            _("Images of a cell"),
            listed,
            index=None,
            placeholder=_("Click a cell or select one here"),
            format_func=lambda pair: _words(pair, images.get(pair, 0)),
            key=key,
            on_change=take,
        )

    def _key(self, part: str) -> str:
        return self.subject.name(f"confusion{self.suffix}-{part}")


def _clicked(drawing: Any, selection: str) -> Pair | None:
    picked = (drawing or {}).get("selection", {}).get(selection) or []
    return (str(picked[0]["actual"]), str(picked[0]["predicted"])) if picked else None


def _images_of(cells: pd.DataFrame) -> dict[Pair, int]:
    """Return the number of images by cell, largest first."""
    names = [cells["actual"].astype(str), cells["predicted"].astype(str)]
    return {
        (actual, predicted): int(images)
        for actual, predicted, images in zip(*names, cells["count"], strict=True)
    }


def _listed(images: Iterable[Pair]) -> list[Pair]:
    """Return the cells with mistakes first."""
    pairs = list(images)
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    return wrong[:MOST_LISTED] + [pair for pair in pairs if pair[0] == pair[1]]


def _words(pair: Pair, images: int) -> str:
    actual, predicted = pair
    said = (
        _("{actual}, correct", actual=actual)
        if actual == predicted
        else _("{actual} predicted as {predicted}", actual=actual, predicted=predicted)
    )
    return f"{said}: {format_count(images)}"
