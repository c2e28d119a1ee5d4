"""Transformation: its operations, and images before and after, redrawn on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.viewers.followed_image import follow
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import ImageTransformation
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.images import overview
from pipelines.inspection.questions import SAMPLES, DrawnImage
from pipelines.inspection.varied import images_to_transform
from pipelines.sentences import places

WORDS = {"p": "probability"}
"""Labels for arguments with unclear names."""
IMAGES = 4
DRAWS = 6
NARROWEST = f"max(4rem, (100% - {DRAWS} * 0.75rem) / {DRAWS + 1})"
COLUMNS = f"repeat(auto-fill, minmax({NARROWEST}, 1fr))"
GRID = f"display: grid; gap: 0.75rem; grid-template-columns: {COLUMNS}"
"""Layout of an image's variants side by side; on a phone they wrap into several lines."""


def show_transformation(subject: ViewedOutput) -> None:
    """Draw the operations and their effect on images of this run."""
    try:
        operations = ImageTransformation(subject.folder).operations
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableArtifactError(places.OPERATIONS_UNREADABLE) from error
    _operations(operations)
    node = "" if subject.output is None else subject.output.node
    directory = images_to_transform(subject.outputs, node)
    if directory is None:
        st.info(_("Connect images in the pipeline to see examples before and after."))
        return
    draw_samples(subject, directory.folder, str(subject.folder))


def draw_samples(subject: ViewedOutput, folder: Path, transformation: str | None) -> None:
    """Draw one row per image: unchanged, then varied; None uses the attached transformations."""
    key = subject.name("draw")
    seed = int(st.session_state.get(key, 0))
    draw_again_button(key)
    st.caption(
        _("Each image before, then several times after the operations with new random values.")
    )
    num_images = overview(folder).num_images
    step = max(1, num_images // IMAGES)
    with errors_shown():
        for place in range(min(IMAGES, num_images)):
            index = (seed + place * step) % num_images
            _row(subject, folder, index, samples(subject, folder, index, transformation, seed))


def draw_again_button(key: str) -> None:
    """Draw the button that changes the seed under ``key`` in the session state."""

    def draw_again() -> None:
        st.session_state[key] = int(st.session_state.get(key, 0)) + 1

    st.button(_("New samples"), key=f"{key}-again", icon=":material/casino:", on_click=draw_again)


def samples(
    subject: ViewedOutput, folder: Path, index: int, transformation: str | None, seed: int
) -> DrawnImage:
    """Return one image before and after each transformation, as PNG in base64."""
    return request_inspection(
        subject,
        _("Rendering ..."),
        SAMPLES,
        dataset=str(folder),
        index=index,
        transformation=transformation,
        seed=seed,
        count=DRAWS,
    )


def _row(subject: ViewedOutput, folder: Path, index: int, drawn: DrawnImage) -> None:
    pictures = [_pixels(drawn["before"], "before")]
    pictures += [_pixels(picture, "after") for picture in drawn["after"]]
    st.html(f'<div style="{GRID}">{"".join(pictures)}</div>')
    st.button(
        _("Follow"),
        key=subject.name(f"follow-{index}"),
        help=_("See this image at every node of the run."),
        icon=":material/route:",
        on_click=follow,
        args=(subject, folder, index),
        type="tertiary",
    )


def show_pixels(png: str, alt: str) -> None:
    """Draw a small image with sharp pixels; ``png`` is base64 that we encoded."""
    st.html(_pixels(png, alt))


def _pixels(png: str, alt: str) -> str:
    return (
        f'<img alt="{alt}" src="data:image/png;base64,{png}" style="width:100%;max-width:160px;'
        'image-rendering:pixelated;border-radius:6px;display:block"/>'
    )


def _operations(operations: Sequence[Mapping[str, Any]]) -> None:
    st.caption(_("Operations on each image, in order."))
    rows = [
        {
            _("Operation"): str(operation["operation"]).replace("_", " ").capitalize(),
            _("Arguments"): ", ".join(
                f"{WORDS.get(name, name)} {value}"
                for name, value in operation.items()
                if name != "operation"
            ),
        }
        for operation in operations
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
