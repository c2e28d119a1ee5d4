"""A chart in the page's theme, with its data, to be kept as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.viewers.subject import Subject

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

HEIGHT = 260


def draw(
    subject: Subject,
    part: str,
    chart: alt.Chart | alt.LayerChart | alt.FacetChart,
    data: pd.DataFrame,
) -> None:
    """Draw a chart; ``data`` is what its download as CSV holds."""
    st.altair_chart(chart, key=subject.name(part), width="stretch")
    st.download_button(
        "Data",
        data.to_csv(index=False),
        f"{subject.file_name(part)}.csv",
        "text/csv",
        key=subject.name(f"{part}-csv"),
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


def title(text: str) -> dict[str, Any]:
    """How charts carry their title."""
    return {"text": text, "anchor": "start"}
