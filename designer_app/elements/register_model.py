"""Form that registers a trained model, on pages and in viewers."""

from __future__ import annotations

from typing import Literal
from urllib.parse import quote

import streamlit as st

from designer_app.application import Application
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.ui.registry_names import proposed_name
from pipelines.inspection.alias_moves import mover
from pipelines.registry.model_report import references_of

MAX_LISTED = 10
"""Number of registered versions of the same files that are listed, the newest ones."""


def register_model_form(application: Application, artifact_id: str, port: str, key: str) -> None:
    """Draw the form for one output, folded if it is registered.

    ``key`` identifies its place on the page.
    """
    kept = references_of(application.session.models, f"{artifact_id}/{port}")
    if not kept:
        _form(application, artifact_id, port, key, _proposed_name(application, artifact_id))
        return
    links = [f"[{plain(name)}](/models?model={quote(name)})" for name in kept[-MAX_LISTED:]]
    st.markdown(_("Registered as {names}.", names=", ".join(links)))
    with st.expander(_("Register again"), key=f"{key}-again"):
        st.caption(_("With the same name it becomes another version; both have the same files."))
        proposed = kept[-1].partition("@")[0]
        _form(application, artifact_id, port, key, proposed, is_again=True)


def _form(
    application: Application,
    artifact_id: str,
    port: str,
    key: str,
    proposed: str,
    *,
    is_again: bool = False,
) -> None:
    with st.form(f"{key}-form", border=False):
        name = st.text_input(
            _("Name"),
            value=proposed,
            key=f"{key}-name",
            max_chars=100,
        )
        alias = st.text_input(
            _("Alias"),
            key=f"{key}-alias",
            max_chars=100,
            placeholder=_("best (optional)"),
            help=_("A name that always points to one version of the model."),
        )
        description = st.text_input(_("Description"), key=f"{key}-description", max_chars=2000)
        st.caption(_("If the name exists, a new version is added. Spaces become dashes."))
        kind: Literal["primary", "secondary"] = "secondary" if is_again else "primary"
        if not st.form_submit_button(_("Register model"), type=kind, key=f"{key}-register"):
            return
    chosen = "-".join(name.split())
    if not chosen:
        st.error(_("Enter a name."))
        return
    with errors_shown():
        place = application.session.models.register(
            artifact_id,
            port,
            chosen,
            description=description or None,
            alias=alias or None,
            by=mover("app"),
        )
        st.success(
            _(
                "Registered as `{reference}`. See [Models](/models) or the palette.",
                reference=place.reference,
            )
        )


def _proposed_name(application: Application, artifact_id: str) -> str:
    """Return the name of the pipeline that trained the model, as a name of a model."""
    artifact = application.session.artifacts.index.get(artifact_id)
    record = artifact and application.session.runs.store.record(artifact.run_id)
    document = record.document if record else {}
    taken = {model.name for model in application.session.models.all()}
    return proposed_name(str(document.get("name") or document.get("id") or ""), "model", taken)
