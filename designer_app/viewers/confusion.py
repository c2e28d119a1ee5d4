"""Confusion matrix: counts or rates, and the images of each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.charts import draw_chart, is_dark
from designer_app.viewers.confusion_cell import ChosenCell, Pair
from designer_app.viewers.gallery import MAX_LISTED, gallery_of_rows
from designer_app.viewers.viewed_output import ViewedOutput
from pipelines.inspection import evaluation
from pipelines.inspection.images import index_of

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

MAX_PAIRS = 20_000
"""Limit of cells drawn; the rarest are omitted."""
MAX_NAMED = 40
"""Limit of classes for names at the edges and numbers in the cells."""
MAX_NARROW = 12
"""Limit of classes for a matrix on half the width of a dialog."""
SHORT_NAME = 8
LETTERS = ("#ffffff", "#000000")
"""Text colors on dark and on pale cells in the light theme; swapped in the dark theme."""
ON_LIGHT, ON_DARK = ("#0f7345", "#b3282d"), ("#4cc38a", "#ff7b72")
"""Colors of cells with correct and with wrong predictions, for each theme."""
PALEST = 0.1
"""Opacity of a cell with almost no images."""
EMPTY, GAP = 0.08, 0.06
"""Opacity of a cell without images, and the gap between cells, in cells."""
STRONG_ON_LIGHT, STRONG_ON_DARK = (0.74, 0.62), (0.31, 0.39)
"""Share of the fullest cell above which text is as on dark cells: correct, wrong ones."""
CELL_HEIGHT = 40
LEAST_HEIGHT = 340
IS_HIT = "datum.actual === datum.predicted"
CELL = "cell"
COUNTS, RATES = _("Counts"), _("Rates")


def show_confusion(subject: ViewedOutput, suffix: str) -> None:
    """Draw the matrix; a cell that is clicked or chosen from a list shows its images next to it."""
    cell = ChosenCell(subject, suffix)
    known = evaluation.confusion(subject.folder, suffix)
    cells = known.head(MAX_PAIRS)
    names = evaluation.classes(subject.folder, suffix)
    chosen = st.segmented_control(
        _("Numbers"),
        [COUNTS, RATES],
        default=COUNTS,
        required=True,
        key=subject.name("confusion-numbers"),
        label_visibility="collapsed",
    )
    as_rates = chosen == RATES
    shown, part = _part(subject, names) if len(names) > MAX_NAMED else (names, "")
    seen = cells[cells["actual"].isin(shown) & cells["predicted"].isin(shown)]
    drawn = _named if len(shown) <= MAX_NAMED else _wide
    name = f"confusion{suffix}-{'rates' if as_rates else 'counts'}{part}"
    matrix, behind = st.columns(_widths(len(shown)), gap="large")
    with matrix:
        begin = cell.listed
        chart = drawn(seen, shown, as_rates, begin.pair)
        state = draw_chart(
            subject, name, chart, cells, selects=CELL, turn=begin.turn, follows_theme=True
        )
        if len(cells) < len(known):
            st.caption(_("The {count:,} largest cells.", count=MAX_PAIRS))
    with behind:
        pair = cell.ask(cells, state, CELL)
        if pair is not None:
            _images(subject, suffix, *pair)


def _widths(num_classes: int) -> list[int]:
    """Return the column widths of the matrix and the images: few classes need only half."""
    return [1, 1] if num_classes <= MAX_NARROW else [2, 1]


def _part(subject: ViewedOutput, names: list[str]) -> tuple[list[str], str]:
    """Return the classes to draw: all of them as dots, or some with names."""
    whole, zoomed = _("All classes"), _("{count} classes by name", count=MAX_NAMED)
    kind, first = st.columns([3, 2], vertical_alignment="bottom")
    chosen = kind.segmented_control(
        _("Part"),
        [whole, zoomed],
        default=whole,
        required=True,
        key=subject.name("confusion-part"),
        label_visibility="collapsed",
    )
    if chosen != zoomed:
        return names, "-all"
    last = len(names) - MAX_NAMED
    start = int(
        first.number_input(_("First class number"), 0, last, key=subject.name("first-class"))
    )
    return names[start : start + MAX_NAMED], f"-{start}"


def _named(cells: pd.DataFrame, names: list[str], as_rates: bool, chosen: Pair | None) -> Any:
    import altair as alt

    value, most = ("rate", 1.0) if as_rates else ("count", float(cells["count"].max()))
    much, little = reversed(LETTERS) if is_dark() else LETTERS
    hit, mistake = ON_DARK if is_dark() else ON_LIGHT
    of_hits, of_mistakes = STRONG_ON_DARK if is_dark() else STRONG_ON_LIGHT
    strong = f"datum.{value} > {most} * ({IS_HIT} ? {of_hits} : {of_mistakes})"
    angle = 0 if max(map(len, names)) <= SHORT_NAME else -40
    across = alt.X(
        "predicted:N",
        sort=names,
        title=_("Predicted"),
        axis=alt.Axis(labelLimit=120, labelAngle=angle),
        scale=alt.Scale(domain=names, paddingInner=GAP),
    )
    down = alt.Y(
        "actual:N",
        sort=names,
        title=_("Actual"),
        axis=alt.Axis(labelLimit=160),
        scale=alt.Scale(domain=names, paddingInner=GAP),
    )
    picked = _picked(chosen)
    pairs = [{"actual": actual, "predicted": predicted} for actual in names for predicted in names]
    empty = (
        alt.Chart(alt.InlineData(pairs)).mark_rect(color="gray", opacity=EMPTY).encode(across, down)
    )
    base = alt.Chart(cells)
    boxes = base.mark_rect(cursor="pointer").encode(
        x=across,
        y=down,
        color=alt.condition(IS_HIT, alt.value(hit), alt.value(mistake)),
        fillOpacity=alt.Opacity(
            f"{value}:Q",
            scale=alt.Scale(type="sqrt", domain=[0, most], range=[PALEST, 1]),
            legend=None,
        ),
        stroke=alt.condition(picked, alt.value("#e6a94a"), alt.value(None)),
        strokeWidth=alt.value(3),
        tooltip=_tooltip(),
    )
    words = base.mark_text(fontSize=11).encode(
        x=across,
        y=down,
        text=alt.Text(f"{value}:Q", format=".0%" if as_rates else ",d"),
        color=alt.condition(strong, alt.value(much), alt.value(little)),
    )
    height = max(LEAST_HEIGHT, min(720, CELL_HEIGHT * len(names)))
    return alt.layer(empty, boxes.add_params(picked), words).properties(height=height)


def _wide(cells: pd.DataFrame, names: list[str], as_rates: bool, chosen: Pair | None) -> Any:
    """Return a chart by position instead of name: hundreds of names would be illegible."""
    import altair as alt

    placed = cells.assign(right=cells["column"] + 1, below=cells["row"] + 1)
    scale = alt.Scale(domain=[0, len(names)], nice=False)
    picked = _picked(chosen)
    return (
        alt.Chart(placed)
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("column:Q", title=_("Predicted, class number"), scale=scale),
            x2="right:Q",
            y=alt.Y(
                "row:Q",
                title=_("Actual, class number"),
                scale=alt.Scale(domain=[0, len(names)], nice=False, reverse=True),
            ),
            y2="below:Q",
            color=_shade(as_rates),
            # a cell smaller than a pixel could hardly be seen or clicked
            stroke=alt.Stroke(
                "rate:Q",
                legend=None,
                scale=alt.Scale(range=["#6aa5dd", "#08519c"], reverse=is_dark()),
            ),
            strokeWidth=alt.value(2),
            tooltip=_tooltip(),
        )
        .add_params(picked)
        .properties(height=720)
    )


def _picked(chosen: Pair | None) -> Any:
    """Return the click selection; its initial value is the cell chosen from the list."""
    import altair as alt

    fields = ["actual", "predicted"]
    begun = alt.Undefined if chosen is None else [dict(zip(fields, chosen, strict=True))]
    return alt.selection_point(name=CELL, fields=fields, empty=False, value=begun)


def _shade(as_rates: bool) -> alt.Color:
    import altair as alt

    turned = is_dark()
    if as_rates:
        scale = alt.Scale(scheme="blues", domain=[0, 1], reverse=turned)
        return alt.Color("rate:Q", title=_("Rate"), scale=scale)
    scale = alt.Scale(scheme="blues", type="sqrt", reverse=turned)
    return alt.Color("count:Q", title=_("Images"), scale=scale)


def _tooltip() -> list[Any]:
    import altair as alt

    return [
        alt.Tooltip("actual:N", title=_("Actual")),
        alt.Tooltip("predicted:N", title=_("Predicted")),
        alt.Tooltip("count:Q", title=_("Images"), format=",d"),
        alt.Tooltip("rate:Q", title=_("Of the actual class"), format=".1%"),
    ]


def _images(subject: ViewedOutput, suffix: str, actual: str, predicted: str) -> None:
    scored = evaluation.scored_input(subject.outputs, subject.node, suffix)
    directory = subject.outputs.dataset_of(scored)
    if scored is None or directory is None:
        st.info(_("The images of this cell are no longer available. Run the earlier nodes again."))
        return
    paths = evaluation.paths_of_cell(scored.folder, actual, predicted)
    rows = [index_of(directory.folder, path) for path in paths[:MAX_LISTED]]
    indices = [index for index in rows if index is not None]
    facts = {"count": len(paths), "actual": plain(actual)}
    if actual == predicted:
        words = _(
            "**{count:,}** of {actual}, predicted correctly; highest confidence first", **facts
        )
    else:
        words = _(
            "**{count:,}** of {actual}, predicted as {predicted}; highest confidence first",
            **facts,
            predicted=plain(predicted),
        )
    st.markdown(words)
    gallery_of_rows(subject, directory.folder, indices, f"cell{suffix}")
