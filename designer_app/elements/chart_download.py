"""Buttons that keep a chart as PNG or SVG, as it is drawn; the file carries its pipeline."""

from __future__ import annotations

import re

from designer_app.application import Application
from designer_app.editor.static_files import chart_bundle
from designer_app.elements.element import element

# SVG, so that the picture can be kept as it is drawn; Vega's own menu knows no pipeline
EMBEDDING = {"embedOptions": {"renderer": "svg", "actions": False}}
"""What a chart that is to be kept has as its ``usermeta``."""


def chart_saver(application: Application, run_id: str, *, chart: str, name: str) -> None:
    """Draw the buttons of the chart in the container of key ``chart``; ``name`` names the file.

    The file carries the pipeline of the run, where that still exists.
    """
    bundle = chart_bundle()
    if bundle is None:
        return
    data = {
        "chart": "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", chart),
        "bundle": bundle,
        "document": f"/api/runs/{run_id}/document",
        "token": application.proof.page_token,
        "name": name,
    }
    element("saver")(key=f"{chart}-saver", data=data, width="content")
