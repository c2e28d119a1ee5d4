"""Trace of one image: the same image at every node of the run that it passed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from designer_app.viewers.charts import draw_chart
from designer_app.viewers.followed_image import Followed, stop_following
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.similar_images import show_similar_images
from designer_app.viewers.transformation import draw_again_button, samples, show_pixels
from designer_app.viewers.viewed_output import ViewedOutput
from pipelines.errors import InspectionError
from pipelines.inspection.image_trace import (
    InDirectory,
    InEvaluation,
    InScores,
    InTraining,
    Station,
    TracedImage,
    image_facts,
    stations,
)
from pipelines.inspection.questions import EXPLANATION, ExplanationAnswer
from pipelines.inspection.thumbnails import picture_address
from pipelines.runs.metric_words import metric_text

if TYPE_CHECKING:
    from modules.explain.samples import TensorChannel

FILE_EDGE = 240
MOST_PROBABLE = 10
INFERENCE = _("For inference")
MODES = {
    _("For training"): _("Transformed for training, with random operations."),
    INFERENCE: _("Transformed for inference, without random operations."),
}


def show_image_trace(subject: ViewedOutput, followed: Followed) -> None:
    """Draw the trace of the image, from its file to its cell in the confusion matrix."""
    st.button(
        _("Back to output"),
        key=subject.name("back"),
        icon=":material/arrow_back:",
        on_click=stop_following,
        args=(subject,),
    )
    image = image_facts(followed.folder, followed.index)
    _file(image)
    passed = stations(subject.outputs, image)
    if not passed:
        st.info(_("The run of this image was deleted. Only the file is available."))
    for place, station in enumerate(passed):
        with st.container(border=True):
            title = subject.outputs.title(station.output.node)
            st.markdown(f"**{plain(title)}**")
            _draw(subject, station, f"{place}")
    if passed:
        show_similar_images(subject, followed.folder, followed.index)


def _file(image: TracedImage) -> None:
    picture, facts = st.columns([1, 3])
    address = picture_address(image.file, FILE_EDGE)
    with picture:
        if address is None:
            st.error(_("The file cannot be read anymore. Run Convert to Image Directory again."))
        else:
            st.html(
                f'<img alt="the picture" data-testid="followed" src="{address}" '
                'style="max-width:100%;image-rendering:pixelated;border-radius:8px"/>'
            )
    rows = {
        _("File"): image.path,
        _("Class"): image.label if image.label is not None else _("no label"),
        _("Size"): _(
            "{width:,} x {height:,} pixels, {num_bytes:,} bytes",
            width=image.width,
            height=image.height,
            num_bytes=image.num_bytes,
        ),
        "SHA-256": image.sha256,
    }
    table = [{_("Property"): name, _("Value"): value} for name, value in rows.items()]
    facts.dataframe(table, hide_index=True, width="stretch")


def _draw(subject: ViewedOutput, station: Station, part: str) -> None:
    drawers: dict[type, Callable[[ViewedOutput, Any, str], None]] = {
        InDirectory: _directory,
        InTraining: _training,
        InScores: _scores,
        InEvaluation: _evaluation,
    }
    drawers[type(station)](subject, station, part)


def _directory(subject: ViewedOutput, station: InDirectory, part: str) -> None:
    port = plain(subject.outputs.port_title(station.output))
    st.markdown(
        _(
            "In {port}: image {index:,} of {num_images:,}.",
            port=port,
            index=station.index + 1,
            num_images=station.num_images,
        )
    )
    if not station.operations:
        return
    key = subject.name(f"draw-{part}")
    seed = int(st.session_state.get(key, 0))
    st.caption(MODES.get(station.mode or "", _("Transformed.")))
    try:
        drawn = samples(subject, station.output.folder, station.index, None, seed)
    except InspectionError as error:
        st.error(plain(error))
        return
    drawings = drawn["after"][:1] if station.mode == INFERENCE else drawn["after"]
    pictures = [drawn["before"], *drawings]
    for place, (column, png) in enumerate(zip(st.columns(7), pictures, strict=False)):
        with column:
            show_pixels(png, _("after") if place else _("before"))
    if station.mode != INFERENCE:
        draw_again_button(key)


def _training(_subject: ViewedOutput, station: InTraining, _part: str) -> None:
    st.markdown(_("{role} this image.", role=station.role))


def prediction_words(station: InScores) -> str:
    """Return the predicted class of an image with its confidence, and its true class."""
    right = station.category is None or station.category == station.label
    facts = {
        "label": plain(station.label),
        "confidence": metric_text("accuracy", station.confidence),
    }
    if station.category is None:
        words = _("Predicted **{label}** with {confidence}.", **facts)
    else:
        words = _(
            "Predicted **{label}** with {confidence}, labelled {category}.",
            **facts,
            category=plain(station.category),
        )
    return words if right else f"{words} {_('Incorrect.')}"


def _scores(subject: ViewedOutput, station: InScores, part: str) -> None:
    import altair as alt
    import pandas as pd

    st.markdown(prediction_words(station))
    probable = sorted(station.probabilities.items(), key=lambda entry: -entry[1])[:MOST_PROBABLE]
    rows = pd.DataFrame(probable, columns=["class", "probability"])
    bars = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X(
                "probability:Q",
                title=_("Probability"),
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(tickCount=10),
            ),
            y=alt.Y("class:N", sort=None, title=None),
            tooltip=["class:N", alt.Tooltip("probability:Q", format=".4f")],
        )
        .properties(height=24 * len(rows) + 40)
    )
    draw_chart(subject, f"probabilities-{part}", bars, rows)
    if station.model is not None:
        _heat_map(subject, station, part, [name for name, _ in probable])


def _heat_map(subject: ViewedOutput, station: InScores, part: str, names: list[str]) -> None:
    assert station.model is not None
    chosen = st.selectbox(
        _("Heat map of class"), names, key=subject.name(f"explained-{part}"), width=320
    )
    with errors_shown():
        explanation = request_inspection(
            subject,
            _("Computing ..."),
            EXPLANATION,
            model=str(station.model.folder),
            dataset=str(station.dataset.folder),
            index=station.index,
            class_name=chosen,
        )
        _draw_explanation(explanation)


def _draw_explanation(explanation: ExplanationAnswer) -> None:
    """Draw the image as the model received it, the heat map, and the input values."""
    seen, heat, numbers = st.columns([1, 1, 3])
    with seen:
        show_pixels(explanation["seen"], _("Model input"))
        st.caption(
            _(
                "Model input, {width} x {height} pixels",
                width=explanation["size"][1],
                height=explanation["size"][0],
            )
        )
    with heat:
        if explanation["overlay"] is None:
            st.info(_("This network has no feature maps; no heat map is available."))
        else:
            show_pixels(explanation["overlay"], _("heat map"))
            st.caption(plain(_("Grad-CAM at {layer}", layer=explanation["layer"])))
    with numbers:
        st.caption(_("Model input tensor"))
        rows = [_channel(channel) for channel in explanation["tensor"]]
        st.dataframe(rows, hide_index=True, width="stretch")


def _channel(statistics: TensorChannel) -> dict[str, object]:
    return {
        _("Channel"): statistics["channel"],
        _("Minimum"): round(statistics["minimum"], 4),
        _("Maximum"): round(statistics["maximum"], 4),
        _("Mean"): round(statistics["mean"], 4),
        _("Deviation"): round(statistics["standard_deviation"], 4),
    }


def _evaluation(_subject: ViewedOutput, station: InEvaluation, _part: str) -> None:
    st.markdown(cell_words(station))


def cell_words(station: InEvaluation) -> str:
    """Return the cell of an image in the confusion matrix, with its share of the true class."""
    where = (
        _("In the confusion matrix (second input):")
        if station.compared
        else _("In the confusion matrix:")
    )
    cell = _(
        "actual **{actual}**, predicted **{predicted}**. {count:,} {count:image shares|images "
        "share} this cell, {rate} of the images of class {actual}.",
        actual=plain(station.actual),
        predicted=plain(station.predicted),
        count=station.count,
        rate=metric_text("share", station.rate),
    )
    return f"{where} {cell}"
