"""Untrained model: its layers, parameters, operations, and memory at a batch size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.page_parts import counts, figures
from designer_app.viewers.charts import draw_chart
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.formatting import format_bytes
from modules.models.recipe import OWN
from pipelines.inspection.networks import input_of, parts_of, recipe_of
from pipelines.inspection.questions import LAYERS

if TYPE_CHECKING:
    from modules.explain.layers import NetworkFacts

MOST_CLASSES, MOST_PIXELS = 100_000, 2048
PART, HEADROOM = 24, 90
"""Height in pixels: of the two bars of a part, and of everything around the bars."""


def show_untrained_model(subject: ViewedOutput) -> None:
    """Draw the model for a number of classes, an image size and a batch size."""
    recipe, images = recipe_of(subject.folder), input_of(subject.outputs, subject.node)
    asked = st.columns(4)
    most = max(MOST_CLASSES, images.num_classes)
    classes = asked[0].number_input(
        _("Classes"), 1, most, images.num_classes, key=subject.name("classes")
    )
    width = _edge(asked[1], subject, "width", images.width)
    height = _edge(asked[2], subject, "height", images.height)
    batch = asked[3].number_input(_("Batch size"), 1, 65_536, 16, key=subject.name("batch"))
    with errors_shown():
        facts = request_inspection(
            subject,
            _("Analyzing network ..."),
            LAYERS,
            recipe=recipe,
            num_classes=int(classes),
            height=height,
            width=width,
        )
        _figures(subject, recipe, facts, int(batch))
        _layers(subject, facts)


def _edge(place: Any, subject: ViewedOutput, name: str, pixels: int) -> int:
    """Draw a field for the image size, initially that of this run."""
    title, most = _("Image {name}, pixels", name=name), max(MOST_PIXELS, pixels)
    return int(place.number_input(title, 1, most, pixels, step=32, key=subject.name(name)))


def _figures(
    subject: ViewedOutput, recipe: Mapping[str, Any], facts: NetworkFacts, batch: int
) -> None:
    training = facts["training_bytes"] + batch * facts["training_bytes_per_image"]
    shown = {
        _("Architecture"): str(recipe.get("architecture", "")).removeprefix(OWN),
        _("Parameters"): f"{facts['num_parameters']:,}",
        _("Trained"): f"{facts['num_trainable']:,}",
        _("FLOPs per image"): f"{facts['flops_per_image'] / 1e9:,.2f} G",
        _("Memory to train"): format_bytes(training),
    }
    figures(shown, subject.name("facts"))
    start = _("pretrained weights") if recipe.get("pretrained") else _("random weights")
    if recipe.get("weights_path"):
        start = _("weights from a file")
    st.caption(
        _(
            "Starts from {start}. Memory: weights, gradients and momentum {size}, and "
            "{image_size} for each image of a batch (fp32).",
            start=start,
            size=format_bytes(facts["training_bytes"]),
            image_size=format_bytes(facts["training_bytes_per_image"]),
        )
    )


def _layers(subject: ViewedOutput, facts: NetworkFacts) -> None:
    import altair as alt
    import pandas as pd

    layers = pd.DataFrame(facts["layers"])
    blocks = [dict(part) for part in parts_of(facts["layers"])]
    parts = pd.DataFrame(blocks).rename(columns={"name": "part"})
    long = parts.rename(columns={"flops": "FLOPs", "num_parameters": _("Parameters")}).melt(
        "part", var_name="what", value_name="number"
    )
    long["share"] = long["number"] / long.groupby("what")["number"].transform("sum").clip(lower=1)
    chart = (
        alt.Chart(long, title=alt.TitleParams(_("Compute and parameters by layer"), anchor="start"))
        .mark_bar()
        .encode(
            y=alt.Y("part:N", sort=None, title=None, axis=alt.Axis(labelLimit=220)),
            yOffset="what:N",
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%", tickCount=5)),
            color=alt.Color("what:N", title=None, legend=alt.Legend(orient="top")),
            tooltip=["part:N", "what:N", alt.Tooltip("number:Q", format=",.3~s")],
        )
        .properties(height=PART * len(parts) + HEADROOM)
    )
    draw_chart(subject, "parts", chart, parts)
    shown = pd.DataFrame(
        {
            _("Layer"): layers["name"],
            _("Kind"): layers["kind"],
            _("Output"): [" x ".join(map(str, shape)) for shape in layers["output_shape"]],
            _("Parameters"): layers["num_parameters"],
            _("Trained"): layers["is_trained"],
            "MFLOPs": (layers["flops"] / 1e6).round(2),
        }
    )
    st.dataframe(
        shown,
        key=subject.name("layers"),
        hide_index=True,
        width="stretch",
        column_config={
            **counts(_("Parameters")),
            "MFLOPs": st.column_config.NumberColumn(format="%,.2f"),
        },
    )
