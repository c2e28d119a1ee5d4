"""Pages of the app with the functions that draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from designer_app.screens import (
    compare,
    data,
    design,
    endpoints,
    environments,
    help,
    home,
    models,
    published,
    run,
    runs,
    sweep,
    targets,
)
from designer_app.ui.page_list import PAGES

SHOWN: Mapping[str, Callable[[], None]] = {
    "home": home.show,
    "design": design.show,
    "runs": runs.show,
    "run": run.show,
    "sweep": sweep.show,
    "compare": compare.show,
    "models": models.show,
    "endpoints": endpoints.show,
    "published": published.show,
    "data": data.show,
    "environments": environments.show,
    "targets": targets.show,
    "help": help.show,
}
"""Functions that draw the pages."""


def pages() -> dict[str, st.Page]:
    """Return the pages by name, in the order of the navigation."""
    return {
        name: st.Page(
            SHOWN[name],
            title=page.title,
            icon=f":material/{page.icon}:",
            url_path=page.address or None,
            default=not page.address,
            visibility="visible" if page.is_listed else "hidden",
        )
        for name, page in PAGES.items()
    }
