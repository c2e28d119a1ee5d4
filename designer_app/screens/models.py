"""Models: what is registered, its versions and aliases, where each comes from, taking it away."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import streamlit as st

from designer_app.application import Application, current
from designer_app.screens.navigation import open_pipeline
from designer_app.ui.markdown import plain
from designer_app.viewers.viewed_output import ViewedOutput
from designer_app.viewers.viewer_registry import viewer_of
from modules.artifacts import TrainedModel
from pipelines.errors import InUseError, UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.registry.model_export import weights, zipped
from pipelines.registry.models import ModelPlace, ModelRegistry
from pipelines.runs.metric_words import metric_text
from pipelines.store.models import RegisteredModel

ACCURACY = "Top-1 validation accuracy"


def show() -> None:
    """Draw the page."""
    application = current()
    st.title("Models")
    registry = application.session.models
    models = registry.all()
    if not models:
        st.info(
            "No models yet. Click the output of Train PyTorch Model after a run and press "
            "“Register model”, or use `designer models register NAME RUN`."
        )
        return
    st.dataframe([_row(model) for model in models], hide_index=True, width="stretch")
    names = [model.name for model in models]
    chosen, numbered, _ = st.columns([2, 1, 3])
    name = chosen.selectbox("Model", names, key="model-shown")
    model = next(each for each in models if each.name == name)
    numbers = [version.version for version in reversed(model.versions)]
    number = numbered.selectbox("Version", numbers, key=f"version-shown-{name}")
    _version(application, registry, registry.find(f"{name}@{number}"))


def _row(model: RegisteredModel) -> dict[str, object]:
    accuracy = model.newest.metrics.get(ACCURACY)
    return {
        "Model": model.name,
        "Versions": len(model.versions),
        "Aliases": ", ".join(f"{alias} = {number}" for alias, number in model.aliases.items()),
        "Accuracy of the newest": None if accuracy is None else metric_text(ACCURACY, accuracy),
        "Registered": time.strftime("%d %b %Y, %H:%M", time.localtime(model.newest.created)),
        "Description": model.description,
    }


def _version(application: Application, registry: ModelRegistry, place: ModelPlace) -> None:
    st.subheader(plain(place.reference))
    _made_by(application, place)
    take, name_it, delete, _ = st.columns([1, 1, 1, 3])
    with take.popover("Download", width="stretch"):
        _downloads(place)
    with name_it.popover("Alias", width="stretch"):
        _aliases(registry, place)
    with delete.popover("Delete", width="stretch"):
        _delete(registry, place)
    try:
        facts = facts_of(place.artifact.path)
        run_id = place.version.run_id or ""
        subject = ViewedOutput(application.settings.workspace, facts, "model", run_id)
        viewer_of(facts.type)(subject)
    except UnreadableArtifactError as error:
        st.error(plain(f"The files of this version cannot be read: {error}. Register it again."))


def _made_by(application: Application, place: ModelPlace) -> None:
    run_id = place.version.run_id
    rows = application.session.history.index.rows([run_id]) if run_id else []
    said = ", ".join(place.aliases)
    what = f"Known as {said}. " if said else ""
    if not rows:
        st.caption(plain(f"{what}Made by run {run_id}, which was deleted. The model is whole."))
        return
    about, opened = st.columns([4, 1], vertical_alignment="center")
    about.caption(plain(f"{what}Made by run {rows[0].name} ({run_id})."))
    if opened.button("Open its pipeline", key="open-model-pipeline", width="stretch"):
        made = application.session.history.clone(rows[0].id)
        open_pipeline(made.pipeline_id)


def _downloads(place: ModelPlace) -> None:
    stem, model = place.reference.replace("@", "-"), place.artifact
    content: Callable[[], bytes]
    if isinstance(model, TrainedModel):
        st.write("The weights carry their pipeline: dropped on the canvas they open it.")
        path, content = model.weights_path, partial(weights, model)
    else:
        path, content = model.main_path, model.main_path.read_bytes
    if path.is_file():
        st.download_button(
            path.name,
            content,
            f"{stem}{path.suffix}",
            "application/octet-stream",
            key="download-weights",
            on_click="ignore",
            width="stretch",
        )
    st.download_button(
        "Everything (zip)",
        lambda: zipped(place),
        f"{stem}.zip",
        "application/zip",
        key="download-zip",
        on_click="ignore",
        width="stretch",
    )


def _aliases(registry: ModelRegistry, place: ModelPlace) -> None:
    with st.form("alias-form", border=False, clear_on_submit=True):
        alias = st.text_input("A word for this version", key="alias-word", placeholder="best")
        given = st.form_submit_button("Set", key="alias-set", type="primary")
    for known in place.aliases:
        if st.button(f"Take away {known}", key=f"alias-remove-{known}"):
            registry.set_alias(place.model.name, known, None)
            st.rerun()
    if given:
        try:
            registry.set_alias(place.model.name, alias.strip(), place.version.version)
        except (LookupError, ValueError) as error:
            st.error(plain(error.args[0]))
            return
        st.rerun()


def _delete(registry: ModelRegistry, place: ModelPlace) -> None:
    st.write("This cannot be undone. The run that made it stays as it is.")
    for label, version in (("this version", place.version.version), ("the whole model", None)):
        key = "delete-version" if version else "delete-model"
        if st.button(f"Delete {label}", key=key, width="stretch"):
            try:
                registry.delete(place.model.name, version)
            except InUseError as error:
                st.error(plain(error.args[0]))
                return
            st.rerun()
