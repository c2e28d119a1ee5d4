"""Data page: the datasets of the workspace, their contents, and ways to add one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.upload import upload
from designer_app.screens.dataset_look import dataset_look
from designer_app.screens.label_choice import label_choice
from designer_app.screens.navigation import open_pipeline
from designer_app.screens.start import pipeline_from
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import counts, figures, nothing_here, room_for_table
from modules.datasets.folder_summary import FolderSummary, folder_summary, summary_of_version
from modules.datasets.registered import RegisteredDataset, list_datasets
from modules.datasets.sources import readable
from modules.errors import ModuleError
from modules.formatting import format_bytes, format_count
from modules.layouts.readings import ClassFrom
from pipelines.document.document import parse_document
from pipelines.document.edits import with_images
from pipelines.errors import DesignerError, InUseError
from pipelines.inspection.dataset_pictures import MAX_CLASSES, strip_of_version
from pipelines.lessons.lesson import lessons
from pipelines.problems import PipelineError
from pipelines.registry.pipeline_labels import labels_of

ROW_HEIGHT = 52
PREVIEW_WIDTH = 304
"""Width in pixels of the preview strip of a dataset's images at their height."""
LINK_COLOR = "light-dark(#2563d9, #6c9cff)"
OFFERED = 50
"""Limit of pipelines to choose from, most recently changed first."""


def show() -> None:
    """Draw the page."""
    application = current()
    st.title(_("Data"))
    # a fixed container: the elements below keep their place, as an upload must
    with st.container():
        _datasets(application)
    archive, folder = st.tabs([_("Upload archive"), _("Use a server folder")])
    with archive:
        st.write(
            _(
                "A zip or tar with one folder for each class, or with a table of labels "
                "(CSV or JSON)."
            )
        )
        if upload(application, "upload") is not None:
            st.rerun()
    with folder:
        _folder(application)


def _datasets(application: Application) -> None:
    datasets = list_datasets(application.settings.workspace.datasets_dir)
    if not datasets:
        _nothing_yet(application)
        return
    with st.container(key="datasets"), room_for_table("datasets", len(datasets), ROW_HEIGHT):
        chosen = _chosen(application, datasets)
    if len(datasets) > 1:
        st.caption(_("Select a row to see details."))
    for dataset in chosen:
        _look_into(application, dataset)


def _nothing_yet(application: Application) -> None:
    """Draw the purpose of datasets, and the ways to add the first one."""
    text = _(
        "Registered datasets have a name and versions, and can be used in any "
        "pipeline. Upload an archive below, or start with 1,797 handwritten digits "
        "that are included."
    )
    if nothing_here(
        _("No datasets yet"), text, action=_("Use the digits sample"), key="data-begin"
    ):
        _open_sample(application)


def _open_sample(application: Application) -> None:
    """Open the first lesson as a new pipeline."""
    made = application.session.pipelines.create(lessons()[0].opened())
    open_pipeline(made.pipeline_id)


def _chosen(
    application: Application, datasets: Sequence[RegisteredDataset]
) -> list[RegisteredDataset]:
    """Return the dataset of the selected row.

    None if datasets were added or removed since, because rows then move.
    """
    shown = st.dataframe(
        [_row(application, dataset) for dataset in datasets],
        hide_index=True,
        width="stretch",
        row_height=ROW_HEIGHT,
        column_config={
            _("Preview"): st.column_config.ImageColumn(width=PREVIEW_WIDTH),
            **counts(_("Images"), _("Classes")),
        },
        key="datasets " + " ".join(dataset.name for dataset in datasets),
        on_select="rerun",
        selection_mode="single-row-required" if len(datasets) == 1 else "single-row",
    )
    return [datasets[row] for row in shown.selection.rows[:1]]


def _look_into(application: Application, dataset: RegisteredDataset) -> None:
    name, newest = dataset.name, dataset.versions[-1]
    folder = application.settings.workspace.datasets_dir / name / str(newest)
    st.subheader(plain(name))
    class_from = _label_choice(folder, f"{name}-{newest}")
    with st.container(horizontal=True):
        if st.button(_("Create pipeline"), key="dataset-pipeline", type="primary"):
            _new_pipeline(application, name, newest, class_from)
        with st.popover(_("Use in a pipeline")):
            _use(application, name, newest)
        if st.button(_("Delete ..."), key="dataset-delete"):
            _confirm_deletion(application, name)
    if application.session.recording_versions.is_recorded(name, newest):
        words = escape(_("Recorded with the camera: add images"))
        address = f"/camera?recording={quote(name)}"
        st.html(f'<a href="{address}" style="color: {LINK_COLOR}">{words}</a>')
    _summary(lambda: summary_of_version(folder), MAX_CLASSES)
    dataset_look(folder, f"class-look-{name}-{newest}")


def _label_choice(folder: Path, key: str) -> ClassFrom | None:
    try:
        return label_choice(summary_of_version(folder).verdict, key)
    except ModuleError:  # removed or unreadable in the meantime
        return None


def _new_pipeline(
    application: Application, name: str, version: int, class_from: ClassFrom | None
) -> None:
    made = pipeline_from(application, name, version, class_from)
    if made.error is not None:
        st.error(plain(made.error))
    else:
        open_pipeline(made.id)


def _use(application: Application, name: str, version: int) -> None:
    """Add an Import Images of the dataset to an existing pipeline."""
    pipelines = application.session.pipelines
    labels = labels_of(pipelines.all())
    chosen = st.selectbox(
        _("Pipeline"),
        list(labels)[:OFFERED],
        format_func=labels.__getitem__,
        key="dataset-user",
    )
    if chosen is None:
        st.write(_("No pipelines yet."))
    elif st.button(_("Add to pipeline"), key="dataset-use", type="primary"):
        source = f"dataset:{name}@{version}"
        try:
            revision = pipelines.open(chosen)
            document = with_images(
                parse_document(revision.document), application.session.catalog, source
            )
            pipelines.commit(document, revision.revision)
        except PipelineError as error:
            st.error(plain(f"{error.problems[0].message} {error.problems[0].cure}"))
        except DesignerError as error:
            st.error(plain(f"{error.message} {error.cure}"))
        else:
            open_pipeline(chosen)


@st.dialog(_("Delete this dataset?"), width=SMALL)
def _confirm_deletion(application: Application, name: str) -> None:
    st.write(_("All versions of **{name}** are deleted. This cannot be undone.", name=plain(name)))
    if not dialog_buttons(_("Delete"), key="dataset-delete-go"):
        return
    try:
        application.session.datasets.delete(name)
    except (InUseError, LookupError) as error:
        st.error(plain(error.args[0]))
    else:
        st.rerun()


def _row(application: Application, dataset: RegisteredDataset) -> dict[str, object]:
    folder = application.settings.workspace.datasets_dir / dataset.name / str(dataset.versions[-1])
    try:
        counted, pictures = summary_of_version(folder), strip_of_version(folder)
    except ModuleError:
        counted, pictures = FolderSummary(), ""
    return {
        _("Dataset"): dataset.name,
        _("Preview"): pictures or None,
        _("Source"): f"dataset:{dataset.name}",
        _("Versions"): ", ".join(map(str, dataset.versions)),
        _("Images"): counted.images,
        _("Classes"): counted.num_classes,
        _("Size"): format_bytes(counted.num_bytes),
    }


def _folder(application: Application) -> None:
    roots = ", ".join(f"`{root}`" for root in application.settings.allowed_roots)
    st.write(_("A folder or an archive below {roots}.", roots=roots))
    path = st.text_input(_("Path"), key="folder-path", max_chars=4096)
    name = st.text_input(_("Dataset name"), key="folder-name", max_chars=100)
    left, middle = st.columns([1, 1, 4])[:2]
    is_previewed = left.button(
        _("Preview"), key="folder-preview", disabled=not path, width="stretch"
    )
    is_kept = middle.button(
        _("Copy to workspace"),
        key="folder-keep",
        disabled=not path,
        type="primary",
        width="stretch",
    )
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    if is_previewed:
        allowed = context.allowed_roots
        _summary(lambda: folder_summary(readable(path, context), allowed_roots=allowed))
    if is_kept:
        _keep_copy(application, lambda: readable(path, context), name)


def _keep_copy(application: Application, location: Callable[[], Path], name: str) -> None:
    try:
        source = location()
        with st.spinner(_("Copying ...")):
            made = application.session.datasets.add(
                source,
                name or None,
                allowed_roots=application.settings.allowed_roots,
            )
    except ModuleError as error:
        st.error(plain(error))
        return
    st.success(_("Registered. Use it in Import Images as `{source}`.", source=made.source))
    if made.preview.notice:
        st.info(plain(made.preview.notice))


def _summary(count: Callable[[], FolderSummary], pictured: int = 0) -> None:
    """Return images, classes and size of a folder, or the reason why it cannot be read.

    Classes are listed with their counts if there are more than will be ``pictured``.
    """
    try:
        summary = count()
    except ModuleError as error:
        st.error(plain(error))
        return
    if summary.notice is not None:
        st.info(plain(summary.notice))
    classes = format_count(summary.num_classes) if summary.num_classes else _("unknown")
    size = format_bytes(summary.num_bytes)
    shown = {_("Images"): format_count(summary.images), _("Classes"): classes, _("Size"): size}
    figures(shown, "dataset")
    if len(summary.classes) > pictured:
        rows = [
            {_("Class"): category.name, _("Images"): category.images}
            for category in summary.classes
        ]
        st.dataframe(rows, hide_index=True, width="content", column_config=counts(_("Images")))
