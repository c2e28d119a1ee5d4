"""Labels by the names in a table, and by the files of these names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from modules.files.names import class_name
from modules.layouts.class_names import ClassNames
from modules.layouts.file_names import FileNames, normalized
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

_FEW_IMAGES = 8
"""Up to this number of images, each may have a separate class."""
MISSING = frozenset(("", "nan", "NaN", "<NA>"))


@dataclass
class LabelTable:
    """The labels of a table: by the names in it, and by the files of these names."""

    path: str
    columns: tuple[str, ...] = ()
    """Names of the columns of files and labels; of one-hot columns all label columns."""
    names: dict[str, str] = field(default_factory=dict)
    """Name of an image in the table, with slashes -> label."""
    faults: dict[str, Statement] = field(default_factory=dict)
    """Name of an image in the table -> reason why it has no label."""
    warnings: list[Statement] = field(default_factory=list)
    is_guess: bool = False
    """True if no column name indicates files or labels."""
    is_first_version: bool = False
    """True if the first version of this reader read the same labels."""
    is_revised: bool = False
    """True if the second version of this reader read other labels."""
    labels: dict[str, str] = field(default_factory=dict)
    """Path of a file -> label."""
    file_faults: dict[str, str] = field(default_factory=dict)
    """Path of a listed file -> reason why it has no label."""
    absent: list[str] = field(default_factory=list)
    """Names without a file."""
    ambiguous: list[str] = field(default_factory=list)
    """Names that several files have."""
    unclear_list: str | None = None
    """A list of class names that may start at number 0 or 1 for these labels."""
    is_for_other_files: bool = False
    """True if all listed files are in other parts."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the names of its columns, ignoring case and spaces."""
        return tuple(column.strip().casefold() for column in self.columns)

    @property
    def num_classes(self) -> int:
        """Return the number of different labels."""
        return len(set(self.labels.values()))

    def add(self, name: str, label: str) -> None:
        """Add one image's label; without one, or with two, the image is left out."""
        name, label = normalized(name), class_name(label.strip())
        if not name:
            return
        if label in MISSING:
            self.faults[name] = say.NO_LABEL_IN_TABLE.about({"table": self.path})
        elif self.names.setdefault(name, label) != label:
            self.faults[name] = say.SEVERAL_LABELS_IN_TABLE.about({"table": self.path})

    def place(self, files: FileNames) -> None:
        """Find the files of the names.

        Exact names are resolved first, so that no looser match takes their file.
        """
        for name in self.faults:
            self.names.pop(name, None)
        several = say.SEVERAL_LABELS_IN_TABLE.about({"table": self.path}).message
        waiting = [*self.names, *self.faults]
        for number, rule in enumerate(files.rules):
            settled, absent = self.labels.keys() | self.file_faults.keys(), []
            for name in waiting:
                path = rule(name)
                if path is None or path in settled:
                    absent.append(name)
                    continue
                self.is_first_version = self.is_first_version and number < len(files.exact_rules)
                if name in self.faults:
                    self.file_faults[path] = self.faults[name].message
                elif self.labels.setdefault(path, self.names[name]) != self.names[name]:
                    self.file_faults[path] = several
            waiting = absent
        for path in self.file_faults:
            self.labels.pop(path, None)
        self.ambiguous = [name for name in waiting if files.fits_several(name)]
        unclear = set(self.ambiguous)
        self.is_first_version = self.is_first_version and not unclear
        self.absent = [name for name in waiting if name not in unclear]
        self._warn_of_several()
        self._warn_of_many()

    def keep(self, is_kept: Callable[[str], bool]) -> None:
        """Remove the files for which a condition is false: those of other parts."""
        had_files = bool(self.labels or self.file_faults)
        self.labels = {path: label for path, label in self.labels.items() if is_kept(path)}
        self.file_faults = {
            path: fault for path, fault in self.file_faults.items() if is_kept(path)
        }
        self.is_for_other_files = had_files and not self.labels

    def rename_classes(
        self, listed: ClassNames, others: Collection[str] = (), chosen: int | None = None
    ) -> None:
        """Replace the numbers of classes by the names in a file.

        Labels that fit a list from 0 and from 1 stay as they are: a user must choose.

        Args:
            listed: The names.
            others: Labels of other tables, which may show where the list starts.
            chosen: The first number that a user chose.
        """
        numbers = set(self.labels.values())
        first = listed.first_number(numbers, others, chosen)
        names = listed.fitting(numbers, first)
        if names is None:
            return
        if first is None:
            self.unclear_list = listed.path
            return
        self.is_revised = listed.is_revised or first != (listed.first_number(numbers) or 0)
        self.labels = {path: names[label] for path, label in self.labels.items()}
        self.is_first_version = False
        pairs = [f"{number}: {names[number]}" for number in sorted(names, key=int)]
        facts = {"classes": len(names), "table": self.path, "list": listed.path, "names": pairs}
        said = say.CLASSES_NAMED.about(facts)
        if not listed.is_numbered:
            said = say.CLASSES_NAMED_IN_ORDER.about({**facts, "first": first})
        self.warnings.append(said)

    def _warn_of_several(self) -> None:
        labels = set(self.labels.values())
        several = sorted(label for label in labels if _is_several(label, labels))
        if several:
            images = sum(label in set(several) for label in self.labels.values())
            facts = {"images": images, "table": self.path, "labels": several}
            self.warnings.append(say.SEVERAL_LABELS_IN_CELL.about(facts))

    def _warn_of_many(self) -> None:
        """Warn of measurements, captions or names of images that were read as labels."""
        if len(self.labels) > _FEW_IMAGES and self.num_classes * 2 > len(self.labels):
            facts = {"table": self.path, "classes": self.num_classes, "images": len(self.labels)}
            self.warnings.append(say.MANY_CLASSES.about({**facts, "column": self.columns[-1]}))


def name_classes(
    tables: Sequence[LabelTable], lists: Sequence[ClassNames], chosen: int | None = None
) -> None:
    """Replace numbers of classes by names in all tables, each with the first list that fits.

    If a table has neither the number of the first nor of the last name, the other tables whose
    labels are numbers of the list show where it starts, unless a user has chosen it.
    """
    numbers = {table.path: set(table.labels.values()) for table in tables}
    for table in tables:
        own = numbers[table.path]
        for listed in lists:
            if _fits(listed, own, chosen):
                others = [labels for labels in numbers.values() if _fits(listed, labels, chosen)]
                table.rename_classes(listed, set().union(*others), chosen)
                break
        else:
            if lists and own and all(label.isdecimal() for label in own):
                facts = {"table": table.path, "list": lists[0].path, "names": len(lists[0])}
                largest = max(own, key=int)
                table.warnings.append(say.CLASSES_NOT_NAMED.about({**facts, "number": largest}))


def _fits(listed: ClassNames, labels: Collection[str], chosen: int | None) -> bool:
    return listed.fitting(labels, listed.first_number(labels, (), chosen)) is not None


def _is_several(label: str, labels: set[str]) -> bool:
    """Return True for ``scab rust`` if ``scab`` and ``rust`` are labels too, and for ``a|b``."""
    if "|" in label or ";" in label:
        return True
    words = [word for word in re.split(r"[,\s]+", label) if word]
    are_known = all(word in labels for word in words) or all(word.isdigit() for word in words)
    return len(words) > 1 and are_known
