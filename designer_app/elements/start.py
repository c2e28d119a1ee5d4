"""Field for the user's own images and the created pipeline, as one Streamlit element."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from designer_app.application import Application
from designer_app.editor.static_files import archive_bundle
from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


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


@dataclass(frozen=True)
class StartChoice:
    """User's action: a dataset was added, or a pipeline is to be run or opened."""

    name: str | None = None
    version: int = 0
    run: str | None = None
    open: str | None = None


def start(application: Application, made: MadePipeline | None, key: str) -> StartChoice:
    """Draw the field; archives are streamed to the API, folders are archived first."""
    data = {
        "apiBase": "/api",
        "token": application.credentials.page_token,
        "maxBytes": application.settings.max_upload_bytes,
        "archives": archive_bundle(),
        "made": None if made is None else asdict(made),
    }
    result = element("start")(
        key=key, data=data, on_done_change=ignored, on_run_change=ignored, on_open_change=ignored
    )
    done = result.done if isinstance(result.done, dict) else {}
    name, version = done.get("name"), done.get("version")
    if not (isinstance(name, str) and isinstance(version, int)):
        name, version = None, 0
    return StartChoice(name, version, _text(result.run), _text(result.open))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
