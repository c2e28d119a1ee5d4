"""First field of the home page: the user's own images become a pipeline ready to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import streamlit as st

from designer_app.application import Application
from designer_app.elements.start import MadePipeline, StartChoice, TrainingOption, start
from designer_app.screens.dataset_look import dataset_notices
from designer_app.screens.label_choice import label_choice
from designer_app.screens.navigation import open_pipeline
from designer_app.translation import _
from modules.datasets.folder_summary import FolderSummary, summary_of_version
from modules.errors import ModuleError
from modules.formatting import format_bytes, format_count, format_seconds
from modules.layouts.part_names import Part
from modules.layouts.readings import ClassFrom
from pipelines.document.document import parse_document
from pipelines.errors import DesignerError
from pipelines.forecasting.starter_pipeline import (
    SECONDS,
    ChoiceId,
    StarterChoice,
    StarterPipeline,
    chosen_variant,
    starter_choices,
    starter_of_dataset,
    with_choice,
)
from pipelines.inspection.dataset_pictures import (
    ClassPictures,
    DatasetPictures,
    pictures_of_version,
)
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
        dataset_notices(dataset)
    if choice.name is not None:
        known = None if choice.is_again else _known_pipeline(application, choice)
        st.session_state[MADE] = known or pipeline_from(application, choice.name, choice.version)
        st.rerun()
    wanted = choice.run or choice.open
    if wanted is not None and not _choose(application, wanted, choice.option):
        st.rerun()
    if choice.run is not None:
        _run(application, choice.run)
    elif choice.open is not None:
        open_pipeline(choice.open)


def _known_pipeline(application: Application, choice: StartChoice) -> MadePipeline | None:
    """Return the newest pipeline for a version of a dataset that was added before, if any."""
    name, datasets = str(choice.name), application.session.datasets
    rows = datasets.pipelines_of(name, choice.version)
    if not rows:
        return None
    location = datasets.location(name, choice.version)
    classes = _classes(location)
    return MadePipeline(
        rows[0].id,
        name,
        found_text(summary_of_version(location), with_classes=not classes),
        version=choice.version,
        was_known=True,
        classes=classes,
    )


def _choose(application: Application, pipeline_id: str, option_id: str | None) -> bool:
    """Save the pipeline as the chosen variant; False if that fails, which the field shows."""
    made: MadePipeline | None = st.session_state.get(MADE)
    options = {} if made is None else {option.id: option for option in made.options}
    if made is None or option_id not in options or option_id == made.option:
        return True
    session, option = application.session, options[option_id]
    try:
        revision = session.pipelines.open(pipeline_id)
        document = parse_document(revision.document)
        variant = with_choice(document, session.catalog, cast(ChoiceId, option.id), option.pixels)
        session.pipelines.commit(variant, revision.revision)
    except DesignerError as error:
        st.session_state[MADE] = MadePipeline(error=_words(error))
        return False
    st.session_state[MADE] = replace(made, option=option.id)
    return True


def _words(error: DesignerError | ModuleError) -> str:
    """Return an error and its fix; of several problems, the first."""
    first = error.problems[0] if isinstance(error, PipelineError) else error
    return f"{first.message} {first.cure}"


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
        pictures = pictures_of_version(session.datasets.location(name, version))
        if pictures.num_images and len(pictures.broken) == pictures.num_images:
            return MadePipeline(error=_all_broken(pictures))
        roots = application.settings.allowed_roots
        made, summary = starter_of_dataset(
            session.runs, session.datasets, name, version, roots, class_from
        )
        revision = session.pipelines.create(made.document)
        choices = starter_choices(session.runs, made, roots)
    except (DesignerError, ModuleError) as error:
        return MadePipeline(error=_words(error))
    classes = _classes(session.datasets.location(name, version))
    return MadePipeline(
        revision.pipeline_id,
        name,
        found_text(summary, with_classes=not classes),
        plan_text(made),
        version,
        classes=classes,
        options=tuple(map(_option, choices)),
        option=chosen_variant(made),
    )


def _all_broken(pictures: DatasetPictures) -> str:
    file, reason = pictures.broken[0]
    return _(
        "None of the {count:,} {count:image|images} can be read: {file} ({reason}). Select a "
        "folder of JPEG, PNG, PPM, PGM, BMP, TIFF, WebP or GIF images.",
        count=pictures.num_images,
        file=file,
        reason=reason,
    )


def _classes(location: Path) -> tuple[ClassPictures, ...]:
    try:
        return pictures_of_version(location).classes
    except ModuleError:  # removed or unreadable in the meantime
        return ()


def _option(choice: StarterChoice) -> TrainingOption:
    labels = {"quick": _("Quick"), "better": _("Better"), "fine-tuned": _("Fine-tune")}
    layers = _("all layers") if choice.id == "fine-tuned" else _("last layer")
    about = _("{pixels} px, {layers}", pixels=choice.pixels, layers=layers)
    time = _("about {time}", time=format_seconds(choice.seconds))
    return TrainingOption(choice.id, labels[choice.id], about, time, choice.pixels)


def found_text(summary: FolderSummary, *, with_classes: bool = True) -> str:
    """Return ``312 images in 4 classes (ants: 120, bees: 110 ...), 45 MB.``"""
    shown = [
        f"{category.name}: {format_count(category.images)}"
        for category in summary.classes[:SHOWN_CLASSES]
    ]
    more = " ..." if summary.num_classes > len(shown) else ""
    size = format_bytes(summary.num_bytes)
    if shown and not with_classes:
        text = _(
            "{images:,} {images:image|images} in {classes:,} {classes:class|classes}, {size}.",
            images=summary.images,
            classes=summary.num_classes,
            size=size,
        )
    elif shown:
        text = _(
            "{images:,} {images:image|images} in {classes:,} {classes:class|classes} ({names}), "
            "{size}.",
            images=summary.images,
            classes=summary.num_classes,
            names=", ".join(shown) + more,
            size=size,
        )
    else:
        text = _("{images:,} {images:image|images}, {size}.", images=summary.images, size=size)
    return f"{text} {summary.notice}" if summary.notice else text


def plan_text(made: StarterPipeline) -> str:
    """Return the steps of the pipeline, and why it may take longer than its estimate."""
    roles = _roles(made.parts)
    sentences = [_("A pretrained EfficientNet-Lite0 is trained {roles}.", roles=roles)]
    if made.seconds > SECONDS:
        sentences.append(
            _("This is the smallest configuration; a machine with more cores is faster.")
        )
    if other_work := made.forecast.other_work.words:
        now = format_seconds(made.forecast.other_work.seconds)
        sentences.append(
            _(
                "This machine is busy ({work}): about {time} instead of {estimate}.",
                work=other_work,
                time=now,
                estimate=format_seconds(made.seconds),
            )
        )
    return " ".join(sentences)


def _roles(parts: Sequence[Part]) -> str:
    """Return which images train the network, and which evaluate it."""
    if "validation" in parts[1:] and "test" in parts[1:]:
        return _("on {part}, is validated on validation and evaluated on test", part=parts[0])
    if "test" in parts[1:]:
        return _(
            "on four fifths of {part}, is validated on the rest and evaluated on test",
            part=parts[0],
        )
    if len(parts) > 1:
        return _("on {part} and is evaluated on {other}", part=parts[0], other=parts[1])
    if parts:
        return _("on four fifths of {part} and is evaluated on the rest", part=parts[0])
    return _("on four fifths of the images and is evaluated on the rest")


def _run(application: Application, pipeline_id: str) -> None:
    session = application.session
    try:
        document = parse_document(session.pipelines.open(pipeline_id).document)
        roots = root_texts(application.settings.allowed_roots)
        request = RunRequest(
            application.prepared(document), pipeline_id=pipeline_id, allowed_roots=roots
        )
        run_id = session.runs.submit(request)
    except DesignerError as error:
        st.session_state[MADE] = MadePipeline(error=_words(error))
        st.rerun()
    open_pipeline(pipeline_id, run_id)
