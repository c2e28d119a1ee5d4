"""Try an image: predictions of a trained model for a dropped, pasted, chosen or captured image."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from designer_app.elements.element import element
from designer_app.translation import _
from designer_app.ui.triggers import ignored
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.viewed_output import ViewedOutput
from modules.errors import ModuleError
from pipelines.errors import DesignerError, InspectionError
from pipelines.inspection.questions import MAX_PICTURE_BYTES, SIMILAR, TRY_PICTURE
from pipelines.inspection.similar_images import images_of_model, similar_pictures
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
        on_similar_change=ignored,
    )
    if isinstance(result.picture, dict):
        st.session_state[f"{key}-told"] = _told(subject, result.picture)
        st.rerun()
    elif isinstance(result.similar, dict) and prediction:
        similar = _similar(subject, result.similar)
        st.session_state[f"{key}-told"] = {**prediction, "similar": similar}
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


def _similar(subject: ViewedOutput, sent: Mapping[str, object]) -> dict[str, object]:
    """Return the similar training images, or the reason why there are none."""
    images = images_of_model(subject.outputs, subject.folder)
    if images is None:
        gone = _("The training images are no longer available. Run the pipeline again.")
        return {"verdict": gone, "neighbors": []}
    facts = images.facts(subject.workspace.cache_dir)

    def compared(picture: Path) -> dict[str, object]:
        answer = request_inspection(subject, None, SIMILAR, picture=str(picture), **facts)
        return similar_pictures(images.training, answer).model_dump(mode="json")

    similar = _with_picture(subject, sent, compared)
    return {"verdict": similar.get("error", ""), "neighbors": [], **similar}


def _told(subject: ViewedOutput, sent: Mapping[str, object]) -> dict[str, object]:
    """Return the inspector's answer, or the reason why there is none."""

    def predicted(picture: Path) -> dict[str, object]:
        model = str(subject.folder)
        answer = request_inspection(subject, None, TRY_PICTURE, model=model, picture=str(picture))
        confusions = confusions_text(subject.outputs, subject.folder, answer["category"])
        return {**answer, "confusions": confusions}

    return _with_picture(subject, sent, predicted)


def _with_picture(
    subject: ViewedOutput,
    sent: Mapping[str, object],
    answer: Callable[[Path], dict[str, object]],
) -> dict[str, object]:
    """Return the answer about the image in a file, which is removed; or an error."""
    try:
        content = base64.b64decode(str(sent.get("content", "")), validate=True)
    except binascii.Error:
        return {"error": _("The image was not received completely. Try again.")}
    cache = subject.workspace.cache_dir
    with picture_file(cache, str(sent.get("name", "")), content[:MAX_PICTURE_BYTES]) as picture:
        try:
            return answer(picture)
        except InspectionError as error:
            return {"error": f"{error.message} {error.cure}"}


def _as_text(prediction: Mapping[str, object] | None) -> str | None:
    """Return it as JSON: for lists, Streamlit would import pandas."""
    return None if prediction is None else json.dumps(prediction)
