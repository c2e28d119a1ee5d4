"""Editor as a page element: one component that loads the built bundle by its address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from designer_app.application import Application
from designer_app.editor.static_files import bundle
from designer_app.translation import _, translated_script
from designer_app.ui.triggers import ignored

PROTOCOL = 1
"""Protocol version shared with the bundle; a tab with an older one asks for a reload."""
TRIGGERS = ("open", "refresh", "look", "go")
SCREEN_TRIGGERS = ("go", "compare", "look", "refresh")
LOADER = Path(__file__).resolve().parent / "loader.js"
MountData = Mapping[str, object]
"""Screen, pipeline, run and workspace for the loader, as JSON."""


def mount(application: Application, pipeline_id: str, run_id: str | None = None) -> Any:
    """Mount the editor of a saved pipeline; returns its triggers.

    ``open`` carries ``{"pipeline_id": ...}``, another pipeline to show; ``look`` carries ``{"run":
    ..., "node": ..., "port": ...}``, an output to show; ``go`` another page, as accepted by
    ``navigation.follow``; ``refresh`` redraws the page.
    """
    return _mounted(
        application, "editor", pipeline_data(application, pipeline_id, run_id), TRIGGERS
    )


def mount_screen(
    application: Application,
    screen: Literal["run", "runs"],
    *,
    key: str,
    run_id: str | None = None,
    ended: float | None = None,
    trials: Mapping[str, object] | None = None,
) -> Any:
    """Mount a screen of runs, as high as its content.

    ``trials`` turns the list of runs into that of the trials of a sweep: ``{"sweep": id, "titles":
    {place: title}, "numbers": [numbers]}``; numbers are those to show, None for all.

    Triggers: ``go`` carries ``{"page": ...}`` and the arguments of that page, ``compare``
    ``{"runs": [ids]}``, ``look`` a port as in ``mount``; ``refresh`` means that a run has ended or
    was resumed, unlike ``ended``, the state in which the page was drawn.
    """
    data = {"screen": screen, "height": "auto", "pipelineId": "", "runId": run_id, "ended": ended}
    return _mounted(application, key, {**data, "trials": trials}, SCREEN_TRIGGERS)


def mount_replay(application: Application, replay_id: str) -> Any:
    """Mount a replay with its player, filling the window.

    ``open`` carries ``{"pipeline_id": ...}``: the user's copy of the recorded pipeline.
    """
    return _mounted(application, f"replay-{replay_id}", replay_data(replay_id), TRIGGERS)


def pipeline_data(
    application: Application, pipeline_id: str, run_id: str | None = None
) -> MountData:
    """Return the mount data of a saved pipeline."""
    settings = application.settings
    workspace = {
        "name": settings.workspace.root.name,
        "root": str(settings.workspace.root),
        "allowedRoots": [str(root) for root in settings.allowed_roots],
    }
    return {"pipelineId": pipeline_id, "runId": run_id, "workspace": workspace}


def replay_data(replay_id: str) -> MountData:
    """Return the mount data of a replay."""
    return {"screen": "replay", "pipelineId": "", "runId": None, "replayId": replay_id}


def mount_text(application: Application, data: MountData) -> str | None:
    """Return mount data as the loader reads them; None if the bundle is not built.

    They are one text: to search a dictionary's values for tables, Streamlit would first import
    pandas, which takes longer than the rest of a visit.
    """
    files = bundle()
    if files is None:
        return None
    server = {"protocol": PROTOCOL, "apiBase": "/api", "token": application.credentials.page_token}
    return json.dumps({**server, **data, "bundle": files})


def _mounted(application: Application, key: str, data: MountData, triggers: tuple[str, ...]) -> Any:
    """Return the element's triggers; None, with a warning, if the bundle is not built."""
    text = mount_text(application, data)
    if text is None:
        st.warning(_("The editor is not built: run `make editor`, then reload this page."))
        return None
    callbacks = {f"on_{name}_change": ignored for name in triggers}
    return _component()(key=key, data={"mount": text}, width="stretch", **callbacks)


@cache
def _component() -> Any:
    script = translated_script(LOADER.read_text(encoding="utf-8"))
    return st.components.v2.component("designer_editor", js=script, isolate_styles=True)
