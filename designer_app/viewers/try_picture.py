"""Try an image: predictions of a trained model for a dropped, pasted, chosen or captured image."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping

import streamlit as st

from designer_app.elements.element import element
from designer_app.translation import _
from designer_app.ui.triggers import ignored
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.errors import ModuleError
from pipelines.errors import DesignerError, InspectionError
from pipelines.inspection.questions import MAX_PICTURE_BYTES, TRY_PICTURE
from pipelines.inspection.trying import confusions_text, kept_picture_file, picture_file


def try_picture(subject: ViewedOutput) -> None:
    """Draw the field and the prediction for the last image, which is kept only on request."""
    key = subject.name("try")
    prediction = st.session_state.get(f"{key}-told")
    result = element("try_picture")(
        key=key,
        data={"maxBytes": MAX_PICTURE_BYTES, "told": _as_text(prediction)},
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
        content = base64.b64decode(str(sent.get("content", "")), validate=True)
        datasets = subject.application.session.datasets
        name = str(sent.get("name", ""))
        added = kept_picture_file(datasets, content[:MAX_PICTURE_BYTES], name, category)
    except binascii.Error:
        return _("The image was not received completely. Try again.")
    except (ModuleError, DesignerError) as error:
        return f"{error.message} {error.cure}"
    return _("Added as {category}. Use it as {source}.", category=category, source=added.source)


def _told(subject: ViewedOutput, sent: Mapping[str, object]) -> dict[str, object]:
    """Return the inspector's answer, or the reason why there is none."""
    try:
        content = base64.b64decode(str(sent.get("content", "")), validate=True)
    except binascii.Error:
        return {"error": _("The image was not received completely. Try again.")}
    cache = subject.workspace.cache_dir
    with picture_file(cache, str(sent.get("name", "")), content[:MAX_PICTURE_BYTES]) as picture:
        try:
            answer = request_inspection(
                subject, None, TRY_PICTURE, model=str(subject.folder), picture=str(picture)
            )
        except InspectionError as error:
            return {"error": f"{error.message} {error.cure}"}
    confusions = confusions_text(subject.outputs, subject.folder, answer["category"])
    return {**answer, "confusions": confusions}


def _as_text(prediction: Mapping[str, object] | None) -> str | None:
    """Return it as JSON: for lists, Streamlit would import pandas."""
    return None if prediction is None else json.dumps(prediction)
