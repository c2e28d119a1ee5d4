"""Output on a page: the viewer of its type, or the trace of the followed image."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from designer_app.ui.markdown import plain
from designer_app.viewers.followed_image import followed
from designer_app.viewers.image_trace import show_image_trace
from designer_app.viewers.viewed_output import ViewedOutput
from designer_app.viewers.viewer_registry import viewer_of
from modules.errors import ModuleError
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.workspace import Workspace


def show_output(
    workspace: Workspace,
    artifact_folder: Path,
    *,
    key: str,
    run_id: str | None = None,
    view: str | None = None,
) -> None:
    """Draw an output.

    ``key`` distinguishes it from others on the page. ``run_id`` is the run in which it is viewed;
    by default the run that produced it: a reused output belongs to several. ``view`` is the initial
    tab.
    """
    try:
        facts = facts_of(artifact_folder)
        subject = ViewedOutput(workspace, facts, key, run_id or facts.run_id, view)
        subject.application.inspector.start()
        picture = followed(subject)
        if picture is not None:
            show_image_trace(subject, picture)
        else:
            viewer_of(facts.type)(subject)
    except (ModuleError, UnreadableArtifactError) as error:
        st.error(plain(error))
