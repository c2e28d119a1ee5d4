"""The confusion matrix: counts or rates, and the pictures behind each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.screens.text import plain
from designer_app.viewers.charts import draw
from designer_app.viewers.gallery import MAX_LISTED, gallery_of_rows
from designer_app.viewers.subject import Subject
from pipelines.looking import evaluation
from pipelines.looking.images import index_of

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

MAX_NAMED = 40
"""Classes that have their names at the edges and their numbers in the cells."""
SHORT_NAME = 8
CELL = "cell"
COUNTS, RATES = "Counts", "Rates"


def show_confusion(subject: Subject, suffix: str) -> None:
    """Draw the matrix; a click on a cell shows its images below."""
    cells = evaluation.confusion(subject.folder, suffix)
    names = evaluation.classes(subject.folder, suffix)
    chosen = st.segmented_control(
        "Numbers",
        [COUNTS, RATES],
        default=COUNTS,
        required=True,
        key=subject.name("confusion-numbers"),
        label_visibility="collapsed",
    )
    as_rates = chosen == RATES
    chart = (
        _named(cells, names, as_rates) if len(names) <= MAX_NAMED else _wide(cells, names, as_rates)
    )
    part = f"confusion{suffix}-{'rates' if as_rates else 'counts'}"
    told = draw(subject, part, chart, cells, selects=CELL)
    if len(cells) == evaluation.MAX_PAIRS:
        st.caption(f"The {evaluation.MAX_PAIRS:,} fullest cells.")
    _images(subject, suffix, told)


def _named(cells: pd.DataFrame, names: list[str], as_rates: bool) -> Any:
    import altair as alt

    value, strong = ("rate", 0.5) if as_rates else ("count", float(cells["count"].max()) * 0.3)
    angle = 0 if max(map(len, names)) <= SHORT_NAME else -40
    across = alt.X(
        "predicted:N",
        sort=names,
        title="Predicted",
        axis=alt.Axis(labelLimit=120, labelAngle=angle),
        scale=alt.Scale(domain=names),
    )
    down = alt.Y(
        "actual:N",
        sort=names,
        title="Actual",
        axis=alt.Axis(labelLimit=160),
        scale=alt.Scale(domain=names),
    )
    picked = alt.selection_point(name=CELL, fields=["actual", "predicted"], empty=False)
    base = alt.Chart(cells)
    boxes = base.mark_rect(cursor="pointer").encode(
        x=across,
        y=down,
        color=_shade(as_rates),
        stroke=alt.condition(picked, alt.value("#e0a93f"), alt.value(None)),
        strokeWidth=alt.value(3),
        tooltip=_tooltip(),
    )
    words = base.mark_text(fontSize=11).encode(
        x=across,
        y=down,
        text=alt.Text(f"{value}:Q", format=".0%" if as_rates else ",d"),
        color=alt.condition(alt.datum[value] > strong, alt.value("#ffffff"), alt.value("#1b2330")),
    )
    height = max(220, min(720, 36 * len(names)))
    return alt.layer(boxes.add_params(picked), words).properties(height=height)


def _wide(cells: pd.DataFrame, names: list[str], as_rates: bool) -> Any:
    """By place instead of name: hundreds of names at an edge could not be read."""
    import altair as alt

    placed = cells.assign(right=cells["column"] + 1, below=cells["row"] + 1)
    scale = alt.Scale(domain=[0, len(names)], nice=False)
    picked = alt.selection_point(name=CELL, fields=["actual", "predicted"], empty=False)
    return (
        alt.Chart(placed)
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("column:Q", title="Predicted, class number", scale=scale),
            x2="right:Q",
            y=alt.Y(
                "row:Q",
                title="Actual, class number",
                scale=alt.Scale(domain=[0, len(names)], nice=False, reverse=True),
            ),
            y2="below:Q",
            color=_shade(as_rates),
            tooltip=_tooltip(),
        )
        .add_params(picked)
        .properties(height=720)
    )


def _shade(as_rates: bool) -> alt.Color:
    import altair as alt

    if as_rates:
        scale = alt.Scale(scheme="blues", domain=[0, 1])
        return alt.Color("rate:Q", title="Rate", scale=scale)
    return alt.Color("count:Q", title="Images", scale=alt.Scale(scheme="blues", type="sqrt"))


def _tooltip() -> list[Any]:
    import altair as alt

    return [
        alt.Tooltip("actual:N", title="Actual"),
        alt.Tooltip("predicted:N", title="Predicted"),
        alt.Tooltip("count:Q", title="Images", format=",d"),
        alt.Tooltip("rate:Q", title="Of the actual class", format=".1%"),
    ]


def _images(subject: Subject, suffix: str, told: Any) -> None:
    picked = (told or {}).get("selection", {}).get(CELL) or []
    if not picked:
        st.caption("Click a cell to see its images.")
        return
    actual, predicted = str(picked[0]["actual"]), str(picked[0]["predicted"])
    scored = evaluation.scored_input(subject.lineage, subject.node, suffix)
    directory = subject.lineage.dataset_of(scored)
    if scored is None or directory is None:
        st.info("The images of this cell are gone: run the nodes before this one again.")
        return
    paths = evaluation.paths_of_cell(scored.folder, actual, predicted)
    found = [index_of(directory.folder, path) for path in paths[:MAX_LISTED]]
    indices = [index for index in found if index is not None]
    what = "predicted rightly" if actual == predicted else f"predicted as {predicted}"
    st.markdown(f"**{len(paths):,}** of {plain(actual)}, {plain(what)}; the surest first")
    gallery_of_rows(subject, directory.folder, indices, f"cell{suffix}")
