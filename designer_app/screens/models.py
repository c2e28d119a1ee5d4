"""Models page: registered models, their versions, aliases and origins, and removal."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, open_entry
from designer_app.screens.deploy_form import deploy
from designer_app.screens.model_aliases import aliases, history, rules
from designer_app.screens.navigation import open_pipeline, page
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import nothing_here
from designer_app.ui.query_params import query_id
from designer_app.viewers.viewed_output import REGISTRY, ViewedOutput
from designer_app.viewers.viewer_registry import viewer_of
from modules.artifacts import TrainedModel
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.registry.model_export import weights, zipped
from pipelines.registry.models import GOLDEN_SET, ModelRegistry, RegisteredVersion
from pipelines.runs.metric_words import metric_text
from pipelines.store.database.history import RunFilter
from pipelines.store.database.models import RegisteredModel

ACCURACY = "Top-1 validation accuracy"


def show() -> None:
    """Draw the page."""
    application = current()
    st.title(_("Models"))
    registry = application.session.models
    models = {model.name: model for model in registry.all()}
    if not models:
        _nothing_yet(application)
        return
    _open_linked(models)
    name = chosen_entry([_entry(model) for model in models.values()], "models", _("Models"))
    numbers = [version.version for version in reversed(models[name].versions)]
    number = _chosen_version(models[name], numbers)  # of one version too: nothing below it moves
    _version(application, registry, registry.find(f"{name}@{number}"))


def _open_linked(models: Mapping[str, RegisteredModel]) -> None:
    """Open the version in the address, as in ``/models?model=digits@2``, once."""
    name, _at, text = (query_id("model", "model") or "").partition("@")
    st.query_params.pop("model", None)
    model = models.get(name)
    version = model and model.meant_by(text)
    if model and version:
        open_entry("models", name)
        st.session_state[_version_key(model)] = version.version


def _version_key(model: RegisteredModel) -> str:
    return f"version-shown-{model.name}"


def _nothing_yet(application: Application) -> None:
    """Draw the purpose of models, and a link to create the first one."""
    has_runs = bool(application.session.history.search(RunFilter(), limit=1).rows)
    action, place = (_("Open Runs"), "runs") if has_runs else (_("Open a lesson"), "home")
    text = _(
        "Registered models have a name and versions. Try them on an image, use them "
        "in pipelines, or download them. To register one, click the output of Train "
        "PyTorch Model after a run and press “Register model”, or use `designer "
        "models register NAME RUN`."
    )
    if nothing_here(_("No models yet"), text, action=action, key="models-begin"):
        st.switch_page(page(place))


def _entry(model: RegisteredModel) -> Entry:
    accuracy = model.newest.metrics.get(ACCURACY)
    when = time.strftime("%d %b %Y, %H:%M", time.localtime(model.newest.created))
    about = f". {model.description}" if model.description else ""
    return Entry(
        id=model.name,
        title=model.name,
        text=_("{count:,} {count:version|versions}, {when}", count=len(model.versions), when=when)
        + about,
        figure="–" if accuracy is None else metric_text(ACCURACY, accuracy),
        figure_name=_("validation accuracy"),
        badges=tuple(f"{alias} = {number}" for alias, number in model.aliases.items()),
    )


def _chosen_version(model: RegisteredModel, numbers: list[int]) -> int:
    known: dict[int, list[str]] = {}
    for alias, number in model.aliases.items():
        known.setdefault(number, []).append(alias)
    chosen = st.pills(
        _("Version"),
        numbers,
        default=numbers[0],
        format_func=lambda number: ", ".join([str(number), *known.get(number, [])]),
        key=_version_key(model),
        required=True,
    )
    return int(chosen)


def _version(application: Application, registry: ModelRegistry, place: RegisteredVersion) -> None:
    st.subheader(plain(place.reference))
    _made_by(application, place)
    with st.container(horizontal=True, key="model-actions"):
        _its_pipeline(application, place)
        if isinstance(place.artifact, TrainedModel) and st.button(_("Deploy"), key="model-deploy"):
            deploy(application, place.reference)
        with st.popover(_("Download")):
            _downloads(place)
        with st.popover(_("Alias")):
            aliases(application, place)
        # in place without an alias, too, so that the buttons next to it do not move
        without = None if place.model.aliases else _("Set an alias first.")
        with st.popover(_("Rule"), disabled=without is not None, help=without):
            if place.model.aliases:
                rules(application, place)
        with st.popover(_("Delete")):
            _delete(registry, place)
    try:
        facts = facts_of(place.artifact.path)
        run_id = place.version.run_id or ""
        subject = ViewedOutput(application.settings.workspace, facts, REGISTRY, run_id)
        viewer_of(facts.type)(subject)
    except UnreadableArtifactError as error:
        st.error(
            plain(
                _(
                    "The files of this version cannot be read: {error}. Register it again.",
                    error=error,
                )
            )
        )
    history(application, place)  # last: not every model has one, and nothing may move


def _made_by(application: Application, place: RegisteredVersion) -> None:
    run_id, metrics = place.version.run_id, place.version.metrics
    rows = application.session.history.index.rows([run_id]) if run_id else []
    said = ", ".join(place.aliases)
    sentences = [_("Known as {aliases}.", aliases=said)] if said else []
    for alias, rule in place.model.rules.items():
        if alias in place.aliases and GOLDEN_SET in rule:
            source = rule[GOLDEN_SET]
            sentences.append(
                _("Rule of {alias}: golden images {source}.", alias=alias, source=source)
            )
    if ACCURACY in metrics:
        accuracy = metric_text(ACCURACY, metrics[ACCURACY])
        sentences.append(_("Validation accuracy {accuracy}.", accuracy=accuracy))
    if run_id is None:
        made = _("Imported from a file.")
    elif rows:
        made = _("Made by run “{name}” ({run_id}).", name=rows[0].name, run_id=run_id)
    else:
        made = _("Made by run {run_id}, which was deleted. The model is complete.", run_id=run_id)
    st.caption(plain(" ".join([*sentences, made])))


def _its_pipeline(application: Application, place: RegisteredVersion) -> None:
    run_id = place.version.run_id
    rows = application.session.history.index.rows([run_id]) if run_id else []
    help_text = None if rows else _("The run of this version, with its pipeline, was deleted.")
    if run_id is None:
        help_text = _(
            "This version was imported. Drop its file on the canvas to open the pipeline."
        )
    pressed = st.button(
        _("Open pipeline"),
        key="open-model-pipeline",
        type="primary",
        disabled=not rows,  # in place, so that the buttons next to it do not move
        help=help_text,
    )
    if rows and pressed:
        made = application.session.history.clone(rows[0].id)
        open_pipeline(made.pipeline_id)


def _downloads(place: RegisteredVersion) -> None:
    stem, model = place.reference.replace("@", "-"), place.artifact
    content: Callable[[], bytes]
    if isinstance(model, TrainedModel):
        st.write(_("The file contains the pipeline: drop it on the canvas to open it."))
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
        _("Everything (zip)"),
        lambda: zipped(place),
        f"{stem}.zip",
        "application/zip",
        key="download-zip",
        on_click="ignore",
        width="stretch",
    )


def _delete(registry: ModelRegistry, place: RegisteredVersion) -> None:
    st.write(_("This cannot be undone. The run is not changed."))
    for label, version in (
        (_("Delete version"), place.version.version),
        (_("Delete model"), None),
    ):
        key = "delete-version" if version else "delete-model"
        if st.button(label, key=key, width="stretch"):
            with errors_shown():
                registry.delete(place.model.name, version)
                st.rerun()
