"""An untrained model: its layers, parameters, work, and memory at a batch size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.ui.markdown import plain
from designer_app.viewers.charts import draw_chart
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import UntrainedModel
from modules.formatting import format_bytes
from pipelines.errors import InspectionError, UnreadableArtifactError
from pipelines.sentences import places

if TYPE_CHECKING:
    import pandas as pd

MOST_PARTS = 24
PART, HEADROOM = 24, 90
"""Pixels of a chart: of a part's two bars, and for all that is around them."""


def show_untrained_model(subject: ViewedOutput) -> None:
    """Draw the model for a number of classes, an image size and a batch size."""
    try:
        recipe = UntrainedModel(subject.folder).recipe
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableArtifactError(places.DESCRIPTION_UNREADABLE) from error
    asked = st.columns(3)
    classes = asked[0].number_input("Classes", 2, 100_000, 10, key=subject.name("classes"))
    edge = asked[1].number_input(
        "Image size, pixels", 8, 2048, 224, step=32, key=subject.name("edge")
    )
    batch = asked[2].number_input("Batch size", 1, 65_536, 16, key=subject.name("batch"))
    try:
        facts = request_inspection(
            subject,
            "Measuring the network ...",
            "layers",
            recipe=recipe,
            num_classes=classes,
            height=edge,
            width=edge,
        )
    except InspectionError as error:
        st.error(plain(error))
        return
    _figures(recipe, facts, int(batch))
    _layers(subject, facts)


def _figures(recipe: dict[str, Any], facts: dict[str, Any], batch: int) -> None:
    training = facts["training_bytes"] + batch * facts["training_bytes_per_image"]
    shown = {
        "Architecture": str(recipe.get("architecture", "")),
        "Parameters": f"{facts['num_parameters']:,}",
        "Trained": f"{facts['num_trainable']:,}",
        "FLOPs an image": f"{facts['flops_per_image'] / 1e9:,.2f} G",
        "Memory to train": format_bytes(training),
    }
    for column, (name, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(name, value)
    start = "pretrained weights" if recipe.get("pretrained") else "random weights"
    if recipe.get("weights_path"):
        start = "the weights of a file"
    st.caption(
        f"Starts from {start}. Memory: weights, gradients and momentum "
        f"{format_bytes(facts['training_bytes'])}, and "
        f"{format_bytes(facts['training_bytes_per_image'])} for each image of a batch (fp32)."
    )


def _parts(names: pd.Series[str]) -> pd.Series[str]:
    """The block that each layer belongs to: the first two words of its name, one for very deep."""
    words = names.str.split(".")
    blocks = words.str[:2].str.join(".")
    return blocks if blocks.nunique() <= MOST_PARTS else words.str[0]


def _layers(subject: ViewedOutput, facts: dict[str, Any]) -> None:
    import altair as alt
    import pandas as pd

    layers = pd.DataFrame(facts["layers"])
    layers["part"] = _parts(layers["name"])
    parts = layers.groupby("part", sort=False)[["flops", "num_parameters"]].sum().reset_index()
    long = parts.rename(columns={"flops": "FLOPs", "num_parameters": "Parameters"}).melt(
        "part", var_name="what", value_name="number"
    )
    long["share"] = long["number"] / long.groupby("what")["number"].transform("sum").clip(lower=1)
    chart = (
        alt.Chart(long, title=alt.TitleParams("Where the work and the weights are", anchor="start"))
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
            "Layer": layers["name"],
            "Kind": layers["kind"],
            "Output": [" x ".join(map(str, each)) for each in layers["output_shape"]],
            "Parameters": layers["num_parameters"],
            "Trained": layers["is_trained"],
            "MFLOPs": (layers["flops"] / 1e6).round(2),
        }
    )
    st.dataframe(shown, key=subject.name("layers"), hide_index=True, width="stretch")
