"""Try an image: predictions of a trained model for a dropped, pasted, chosen or captured image."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from designer_app.elements.element import element
from designer_app.translation import _
from designer_app.ui.triggers import ignored
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.errors import ModuleError
from modules.files.disk import scratch_folder
from modules.files.workspace_folder import TRIED
from pipelines.errors import DesignerError, InspectionError, UnreadableArtifactError
from pipelines.inspection.confusions import confusions_of
from pipelines.inspection.questions import TRY_PICTURE
from pipelines.registry.kept_pictures import keep_picture

MAX_BYTES = 20_000_000
ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp", ".tif", ".tiff"})


def try_picture(subject: ViewedOutput) -> None:
    """Draw the field and the prediction for the last image, which is kept only on request."""
    key = subject.name("try")
    prediction = st.session_state.get(f"{key}-told")
    result = element("try_picture")(
        key=key,
        data={"maxBytes": MAX_BYTES, "told": prediction},
        on_picture_change=ignored,
        on_keep_change=ignored,
    )
    if isinstance(result.picture, dict):
        st.session_state[f"{key}-told"] = _told(subject, result.picture)
        st.rerun()
    elif isinstance(result.keep, dict) and prediction:
        st.session_state[f"{key}-told"] = {**prediction, "kept": _kept(subject, result.keep)}
        st.rerun()


def _kept(subject: ViewedOutput, sent: Mapping[str, object]) -> str:
    """Return the result of keeping the image, as a sentence."""
    category = str(sent.get("category", ""))
    try:
        content = base64.b64decode(str(sent.get("content", "")), validate=True)[:MAX_BYTES]
        datasets = subject.application.session.datasets
        added = keep_picture(datasets, content, _ending(sent), category)
    except binascii.Error:
        return _("The image was not received completely. Try again.")
    except (ModuleError, DesignerError) as error:
        return f"{error.message} {error.cure}"
    return _("Added as {category}. Use it as {source}.", category=category, source=added.source)


def _ending(sent: Mapping[str, object]) -> str:
    """Return the extension of the image's file; its content is only known after reading."""
    ending = Path(str(sent.get("name", ""))).suffix.lower()
    return ending if ending in ENDINGS else ".png"


def _confusions(subject: ViewedOutput, category: str) -> str:
    """Return the confusions of the predicted class in the model's run; empty if not evaluated."""
    try:
        confusions = confusions_of(subject.outputs, subject.folder, category)
    except UnreadableArtifactError:
        return ""
    return confusions.text if confusions else ""


def _told(subject: ViewedOutput, sent: Mapping[str, object]) -> dict[str, object]:
    """Return the inspector's answer, or the reason why there is none."""
    try:
        content = base64.b64decode(str(sent.get("content", "")), validate=True)
    except binascii.Error:
        return {"error": _("The image was not received completely. Try again.")}
    cache = subject.workspace.cache_dir
    with scratch_folder(cache, TRIED) as folder:
        picture = folder / f"picture{_ending(sent)}"
        picture.write_bytes(content[:MAX_BYTES])
        try:
            answer = request_inspection(
                subject, None, TRY_PICTURE, model=str(subject.folder), picture=str(picture)
            )
            return {**answer, "confusions": _confusions(subject, answer["category"])}
        except InspectionError as error:
            return {"error": f"{error.message} {error.cure}"}
