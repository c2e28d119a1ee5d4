"""First field of the home page: the user's own images become a pipeline ready to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from designer_app.application import Application
from designer_app.elements.start import MadePipeline, start
from designer_app.screens.dataset_look import dataset_look
from designer_app.screens.label_choice import label_choice
from designer_app.screens.navigation import open_pipeline
from modules.datasets.folder_summary import FolderSummary, summary_of_version
from modules.errors import ModuleError
from modules.formatting import format_bytes, format_seconds, plural
from modules.layouts.part_names import Part
from modules.layouts.readings import ClassFrom
from pipelines.document.document import parse_document
from pipelines.errors import DesignerError
from pipelines.forecasting.starter_pipeline import SECONDS, StarterPipeline, starter_of_dataset
from pipelines.problems import PipelineError
from pipelines.runs.run_request import RunRequest
from pipelines.store.database.run_options import root_texts

MADE = "started-with"
LABELLED = "started-labels"
"""Key of the session state: label sources by id of the created pipeline."""
SHOWN_CLASSES = 6


def start_with_pictures(application: Application) -> None:
    """Draw the field; an added dataset becomes a pipeline, which is run or opened."""
    made: MadePipeline | None = st.session_state.get(MADE)
    choice = start(application, made, "start")
    if made is not None and made.version:
        dataset = application.session.datasets.folder / made.title / str(made.version)
        _choose_labels(application, made, dataset)
        dataset_look(dataset, "start-look")
    if choice.name is not None:
        st.session_state[MADE] = pipeline_from(application, choice.name, choice.version)
        st.rerun()
    if choice.run is not None:
        _run(application, choice.run)
    elif choice.open is not None:
        open_pipeline(choice.open)


def is_ready_to_run() -> bool:
    """Return True if a created pipeline is ready to run; its button is then the primary one."""
    made: MadePipeline | None = st.session_state.get(MADE)
    return made is not None and bool(made.version)


def _choose_labels(application: Application, made: MadePipeline, dataset: Path) -> None:
    """Draw the choice between several label sources of the images.

    Another choice creates another pipeline: the first one may have edits or runs by then.
    """
    try:
        verdict = summary_of_version(dataset).verdict
    except ModuleError:  # removed or unreadable in the meantime
        return
    chosen = label_choice(verdict, f"start-{made.title}-{made.version}")
    if chosen is None or chosen == st.session_state.get(LABELLED, {}).get(made.id, chosen):
        st.session_state[LABELLED] = {made.id: chosen}
        return
    other = pipeline_from(application, made.title, made.version, chosen)
    if other.error is None:
        st.session_state[LABELLED] = {other.id: chosen}
    st.session_state[MADE] = other
    st.rerun()


def pipeline_from(
    application: Application, name: str, version: int, class_from: ClassFrom | None = None
) -> MadePipeline:
    """Create a pipeline for a version of a registered dataset, or return why it failed.

    ``class_from`` is the label source of its images; None: the most likely one.
    """
    session = application.session
    try:
        roots = application.settings.allowed_roots
        made, summary = starter_of_dataset(
            session.runs, session.datasets, name, version, roots, class_from
        )
        revision = session.pipelines.create(made.document)
    except PipelineError as error:
        first = error.problems[0]
        return MadePipeline(error=f"{first.message} {first.cure}")
    except (DesignerError, ModuleError) as error:
        return MadePipeline(error=f"{error.message} {error.cure}")
    return MadePipeline(revision.pipeline_id, name, found_text(summary), plan_text(made), version)


def found_text(summary: FolderSummary) -> str:
    """``312 images in 4 classes (ants: 120, bees: 110 ...), 45 MB.``"""
    shown = [
        f"{category.name}: {category.images:,}" for category in summary.classes[:SHOWN_CLASSES]
    ]
    more = " ..." if summary.num_classes > len(shown) else ""
    count = summary.num_classes
    classes = f" in {count:,} class{'es' * (count != 1)}" if shown else ""
    names = f" ({', '.join(shown)}{more})" if shown else ""
    text = f"{plural(summary.images, 'image')}{classes}{names}, {format_bytes(summary.num_bytes)}."
    return f"{text} {summary.notice}" if summary.notice else text


def plan_text(made: StarterPipeline) -> str:
    """Return the steps of the pipeline and their estimated duration."""
    network = "A trained ResNet-18" if made.is_pretrained else "A new ResNet-18"
    how = f"{made.plan.pixels} pixels in {plural(made.plan.epochs, 'epoch')}"
    time = f"about {format_seconds(made.seconds)} on this machine"
    late = "This is the smallest configuration; a machine with more cores is faster."
    other_work = made.forecast.other_work.words
    now = format_seconds(made.forecast.other_work.seconds)
    return (
        f"{network} trains at {how} {_roles(made.parts)}: "
        f"{time}.{late if made.seconds > SECONDS else ''}"
        f"{f' This machine is busy ({other_work}): about {now}.' if other_work else ''}"
    )


def _roles(parts: Sequence[Part]) -> str:
    """Return which images train the network, and which evaluate it."""
    if "validation" in parts[1:] and "test" in parts[1:]:
        return f"on {parts[0]}, is validated on validation and evaluated on test"
    if "test" in parts[1:]:
        return f"on four fifths of {parts[0]}, is validated on the rest and evaluated on test"
    if len(parts) > 1:
        return f"on {parts[0]} and is evaluated on {parts[1]}"
    of_part = f"of {parts[0]}" if parts else "of the images"
    return f"on four fifths {of_part} and is evaluated on the rest"


def _run(application: Application, pipeline_id: str) -> None:
    session = application.session
    try:
        document = parse_document(session.pipelines.open(pipeline_id).document)
        roots = root_texts(application.settings.allowed_roots)
        request = RunRequest(
            application.prepared(document), pipeline_id=pipeline_id, allowed_roots=roots
        )
        run_id = session.runs.submit(request)
    except PipelineError as error:
        first = error.problems[0]
        st.session_state[MADE] = MadePipeline(error=f"{first.message} {first.cure}")
        st.rerun()
    except DesignerError as error:
        st.session_state[MADE] = MadePipeline(error=f"{error.message} {error.cure}")
        st.rerun()
    open_pipeline(pipeline_id, run_id)
