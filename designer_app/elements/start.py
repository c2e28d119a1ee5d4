"""Field for the user's own images and the created pipeline, as one Streamlit element."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from designer_app.application import Application
from designer_app.editor.static_files import archive_bundle
from designer_app.elements.element import element
from designer_app.ui.triggers import ignored
from pipelines.inspection.dataset_pictures import ClassPictures


@dataclass(frozen=True)
class TrainingOption:
    """Variant of the pipeline to choose; ``about`` and ``time`` are its texts."""

    id: str
    label: str
    about: str
    time: str
    pixels: int


@dataclass(frozen=True)
class MadePipeline:
    """Summary of a created pipeline, or the error."""

    id: str = ""
    title: str = ""
    summary: str = ""
    plan: str = ""
    version: int = 0
    """Version of the dataset with the same name as the pipeline."""
    error: str | None = None
    was_known: bool = False
    """True if the pipeline existed: the same images were added before."""
    classes: tuple[ClassPictures, ...] = ()
    options: tuple[TrainingOption, ...] = ()
    option: str = ""
    """Option that the pipeline is."""


@dataclass(frozen=True)
class StartChoice:
    """User's action: a dataset was added, or a pipeline is to be run or opened."""

    name: str | None = None
    version: int = 0
    is_again: bool = False
    """True if the same images get another pipeline."""
    run: str | None = None
    open: str | None = None
    option: str | None = None
    """Chosen option of the pipeline to run or open."""


def start(application: Application, made: MadePipeline | None, key: str) -> StartChoice:
    """Draw the field; archives are streamed to the API, folders are archived first."""
    data = {
        "apiBase": "/api",
        "token": application.credentials.page_token,
        "maxBytes": application.settings.max_upload_bytes,
        "archives": archive_bundle(),
        # as text: for lists, Streamlit would import pandas before the first page is drawn
        "made": "null" if made is None else json.dumps(asdict(made)),
    }
    result = element("start")(
        key=key, data=data, on_done_change=ignored, on_run_change=ignored, on_open_change=ignored
    )
    done = result.done if isinstance(result.done, dict) else {}
    name, version = done.get("name"), done.get("version")
    if not (isinstance(name, str) and isinstance(version, int)):
        name, version = None, 0
    run, opened = _fields(result.run), _fields(result.open)
    return StartChoice(
        name,
        version,
        done.get("again") is True,
        run.get("id"),
        opened.get("id"),
        run.get("option") or opened.get("option"),
    )


def _fields(value: object) -> dict[str, str]:
    """Return the texts of a trigger by name."""
    items = value.items() if isinstance(value, dict) else ()
    return {name: text for name, text in items if isinstance(text, str)}
