"""Home page: ready-made pipelines, recent ones, a new one, or one from a file."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Literal

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.cards import Card, cards
from designer_app.elements.file_drop import file_drop
from designer_app.elements.lesson_picture import lesson_picture
from designer_app.elements.thumbnails import draw_thumbnail
from designer_app.screens.navigation import begin_pipeline, open_pipeline, open_replay
from designer_app.screens.recent_runs import newest_headlines, pipelines_under_way, recent_runs
from designer_app.screens.start import is_ready_to_run, start_with_pictures
from designer_app.translation import _
from designer_app.ui.dialogs import SMALL, dialog_buttons
from designer_app.ui.markdown import plain
from designer_app.ui.query_params import unknown_page
from modules.formatting import format_bytes
from pipelines.document.code.read import read_code
from pipelines.document.document import MAX_BYTES, PipelineDocument, parse_document
from pipelines.document.embedded import carried_document
from pipelines.errors import PipelineNotFoundError
from pipelines.lessons.guide import Level
from pipelines.lessons.lesson import Lesson, lessons
from pipelines.problems import PipelineError
from pipelines.registry.pipeline_labels import labels_of
from pipelines.replay.format import MAX_FILE_BYTES
from pipelines.replay.library import ENDING, ReplayEntry, ReplayShelf
from pipelines.runs.headline import Headline
from pipelines.sentences.status_words import status_words
from pipelines.store.database.pipelines import PipelineRow

WHAT = _(
    "Build image-classification pipelines: train, compare results, test the model on "
    "your own images."
)
RECENT = 4
"""Number of recent pipelines shown at first: one row of a wide window."""
SHOWN_DELETED = 20
SHOWN_REPLAYS = 12
"""Limit of replays shown; `designer replay list` shows all."""


def show() -> None:
    """Draw the page."""
    application = current()
    st.title("Pipeline Designer")
    st.write(WHAT)
    if name := unknown_page():
        st.info(_("Page `{name}` not found. The pages are in the menu at the top.", name=name))
    _undo_of_deletion(application)
    recent = application.session.pipelines.all()
    start_with_pictures(application)
    _beginnings(application, is_first_visit=not recent)
    dropped = file_drop("drop", max(MAX_BYTES, MAX_FILE_BYTES))
    if dropped is not None:
        _open_file(application, dropped.name, dropped.content)
    if recent:
        st.subheader(_("Recent pipelines"), anchor=False)
        _recent(application, recent)
    st.subheader(_("Learn by example"), anchor=False)
    replays = ReplayShelf(application.settings.workspace)
    opened = cards([_lesson_card(application, lesson, replays) for lesson in lessons()], "lessons")
    chosen = next((lesson for lesson in lessons() if lesson.slug == opened.opened), None)
    if chosen is not None:
        _create(application, chosen.opened())
    if opened.watched is not None:
        open_replay(opened.watched)
    recent_runs(application)
    _replays(application, replays)
    _deleted(application, recent)


def _beginnings(application: Application, *, is_first_visit: bool) -> None:
    """Draw the buttons; exactly one on the page is the primary one."""
    kind: Literal["primary", "secondary"] = "secondary" if is_ready_to_run() else "primary"
    with st.container(horizontal=True, gap="small"):
        place = st.container(width="content")  # always there, so that the others keep theirs
        if is_first_visit:
            label = _("Start with lesson 1")
            if place.button(label, key="first-lesson", type=kind, icon=":material/school:"):
                _create(application, lessons()[0].opened())
            kind = "secondary"
        if st.button(_("New pipeline"), key="new-pipeline", type=kind):
            begin_pipeline(application)
        with st.popover(_("Open file")):
            _import(application)


def _import(application: Application) -> None:
    kinds = ["json", "py", "png", "svg", "replay"]
    words = _("A pipeline (JSON, Python, PNG or SVG) or a replay")
    file = st.file_uploader(words, type=kinds, key="import-pipeline")
    if file is not None and st.button(_("Open"), key="import-open", type="primary"):
        _open_file(application, file.name, file.getvalue())


def _open_file(application: Application, name: str, content: bytes) -> None:
    """Create a pipeline from a file, or play it, or show why neither is possible."""
    if name.lower().endswith(ENDING):
        _open_replay_file(application, content)
        return
    try:
        document = _document_in(application, name, content)
    except PipelineError as error:
        for problem in error.problems[:10]:
            st.error(plain(f"{problem.message} {problem.cure}"))
        return
    if document is None:
        st.error(
            _(
                "{name} contains no pipeline. Select a JSON, Python, PNG or SVG file that was "
                "exported here.",
                name=plain(name),
            )
        )
        return
    _create(application, document)


def _document_in(application: Application, name: str, content: bytes) -> PipelineDocument | None:
    """Return the pipeline in a file; None if there is none. Code is read and never executed."""
    if name.lower().endswith(".py"):
        return read_code(content, application.session.catalog).document
    carried = carried_document(content) if len(content) <= MAX_BYTES else None
    return None if carried is None else parse_document(carried)


def _open_replay_file(application: Application, content: bytes) -> None:
    try:
        replay_id = ReplayShelf(application.settings.workspace).add(content)
    except PipelineError as error:
        st.error(plain(f"{error.problems[0].message} {error.problems[0].cure}"))
        return
    open_replay(replay_id)


def _replays(application: Application, shelf: ReplayShelf) -> None:
    """Draw the replays of the workspace, if there are any."""
    entries = [replay for replay in shelf.all() if not replay.is_lesson][:SHOWN_REPLAYS]
    if not entries:
        return
    st.subheader(_("Replays"))
    choice = cards([_replay_card(application, shelf, replay) for replay in entries], "replays")
    if choice.removed is not None:
        _confirm_removal(shelf, choice.removed)
    if choice.opened is not None:
        open_replay(choice.opened)


@st.dialog(_("Delete this replay?"), width=SMALL)
def _confirm_removal(shelf: ReplayShelf, replay_id: str) -> None:
    st.write(
        _(
            "The file **{file}** is deleted permanently. Runs are kept.",
            file=plain(replay_id + ENDING),
        )
    )
    if dialog_buttons(_("Delete"), key="replay-delete-go"):
        with suppress(LookupError):  # another tab was faster
            shelf.remove(replay_id)
        st.rerun()


def _replay_card(application: Application, shelf: ReplayShelf, entry: ReplayEntry) -> Card:
    if entry.damage is not None:
        picture, text = "", entry.damage
    else:
        picture = draw_thumbnail(shelf.open(entry.id).document, application.session.catalog)
        when = time.strftime("%d %b %Y, %H:%M", time.localtime(entry.created))
        text = _(
            "{status}, recorded {when}, {size}",
            status=status_words(entry.status),
            when=when,
            size=format_bytes(entry.num_bytes),
        )
    return Card(
        id=entry.id,
        test_id=f"replay-{entry.id}",
        title=entry.name,
        text=text,
        picture=picture,
        removable=True,
    )


def _recent(application: Application, rows: list[PipelineRow]) -> None:
    shown = rows if st.session_state.get("all-recent") else rows[:RECENT]
    results, labels = newest_headlines(application), labels_of(rows)
    under_way = pipelines_under_way(application)
    drawn = [
        _recent_card(
            application, row, labels[row.id], under_way.get(row.id, ""), results.get(row.id)
        )
        for row in shown
    ]
    known = [card for card in drawn if card is not None]
    with st.container(key=f"recent-{len(known)}"):  # its room depends on their number
        choice = cards(known, "recent")
    if len(rows) > RECENT:
        st.toggle(_("Show all {count:,}", count=len(rows)), key="all-recent")
    if choice.removed is not None:
        application.session.pipelines.delete(choice.removed)
        st.session_state["deleted"] = choice.removed
        st.session_state["deleted-name"] = labels.get(choice.removed, choice.removed)
        st.rerun()
    if choice.opened is not None:
        open_pipeline(choice.opened)


def _undo_of_deletion(application: Application) -> None:
    deleted = st.session_state.get("deleted")
    if deleted is None:
        return
    notice, undo = st.columns([4, 1], vertical_alignment="center")
    name = plain(str(st.session_state.get("deleted-name", deleted)))
    notice.info(_("Deleted **{name}**. Undo restores it with all its revisions.", name=name))
    if undo.button(_("Undo"), key="undo-delete", width="stretch"):
        _restore(application, deleted)


def _deleted(application: Application, kept: list[PipelineRow]) -> None:
    """Draw all deleted pipelines, which can be restored."""
    rows = application.session.pipelines.deleted(SHOWN_DELETED)
    if not rows:
        return
    labels = labels_of([*rows, *kept])
    with st.expander(_("Recently deleted"), icon=":material/delete:"):
        for row in rows:
            named, restore = st.columns([5, 1], vertical_alignment="center")
            named.markdown(f"**{plain(labels[row.id])}** {plain(_facts(row))}")
            if restore.button(_("Restore"), key=f"restore-{row.id}", width="stretch"):
                _restore(application, row.id)


def _restore(application: Application, pipeline_id: str) -> None:
    application.session.pipelines.undelete(pipeline_id)
    st.session_state.pop("deleted", None)
    st.rerun()


def _facts(row: PipelineRow) -> str:
    when = time.strftime("%d %b %Y, %H:%M", time.localtime(row.updated))
    return _("{count:,} {count:node|nodes}, saved {when}", count=row.num_nodes, when=when)


def _recent_card(
    application: Application, row: PipelineRow, label: str, status: str, headline: Headline | None
) -> Card | None:
    try:
        document = parse_document(application.session.pipelines.open(row.id).document)
    # deleted in the meantime, or from a newer version
    except (PipelineNotFoundError, PipelineError):
        return None
    return Card(
        id=row.id,
        test_id=f"recent-{row.id}",
        title=label,
        text=_facts(row),
        picture=draw_thumbnail(document, application.session.catalog),
        removable=True,
        badge=status,
        figure=headline.text if headline else "",
        figure_name=headline.described if headline else "",
    )


def _lesson_card(application: Application, lesson: Lesson, replays: ReplayShelf) -> Card:
    number, guide = lesson.slug.split("-")[0], lesson.guide
    document = lesson.shown_document
    drawn = lesson_picture(replays, lesson.slug)
    return Card(
        id=lesson.slug,
        test_id=f"gallery-{lesson.slug}",
        title=document.name,
        text=document.description,
        picture=drawn or draw_thumbnail(document, application.session.catalog),
        facts=_(
            "{minutes} minutes, {level}, {steps} {steps:step|steps}",
            minutes=guide.minutes,
            level=_level(guide.level),
            steps=len(guide.steps),
        ),
        open_label=_("Open"),
        number=number if number.isdecimal() else "",
        watch=lesson.slug if replays.has(lesson.slug) else "",
    )


def _level(level: Level) -> str:
    """Return the level of a lesson as text."""
    levels: dict[Level, str] = {
        "beginner": _("beginner"),
        "intermediate": _("intermediate"),
        "advanced": _("advanced"),
    }
    return levels[level]


def _create(application: Application, document: PipelineDocument) -> None:
    open_pipeline(application.session.pipelines.create(document).pipeline_id)
