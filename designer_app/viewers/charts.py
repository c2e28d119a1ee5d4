"""A chart in the page's theme, to be kept as PNG, SVG or data; pictures carry their pipeline."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.editor.component import chart_bundle
from designer_app.viewers.subject import Subject

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart

HEIGHT = 260
# SVG, so that the picture can be kept as it is drawn; Vega's own menu knows no pipeline
EMBEDDING = {"embedOptions": {"renderer": "svg", "actions": False}}


def draw(
    subject: Subject, part: str, chart: AnyChart, data: pd.DataFrame, selects: str | None = None
) -> Any:
    """Draw a chart; ``data`` is what its download as CSV holds.

    Gives what was chosen in the selection named ``selects``.
    """
    key = subject.name(part)
    chart = chart.properties(usermeta=EMBEDDING)
    if selects is None:
        told = None
        st.altair_chart(chart, key=key, width="stretch")
    else:
        told = st.altair_chart(
            chart, key=key, width="stretch", on_select="rerun", selection_mode=selects
        )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _saver(subject, part, key)
        st.download_button(
            "Data",
            lambda: data.to_csv(index=False),
            f"{subject.file_name(part)}.csv",
            "text/csv",
            key=subject.name(f"{part}-csv"),
            on_click="ignore",
            type="tertiary",
        )
    return told


def _saver(subject: Subject, part: str, key: str) -> None:
    bundle = chart_bundle()
    if bundle is None:
        return
    data = {
        "chart": "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key),
        "bundle": bundle,
        "run": f"/api/runs/{subject.run_id}",
        "token": subject.application.token,
        "name": subject.file_name(part),
    }
    _component()(key=f"{key}-saver", data=data, width="content")


@cache
def _component() -> Any:
    here = Path(__file__).resolve().parent
    return st.components.v2.component(
        "designer_chart_saver",
        css=(here / "saver.css").read_text(encoding="utf-8"),
        js=(here / "saver.js").read_text(encoding="utf-8"),
        isolate_styles=True,
    )
