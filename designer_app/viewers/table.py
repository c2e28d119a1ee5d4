"""Table, sorted, filtered and paged on the server, with thumbnails in its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.followed_image import follow
from designer_app.viewers.viewed_output import ViewedOutput
from modules.artifacts import ScoredImages, Table
from modules.scoring.score_table import (
    CATEGORY,
    CONFIDENCE,
    LABEL,
    LOSS,
    MARGIN,
    PATH,
    PROBABILITY_PREFIX,
    SHA256,
)
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection import tables
from pipelines.inspection.images import files_of, index_of
from pipelines.inspection.run_outputs import RunOutput
from pipelines.inspection.tables import OPERATORS, Column, Filter, Query
from pipelines.inspection.thumbnails import data_address, picture_address
from pipelines.sentences import places

if TYPE_CHECKING:
    import pandas as pd

ROWS = 50
PICTURE_EDGE = 64
PICTURE = "picture"
HEADINGS = {
    PATH: _("File"),
    CATEGORY: _("True class"),
    LABEL: _("Predicted class"),
    CONFIDENCE: _("Confidence"),
    MARGIN: _("Margin"),
    LOSS: _("Loss"),
    SHA256: _("SHA-256"),
}
"""Headings of the columns of scored images."""
FEW_ROWS = 8
"""Number of rows up to which a table has no fields to sort and filter: its headings sort."""
MAX_COLUMNS = 20
"""Number of columns shown initially; the others can be selected."""


@dataclass(frozen=True)
class Pictures:
    """Location of the images to which a table's paths refer."""

    folder: Path

    @classmethod
    def of(cls, directory: RunOutput | None) -> Pictures | None:
        return None if directory is None else cls(directory.folder)

    def address(self, path: str) -> str | None:
        """Return the thumbnail URL of a path; None if there is none."""
        index = index_of(self.folder, path)
        return (
            None if index is None else picture_address(files_of(self.folder)[index], PICTURE_EDGE)
        )


def show_table(subject: ViewedOutput) -> None:
    """Draw the table of a Table or ScoredImages output."""
    scored = subject.folder / ScoredImages.file_name
    path = scored if scored.is_file() else subject.folder / Table.file_name
    if not path.is_file():
        raise UnreadableArtifactError(places.TABLE_MISSING, file=path.name)
    directory = subject.outputs.dataset_of(subject.output)
    draw_table(subject, path, "table", Pictures.of(directory))


def draw_table(subject: ViewedOutput, path: Path, part: str, pictures: Pictures | None) -> None:
    """Draw a Parquet file; a selected row is followed if it has an image."""
    columns = tables.columns(path)
    is_short = len(tables.matching(path, Query())) <= FEW_ROWS
    query = Query() if is_short else _query(subject, part, columns)
    num_matching = len(tables.matching(path, query))
    number, shown = _place(subject, part, columns, num_matching)
    rows = tables.page(path, query, shown, number * ROWS, ROWS)
    _rows(subject, part, rows, pictures)
    _downloads(subject, part, path, query)


def _query(subject: ViewedOutput, part: str, columns: tuple[Column, ...]) -> Query:
    usable = {column.name: column for column in columns if column.kind != "other"}
    sort, descending, column, operator, value = st.columns(
        [3, 2, 3, 2, 3], vertical_alignment="bottom"
    )
    by = sort.selectbox(
        _("Sort by"),
        list(usable),
        format_func=heading,
        index=None,
        key=subject.name(f"{part}-sort"),
        placeholder=_("Column"),
    )
    falling = descending.toggle(_("Descending"), key=subject.name(f"{part}-descending"))
    filtered = column.selectbox(
        _("Filter"),
        list(usable),
        format_func=heading,
        index=None,
        key=subject.name(f"{part}-filter"),
        placeholder=_("Column"),
    )
    if filtered is None:
        return Query((), by, falling)
    kind = usable[filtered].kind
    chosen = operator.selectbox(
        _("Condition"),
        OPERATORS[kind],
        key=subject.name(f"{part}-{kind}-operator"),
        label_visibility="collapsed",
    )
    text = value.text_input(
        _("Value"), key=subject.name(f"{part}-value"), max_chars=200, label_visibility="collapsed"
    )
    if kind == "number" and text and tables.number_of(text) is None:
        st.caption(
            plain(
                _(
                    "“{text}” is not a number; all rows are shown. Write it as 0.95 or 12,000.",
                    text=text,
                )
            )
        )
        text = ""
    return Query((Filter(filtered, chosen, text),) if text else (), by, falling)


def _place(
    subject: ViewedOutput, part: str, all_columns: tuple[Column, ...], num_matching: int
) -> tuple[int, list[str]]:
    """Return the shown page, counted from 0, and its columns."""
    names = [
        column.name for column in all_columns if column.kind != "other" or column.name == PICTURE
    ]
    shown_names = [name for name in names if name != SHA256]
    usual = [name for name in shown_names if not name.startswith(PROBABILITY_PREFIX)]
    wide = len(shown_names) > MAX_COLUMNS
    last = max(1, -(-num_matching // ROWS))
    # the table's toolbar covers the right end: no buttons there
    widths = [2, 2, 6] if last > 1 else [2, 8]
    *places_of_fields, counted = st.columns(widths, vertical_alignment="bottom")
    columns = places_of_fields[-1]
    with columns.popover(_("Columns"), width="stretch"):
        shown = st.multiselect(
            _("Visible columns"),
            names,
            format_func=heading,
            default=(usual if wide else shown_names)[:MAX_COLUMNS],
            max_selections=MAX_COLUMNS,
            key=subject.name(f"{part}-columns"),
        )
    number = 0
    if last > 1:
        key = subject.name(f"{part}-page-{last}")
        number = int(places_of_fields[0].number_input(_("Page"), 1, last, key=key)) - 1
    end = min(num_matching, (number + 1) * ROWS)
    first = min(number * ROWS + 1, end)
    counted.markdown(
        _(
            "Rows {first:,} to {end:,} of {num_matching:,}",
            first=first,
            end=end,
            num_matching=num_matching,
        )
    )
    return number, shown or names[:1]


def _rows(subject: ViewedOutput, part: str, rows: pd.DataFrame, pictures: Pictures | None) -> None:
    paths = list(rows[PATH]) if PATH in rows.columns else []
    shown = rows.reset_index(drop=True)
    if PICTURE in shown.columns:
        shown.insert(0, PICTURE, [_address_of(path) for path in shown.pop(PICTURE)])
    elif pictures and paths:
        shown.insert(0, PICTURE, [pictures.address(path) for path in paths])
    key = subject.name(f"{part}-rows")
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        width="stretch",
        height=min(560, 40 + 60 * max(1, len(shown))) if PICTURE in shown.columns else "auto",
        row_height=60 if PICTURE in shown.columns else None,
        column_config={
            **titled(shown),
            PICTURE: st.column_config.ImageColumn(_("Image"), width="small"),
        },
        selection_mode="single-row",
        on_select=_chooser(subject, key, paths, pictures),
    )
    if pictures and paths:
        st.caption(_("Select a row to follow its image through the pipeline."))


def titled(rows: pd.DataFrame) -> dict[str, Any]:
    """Return plain headings, and four decimals for fractions: probabilities may have dozens."""
    return {
        name: st.column_config.NumberColumn(heading(name), format="%.4f")
        if rows[name].dtype.kind == "f"
        else st.column_config.Column(heading(name))
        for name in rows.columns
    }


def heading(column: str) -> str:
    """Return the heading of a column; that of a user's table is its name."""
    if column.startswith(PROBABILITY_PREFIX):
        category = column.removeprefix(PROBABILITY_PREFIX)
        return _("Probability of {category}", category=category)
    return HEADINGS.get(column, column)


def _chooser(
    subject: ViewedOutput, key: str, paths: list[str], pictures: Pictures | None
) -> Callable[[], None]:
    def choose() -> None:
        chosen: Any = st.session_state[key].selection.rows
        if pictures and chosen and chosen[0] < len(paths):
            index = index_of(pictures.folder, paths[chosen[0]])
            if index is not None:
                follow(subject, pictures.folder, index)

    return choose


def _address_of(value: object) -> str | None:
    return data_address(value, "jpeg") if isinstance(value, bytes) else None


def _downloads(subject: ViewedOutput, part: str, path: Path, query: Query) -> None:
    csv, parquet = st.columns([1, 1, 6])[:2]
    csv.download_button(
        "CSV",
        lambda: tables.as_csv(path, query),
        f"{subject.file_name(part)}.csv",
        "text/csv",
        key=subject.name(f"{part}-csv"),
        on_click="ignore",
        icon=":material/download:",
        width="stretch",
    )
    parquet.download_button(
        "Parquet",
        lambda: tables.as_parquet(path, query),
        f"{subject.file_name(part)}.parquet",
        "application/vnd.apache.parquet",
        key=subject.name(f"{part}-parquet"),
        on_click="ignore",
        icon=":material/download:",
        width="stretch",
    )
