"""Questions about a dataset that a user must answer before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from modules.errors import InvalidDatasetError
from modules.layouts.label_table import LabelTable
from modules.layouts.label_tables import UnusedTable
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

FIRST_NUMBER = "first_class_number"
"""The parameter for the number of the first name in a list of class names."""


def several_readings(readings: Mapping[str, Statement], first: str) -> InvalidDatasetError:
    """Return the error of a dataset that can be read in several ways, by *Class from*.

    ``first`` is the way that its fix sets.
    """
    return InvalidDatasetError(
        say.SEVERAL_READINGS,
        readings=list(readings.values()),
        choices=list(readings),
        parameter="class_from",
        remedy={"set": {"class_from": first}},
    )


def several_columns(table: UnusedTable) -> InvalidDatasetError:
    """Return the error of a table with several columns that may be the labels."""
    return InvalidDatasetError(
        say.CHOOSE_LABEL_COLUMN,
        table=table.path,
        columns=table.candidates,
        parameter="label_column",
    )


def unclear_table(tables: Sequence[LabelTable]) -> LabelTable | None:
    """Return the first table whose class numbers fit a list of names from 0 and from 1."""
    return next((table for table in tables if table.unclear_list is not None), None)


def require_first_number(tables: Sequence[LabelTable]) -> None:
    """Raise ``InvalidDatasetError`` if a user must choose the number of the first class name."""
    table = unclear_table(tables)
    if table is None:
        return
    numbers = sorted(set(table.labels.values()), key=int)
    raise InvalidDatasetError(
        say.CHOOSE_FIRST_NUMBER,
        table=table.path,
        list=table.unclear_list,
        numbers=numbers,
        parameter=FIRST_NUMBER,
        remedy={"set": {FIRST_NUMBER: "1" if "1" in numbers else "0"}},
    )
