"""Download buttons of a chart, as PNG or SVG as displayed; the file includes its pipeline."""

from __future__ import annotations

import re

from designer_app.application import Application
from designer_app.editor.static_files import chart_bundle
from designer_app.elements.element import element

# SVG, so that the chart can be saved as displayed; Vega's own menu cannot embed a pipeline
EMBEDDING = {"embedOptions": {"renderer": "svg", "actions": False}}
"""Value of ``usermeta`` of charts with downloads."""


def chart_saver(application: Application, run_id: str, *, chart: str, name: str) -> None:
    """Draw the buttons of the chart in the container of key ``chart``; ``name`` is the file name.

    The file includes the pipeline of the run if the run still exists.
    """
    bundle = chart_bundle()
    if bundle is None:
        return
    data = {
        "chart": "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", chart),
        "bundle": bundle,
        "document": f"/api/runs/{run_id}/document",
        "token": application.credentials.page_token,
        "name": name,
    }
    element("saver")(key=f"{chart}-saver", data=data, width="content")
