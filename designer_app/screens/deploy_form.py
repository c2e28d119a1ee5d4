"""Form that deploys a model as an endpoint, on the pages Endpoints and Models."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application
from designer_app.elements.entries import open_entry
from designer_app.screens.navigation import page
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.error_messages import errors_shown
from pipelines.document.edits import free_name
from pipelines.registry.endpoints import PUBLISHED

SHOWN = "endpoints"
"""Key of the list of endpoints."""


def references(application: Application) -> list[str]:
    """Return the references to models that can be served, and published inference pipelines."""
    registry = application.session.models
    models = [
        reference
        for model in registry.all()
        for reference, version in model.references()
        if registry.type_of(version) == "TrainedModel"
    ]
    published = application.session.published.all()
    pipelines = [
        f"{PUBLISHED}{pipeline.name}"
        for pipeline in published
        if any(node["module"] == "web_service_output" for node in pipeline.newest.document["nodes"])
    ]
    return [*models, *pipelines]


@st.dialog(_("Deploy a model"), width=SMALL)
def deploy(application: Application, model: str | None = None) -> None:
    """Draw the form; ``model`` is the initial choice."""
    known = references(application)
    if not known:
        st.write(_("Register a model first: on the page of a run, or on Models."))
        return
    chosen = st.selectbox(
        _("Model"),
        known,
        index=known.index(model) if model in known else 0,
        key="deploy-model",
        help=_("NAME and NAME@ALIAS follow the registry, NAME@VERSION never changes."),
    )
    stem = str(chosen).removeprefix(PUBLISHED).partition("@")[0]
    taken = {endpoint.name for endpoint in application.session.endpoints.all()}
    name = st.text_input(_("Name"), value=free_name(taken, stem, "-"), key=f"deploy-name-{stem}")
    if not dialog_buttons(_("Deploy"), key="deploy-go"):
        return
    with errors_shown():
        endpoint = application.session.endpoints.deploy(name.strip() or stem, str(chosen))
        application.session.runner.ensure()
        open_entry(SHOWN, endpoint.name)
        st.switch_page(page("endpoints"))
