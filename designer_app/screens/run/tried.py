"""Try tab: the model of a run, applied to the user's own image."""

from __future__ import annotations

import streamlit as st

from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.viewers.try_picture import try_picture
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import TrainedModel
from pipelines.inspection.artifact_info import facts_of
from pipelines.inspection.run_outputs import RunOutputs


def tried(subject: RunView) -> None:
    """Draw the tab: a field for an image, and a choice if there are several models."""
    outputs = RunOutputs(subject.application.session.runs, subject.id).all
    models = {output.node: output for output in outputs if output.type == TrainedModel.__name__}
    if not models:
        st.info(
            _("A model appears here when it is trained.")
            if subject.is_live
            else _("A model was not trained here.")
        )
        return
    titles = subject.titles
    chosen = next(iter(models))
    if len(models) > 1:
        chosen = st.selectbox(
            _("Model"),
            list(models),
            key="run-tried",
            format_func=lambda node: titles.get(node, node),
        )
    workspace = subject.application.settings.workspace
    with errors_shown():
        facts = facts_of(models[chosen].folder)
        try_picture(ViewedOutput(workspace, facts, "run-try", subject.id))
