"""Charts in the page's theme with downloads as PNG, SVG or data; images include their pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.elements.chart_download import EMBEDDING, chart_saver
from designer_app.elements.theme_watch import redraw_in_another_theme
from designer_app.translation import _
from designer_app.viewers.viewed_output import ViewedOutput

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart

HEIGHT = 260
FLAT_LETTERS = 110


def is_dark() -> bool:
    """Return True in the dark theme, in which large values should be bright."""
    return st.context.theme.type == "dark"


def names_axis(names: Sequence[str]) -> alt.Axis:
    """Return the axis of a bar chart by name; labels are horizontal if they fit into a dialog."""
    import altair as alt

    fits = sum(len(name) + 2 for name in names) <= FLAT_LETTERS
    return alt.Axis(labelAngle=0 if fits else -40, labelLimit=140)


def draw_chart(
    subject: ViewedOutput,
    part: str,
    chart: AnyChart,
    data: pd.DataFrame,
    selects: str | None = None,
    turn: int = 0,
    *,
    follows_theme: bool = False,
) -> Any:
    """Draw a chart; ``data`` is the content of its CSV download.

    Returns the current selection named ``selects``; another ``turn`` creates a new chart without
    selection. With ``follows_theme`` the chart is redrawn in the colors of a changed theme.
    """
    key = subject.name(f"{part}-{turn}" if turn else part)
    chart = chart.properties(usermeta=EMBEDDING)
    drawn = f"{key}-drawn"
    state: Any = None
    with st.container(key=drawn):  # only charts with a selection have a class from their key
        if selects is None:
            st.altair_chart(chart, key=key, width="stretch")
        else:
            state = st.altair_chart(
                chart, key=key, width="stretch", on_select="rerun", selection_mode=selects
            )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        name = subject.file_name(part)
        chart_saver(subject.application, subject.run_id, chart=drawn, name=name)
        st.download_button(
            _("Data"),
            lambda: data.to_csv(index=False),
            f"{name}.csv",
            "text/csv",
            key=subject.name(f"{part}-csv"),
            help=_("Download the data of the chart as CSV."),
            on_click="ignore",
            type="tertiary",
        )
        if follows_theme:
            redraw_in_another_theme(f"{key}-theme")
    return state
