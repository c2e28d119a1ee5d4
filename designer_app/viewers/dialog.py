"""Dialog with an output above the Design page, whose editor stays unchanged below."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from designer_app.application import Application
from designer_app.schemas.identifiers import PATH_PATTERNS
from designer_app.translation import _
from designer_app.ui.dialogs import LARGE
from designer_app.ui.markdown import plain
from designer_app.viewers.followed_image import forget
from designer_app.viewers.output_view import show_output
from designer_app.viewers.viewed_output import REGISTERED, TRIED
from pipelines.errors import ObjectStoreError
from pipelines.inspection.run_outputs import RunOutputs

LOOKING = "looking"
VIEWS = {"try": TRIED, "register": REGISTERED}
"""Tabs that the editor requests, by its names."""


@dataclass(frozen=True)
class OutputRequest:
    """Port of a node of a run, as requested by the editor."""

    run_id: str
    node: str
    port: str
    view: str | None = None
    """Initial tab; None for the first."""

    @classmethod
    def from_browser(cls, value: object) -> OutputRequest | None:
        """Return the validated value of the editor's trigger; None for anything else."""
        if not isinstance(value, dict):
            return None
        parts = [value.get(name) for name in ("run", "node", "port")]
        patterns = [PATH_PATTERNS[name] for name in ("run_id", "node", "port")]
        pairs = zip(parts, patterns, strict=True)
        if not all(
            isinstance(text, str) and re.fullmatch(pattern, text) for text, pattern in pairs
        ):
            return None
        run_id, node, port = map(str, parts)
        return cls(run_id, node, port, VIEWS.get(str(value.get("view"))))


@dataclass(frozen=True)
class _Open:
    page: str
    subject: str
    request: OutputRequest


def output_dialog(application: Application, asked: object, *, page: str, subject: str) -> None:
    """Open the dialog on the requested output; the node's other outputs can be selected in it.

    Streamlit may redraw the whole page at any time, for example after a lost connection, which
    closes a dialog. An open dialog is therefore remembered until it is dismissed, or another
    ``page`` or ``subject`` (id of a pipeline or run) is shown.
    """
    wanted = OutputRequest.from_browser(asked)
    if wanted is not None:
        forget(_key(wanted))
        st.session_state[LOOKING] = _Open(page, subject, wanted)
    close_dialog_unless(page, subject)
    shown = st.session_state.get(LOOKING)
    if isinstance(shown, _Open):
        _draw(application, shown.request)


def close_dialog_unless(page: str, subject: str | None = None) -> None:
    """Forget an open dialog of another page, or of another subject of this page."""
    shown = st.session_state.get(LOOKING)
    if isinstance(shown, _Open) and (shown.page != page or subject not in (None, shown.subject)):
        _dismissed()


def _dismissed() -> None:
    st.session_state.pop(LOOKING, None)


def _key(wanted: OutputRequest) -> str:
    names = {tab: f"-{name}" for name, tab in VIEWS.items()}
    return f"look-{wanted.node}{names.get(wanted.view or '', '')}"


def _draw(application: Application, wanted: OutputRequest) -> None:
    outputs, trouble = _outputs(application, wanted)
    title = _title(application, wanted)

    @st.dialog(title, width=LARGE, on_dismiss=_dismissed)
    def opened() -> None:
        if trouble is not None:
            st.error(plain(trouble))
            return
        if not outputs:
            st.info(_("This node has no outputs in this run. Run the pipeline first."))
            return
        with st.container(key="looked-at"):
            port = _port(application, wanted, outputs)
            show_output(
                application.settings.workspace,
                outputs[port],
                key=_key(wanted),
                run_id=wanted.run_id,
                view=wanted.view,
            )

    opened()


def _outputs(
    application: Application, wanted: OutputRequest
) -> tuple[dict[str, Path], ObjectStoreError | None]:
    """Return the folders of the existing outputs, or the reason why they are not available."""
    step = application.session.runs.store.state_of_step(wanted.run_id, wanted.node)
    try:
        outputs = {} if step is None else application.session.artifacts.outputs(step)
    except ObjectStoreError as error:
        return {}, error
    return {port: Path(folder) for port, folder in outputs.items()}, None


def _port(application: Application, wanted: OutputRequest, outputs: dict[str, Path]) -> str:
    first = wanted.port if wanted.port in outputs else next(iter(outputs))
    if len(outputs) == 1:
        return first
    titles = _port_titles(application, wanted)
    as_on_the_canvas = [port for port in titles if port in outputs]
    chosen = st.segmented_control(
        _("Output"),
        [*as_on_the_canvas, *(port for port in outputs if port not in titles)],
        default=first,
        required=True,
        key=f"look-port-{wanted.run_id}-{wanted.node}-{wanted.port}",
        format_func=lambda port: plain(titles.get(port, port)),
        label_visibility="collapsed",
    )
    return str(chosen or first)


def _title(application: Application, wanted: OutputRequest) -> str:
    """Return the node's title. Streamlit reads it as Markdown, so only plain letters are kept."""
    title = RunOutputs(application.session.runs, wanted.run_id).title(wanted.node)
    return re.sub(r"[^\w ,.]+", " ", title).strip()[:80] or wanted.node


def _port_titles(application: Application, wanted: OutputRequest) -> dict[str, str]:
    document = RunOutputs(application.session.runs, wanted.run_id).document
    node = document.node(wanted.node) if document else None
    module = application.session.catalog.get(node.module) if node else None
    return {port.id: port.name for port in module.outputs} if module else {}
