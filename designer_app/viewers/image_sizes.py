"""Image sizes in a directory: one bar per size, or histograms of widths and heights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import streamlit as st

from designer_app.translation import _
from designer_app.viewers.charts import HEIGHT, draw_chart
from designer_app.viewers.viewed_output import ViewedOutput
from modules.formatting import format_count
from pipelines.inspection import images

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

FEW_SIZES = 12
BAR = 26
"""Height of a bar with its margin, in pixels."""
AROUND = 50
"""Height of a heading with its margin, in pixels."""
RARE = 200
"""Ratio of the longest to the shortest bar above which the axis is logarithmic."""


def show_sizes(subject: ViewedOutput) -> None:
    """Draw the tab."""
    table = images.sizes(subject.folder)
    if len(table) == 1:
        width, height = int(table["width"][0]), int(table["height"][0])
        st.info(_("Every image has {width:,} x {height:,} pixels.", width=width, height=height))
    elif len(table) <= FEW_SIZES:
        _each_size(subject, table)
    else:
        st.caption(_("{count:,} different sizes.", count=len(table)))
        left, right = st.columns(2, gap="medium")
        with left:
            _histogram(subject, table, "width")
        with right:
            _histogram(subject, table, "height")


def _each_size(subject: ViewedOutput, table: pd.DataFrame) -> None:
    """Draw a bar for each size, smallest first."""
    import altair as alt

    counts = table[["width", "height", "images"]].map(format_count)
    names = counts["width"] + " x " + counts["height"] + ": " + counts["images"]
    rows = table.assign(size=names, pixels=table["width"] * table["height"])
    heading = alt.TitleParams(_("Width x height in pixels: images"), anchor="start")
    chart = (
        alt.Chart(rows.sort_values(["pixels", "width"]), title=heading)
        .mark_bar()
        .encode(
            x=alt.X("images:Q", axis=None, scale=_scale(list(rows["images"]))),
            y=alt.Y("size:N", sort=None, title=None, axis=alt.Axis(labelLimit=240)),
            tooltip=["width:Q", "height:Q", alt.Tooltip("images:Q", format=",d")],
        )
        .properties(height=BAR * len(rows) + AROUND)
    )
    draw_chart(subject, "sizes", chart, table)


def _histogram(
    subject: ViewedOutput, table: pd.DataFrame, side: Literal["width", "height"]
) -> None:
    import altair as alt
    import pandas as pd

    histogram = images.histogram(table, side)
    spans = zip(histogram.smallest, histogram.largest, strict=True)
    rows = pd.DataFrame(
        {
            "from": histogram.smallest,
            "to": [largest + 1 for largest in histogram.largest],
            "pixels": [
                format_count(low) if low == high else _("{low:,} to {high:,}", low=low, high=high)
                for low, high in spans
            ],
            "images": histogram.images,
        }
    )
    kind: Literal["log", "linear"] = "log" if histogram.is_logarithmic else "linear"
    chart = (
        alt.Chart(rows[rows["images"] > 0])
        .mark_bar(binSpacing=1)
        .encode(
            x=alt.X(
                "from:Q",
                title=_("Width, pixels") if side == "width" else _("Height, pixels"),
                scale=alt.Scale(type=kind, zero=False, nice=False),
                axis=alt.Axis(format=",d", tickCount=6, grid=False),
            ),
            x2="to:Q",
            y=alt.Y("images:Q", title=_("Images"), scale=_scale(histogram.images)),
            y2=alt.datum(0),
            tooltip=[
                alt.Tooltip("pixels:N", title=_("width") if side == "width" else _("height")),
                alt.Tooltip("images:Q", format=",d"),
            ],
        )
        .properties(height=HEIGHT)
    )
    draw_chart(subject, f"{side}s", chart, rows[["pixels", "images"]])


def _scale(counts: Sequence[int]) -> alt.Scale:
    """Return the scale of image counts, on which rare sizes stay visible next to frequent ones."""
    import altair as alt

    known = [count for count in counts if count > 0]
    return alt.Scale(type="symlog" if max(known) > RARE * min(known) else "linear")
