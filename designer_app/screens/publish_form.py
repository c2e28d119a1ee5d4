"""Form that publishes a pipeline, on the page Published."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application
from designer_app.elements.entries import open_entry
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.registry_names import proposed_name
from pipelines.document.document import parse_document
from pipelines.registry.pipeline_labels import labels_of

SHOWN = "published"
"""Key of the list of published pipelines."""


@st.dialog(_("Publish a pipeline"), width=SMALL)
def publish(application: Application) -> None:
    """Draw the form, and publish the pipeline."""
    labels = labels_of(application.session.pipelines.all())
    if not labels:
        st.write(_("Create a pipeline first."))
        return
    chosen = st.selectbox(
        _("Pipeline"), list(labels), format_func=labels.__getitem__, key="publish-pipeline"
    )
    taken = {published.name for published in application.session.published.all()}
    proposed = proposed_name(labels[chosen], "pipeline", taken)
    name = st.text_input(_("Name"), value=proposed, key=f"publish-name-{chosen}")
    st.caption(_("If the name exists, a new version is added."))
    description = st.text_input(_("Description"), key="publish-description")
    if not dialog_buttons(_("Publish"), key="publish-go"):
        return
    if not name.strip():
        st.error(_("Enter a name."))
        return
    with errors_shown():
        document = parse_document(application.session.pipelines.open(str(chosen)).document)
        version = application.session.published.publish(
            name.strip(),
            application.prepared(document),
            application.session.checks.problems,
            description=description.strip() or None,
        )
        open_entry(SHOWN, version.name)
        st.rerun()
