"""Actions of the run page."""

from __future__ import annotations

import streamlit as st

from designer_app.application import Application
from designer_app.screens.navigation import open_pipeline, open_run, page
from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.error_messages import errors_shown, guarded
from designer_app.ui.markdown import plain
from modules.formatting import format_bytes
from pipelines.errors import PipelineNotFoundError, RunUnderWayError
from pipelines.replay.library import ENDING, export
from pipelines.runs.deletion import RunDeletion

RESUMABLE = frozenset({"failed", "cancelled", "paused"})
NAMES_SHOWN = 5


def actions(subject: RunView) -> None:
    """Draw the row of buttons, with the most likely one as the primary button."""
    with st.container(horizontal=True, gap="small"):
        _first(subject)
        _design(subject)
        if st.button(_("Run again"), key="run-resubmit", icon=":material/replay:"):
            guarded(lambda: open_run(subject.application.session.history.resubmit(subject.id)))
        if st.button(
            _("Clone"),
            key="run-clone",
            icon=":material/content_copy:",
            help=_("Create a draft from the pipeline of this run"),
        ):
            guarded(lambda: _clone(subject))
        rerun = st.popover(
            _("Run from node"), key="run-rerun", icon=":material/step_over:", on_change="rerun"
        )
        if rerun.open:  # its list has an entry for each node
            with rerun:
                _rerun(subject)
        with st.popover(_("Name, tags, note"), key="run-naming", icon=":material/edit:"):
            _naming(subject)
        if not subject.is_live:
            _replay(subject)
        if not subject.is_live and st.button(
            _("Delete"), key="run-delete", icon=":material/delete:", type="tertiary"
        ):
            _confirm_deletion(subject.application, subject.id)


def _first(subject: RunView) -> None:
    runs, problem = subject.application.session.runs, subject.state.problem
    if subject.is_live:
        if st.button(_("Cancel"), key="run-cancel", icon=":material/stop:", type="primary"):
            runs.cancel(subject.id)
            st.rerun()
    elif subject.state.status in RESUMABLE and st.button(
        _("Resume"),
        key="run-resume",
        icon=":material/play_arrow:",
        type="secondary" if problem and problem["remedy"] else "primary",
    ):
        guarded(lambda: runs.resume(subject.id))
        st.rerun()


def _design(subject: RunView) -> None:
    pipeline_id = subject.row.pipeline_id
    if pipeline_id is None:
        return
    if st.button(_("Open in Design"), key="run-design", icon=":material/account_tree:"):
        try:
            subject.application.session.pipelines.open(pipeline_id)
        except PipelineNotFoundError:
            st.warning(_("The pipeline of this run was deleted. Use Clone."))
            return
        open_pipeline(pipeline_id, subject.id)


def _clone(subject: RunView) -> None:
    open_pipeline(subject.application.session.history.clone(subject.id).pipeline_id)


def _rerun(subject: RunView) -> None:
    st.write(_("Start a new run from this node; earlier nodes are reused."))
    node = st.selectbox(
        _("Node"),
        [node.id for node in subject.document.nodes if not node.disabled],
        format_func=lambda node: subject.titles[node],
        key=f"run-rerun-node-{subject.id}",
    )
    if st.button(_("Run from node"), key="run-rerun-go", type="primary", disabled=node is None):
        history = subject.application.session.history
        guarded(lambda: open_run(history.resubmit(subject.id, from_node=node)))


def _replay(subject: RunView) -> None:
    st.download_button(
        _("Download replay"),
        lambda: export(subject.application.session.runs, subject.id),
        f"{subject.id}{ENDING}",
        "application/octet-stream",
        key="run-replay",
        on_click="ignore",
        icon=":material/download:",
        help=_(
            "Save this run as one small file. Drop it on Home on any machine to play "
            "it, without data, GPU or network."
        ),
    )


def _naming(subject: RunView) -> None:
    row, history = subject.row, subject.application.session.history
    # a field with the same key keeps its content, whatever value it is given: each run has its own
    # key
    with st.form(f"run-naming-form-{row.id}", border=False):
        name = st.text_input(_("Name"), row.name, max_chars=200, key=f"run-name-{row.id}")
        tags = st.multiselect(
            _("Tags"),
            sorted({*history.tags(), *row.tags}),
            list(row.tags),
            accept_new_options=True,
            placeholder=_("Select or type"),
            key=f"run-tags-{row.id}",
        )
        note = st.text_area(_("Note"), row.note, max_chars=20_000, key=f"run-note-{row.id}")
        if not st.form_submit_button(_("Save"), type="primary"):
            return
    with errors_shown():
        history.rename(subject.id, name)
        gone = set(row.tags) - set(tags)
        history.tag(subject.id, add=set(tags) - set(row.tags), remove=gone)
        history.note(subject.id, note)
        st.rerun()


@st.dialog(_("Delete this run?"), width=SMALL)
def _confirm_deletion(application: Application, run_id: str) -> None:
    try:
        plan = application.session.history.deletion_plan(run_id)
    except (LookupError, RunUnderWayError) as error:
        st.error(plain(error))
        return
    for sentence in deletion_summary(plan):
        st.write(sentence)
    st.write(_("This cannot be undone."))
    if dialog_buttons(_("Delete"), key="run-delete-go"):
        application.session.history.delete(run_id)
        st.switch_page(page("runs"))


def deletion_summary(plan: RunDeletion) -> list[str]:
    """Return what deleting removes and keeps, as text."""
    size = format_bytes(plan.num_bytes)
    sentences = [_("Frees **{size}**: its logs, curves and history.", size=size)]
    if plan.freed:
        sentences = [
            _(
                "Frees **{size}**: its logs, curves and history, and {count:,} "
                "{count:output|outputs} that nothing else uses.",
                size=size,
                count=len(plan.freed),
            )
        ]
    if plan.kept:
        users = sorted({user for output in plan.kept for user in output.used_by})
        named = ", ".join(f"`{user}`" for user in users[:NAMES_SHOWN])
        if len(users) > NAMES_SHOWN:
            rest = len(users) - NAMES_SHOWN
            named = _("{names} and {count:,} more", names=named, count=rest)
        kept = _("{count:,} {count:output is|outputs are} kept", count=len(plan.kept))
        used = ": " + _("used by {runs}", runs=named) if users else ""
        sentences.append(f"{kept}{used}.")
    return sentences
