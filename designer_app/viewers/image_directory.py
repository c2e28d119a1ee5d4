"""Image directory: images by class, counts, sizes, duplicates, omitted files."""

from __future__ import annotations

import streamlit as st

from designer_app.translation import _
from designer_app.ui.page_parts import figures
from designer_app.viewers.charts import HEIGHT, draw_chart, names_axis
from designer_app.viewers.gallery import gallery_of_group
from designer_app.viewers.image_sizes import show_sizes
from designer_app.viewers.transformation import draw_samples
from designer_app.viewers.viewed_output import ViewedOutput
from modules.formatting import format_bytes, format_count
from pipelines.inspection import images
from pipelines.inspection.images import ALL, ImageOverview

MAX_BARS = 200


def show_image_directory(subject: ViewedOutput) -> None:
    """Draw the directory."""
    overview = images.overview(subject.folder)
    _figures(subject, overview)
    pictures, counts, sizes, duplicates, skipped = st.tabs(
        [_("Images"), _("Classes"), _("Sizes"), _("Duplicates"), _("Skipped")],
        key=subject.name("tabs"),
    )
    with pictures:
        _pictures(subject, overview)
    with counts:
        _classes(subject, overview)
    with sizes:
        show_sizes(subject)
    with duplicates:
        _listing(subject, "duplicates", overview.num_duplicates, _("No duplicates."))
    with skipped:
        _listing(subject, "skipped", overview.num_skipped, _("No files were skipped."))


def _figures(subject: ViewedOutput, overview: ImageOverview) -> None:
    facts = {
        _("Images"): format_count(overview.num_images),
        _("Classes"): format_count(len(overview.classes)),
        _("No label"): format_count(overview.num_unlabeled),
        _("Duplicates"): format_count(overview.num_duplicates),
        _("Size"): format_bytes(overview.num_bytes),
    }
    figures(facts, subject.name("facts"))


def _pictures(subject: ViewedOutput, overview: ImageOverview) -> None:
    attached = images.opened(subject.folder).transformation
    is_transformed = attached is not None and bool(attached.operations)
    if is_transformed and st.toggle(
        _("Before and after the transformation"), key=subject.name("transformed")
    ):
        draw_samples(subject, subject.folder, None)
        return
    names = [_("All classes"), *overview.classes]
    sizes = [overview.num_images, *overview.class_sizes]
    if overview.num_unlabeled:
        names.append(_("No label"))
        sizes.append(overview.num_unlabeled)
    chosen = st.selectbox(
        _("Class"),
        range(len(names)),
        key=subject.name("class"),
        format_func=lambda number: f"{names[number]} ({sizes[number]:,})",
        label_visibility="collapsed",
    )
    number = ALL if chosen is None else chosen
    gallery_of_group(subject, subject.folder, number, sizes[number])


def _classes(subject: ViewedOutput, overview: ImageOverview) -> None:
    import altair as alt
    import pandas as pd

    names, counts = list(overview.classes), list(overview.class_sizes)
    if overview.num_unlabeled:
        names.append(_("(no label)"))
        counts.append(overview.num_unlabeled)
    table = pd.DataFrame({"class": names, "images": counts})
    if table.empty:
        st.info(_("No classes: the images have no labels."))
        return
    chart = (
        alt.Chart(table.head(MAX_BARS))
        .mark_bar()
        .encode(
            x=alt.X("class:N", sort=None, title=None, axis=names_axis(names[:MAX_BARS])),
            y=alt.Y("images:Q", title=_("Images")),
            tooltip=["class:N", "images:Q"],
        )
        .properties(height=HEIGHT)
    )
    draw_chart(subject, "classes", chart, table)
    if len(table) > MAX_BARS:
        st.caption(
            _(
                "The first {shown} of {count:,} classes; the downloaded data has all.",
                shown=MAX_BARS,
                count=len(table),
            )
        )


def _listing(subject: ViewedOutput, title: str, number: int, nothing: str) -> None:
    if not number:
        st.info(nothing)
        return
    table = (
        images.duplicates(subject.folder)
        if title == "duplicates"
        else images.skipped(subject.folder)
    )
    st.dataframe(table, key=subject.name(title), hide_index=True, width="stretch")
    if len(table) < number:
        st.caption(_("The first {count:,} of {number:,}.", count=len(table), number=number))
