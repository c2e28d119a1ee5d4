"""The recognized layout of a dataset: its parts, and the labels of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

from modules.errors import InvalidDatasetError, ModuleError, NotLabeledDatasetError
from modules.files.names import is_junk
from modules.files.scanning import ScannedFile, Tree
from modules.files.shard_member import ShardMember
from modules.layouts.label_tables import Columns
from modules.layouts.listing import Listing
from modules.layouts.part_names import Part
from modules.layouts.parts import PartFolder
from modules.layouts.readings import AUTOMATIC, ClassFrom, LabelReading, Layout
from modules.layouts.table_files import EXTENSIONS
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement, StatementData


class QuestionData(StatementData):
    """Question to the user about labels, as JSON."""

    message: str
    cure: str
    parameter: str | None


class ChoiceReading(TypedDict):
    """Result of one choice of *Class from*, as JSON."""

    images: int
    classes: int
    said: str


class PartReading(TypedDict):
    """Verdict on one part, as JSON for forecasts (``ArtifactForecast.readings``)."""

    part: str
    images: int
    classes: int
    said: str
    question: QuestionData | None
    choices: dict[str, ChoiceReading]


@dataclass(frozen=True)
class LabelChoice:
    """One way to label images: the value of *Class from*, and its result."""

    class_from: ClassFrom
    num_images: int
    counts: Mapping[str, int]
    """Class -> number of images."""
    said: Statement

    @property
    def num_classes(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class PartVerdict:
    """Labels of the images of one part, or of the whole."""

    part: Part
    num_images: int
    choices: tuple[LabelChoice, ...]
    """All ways that label images, the most likely first; empty for unlabelled images."""
    said: Statement
    """Result of the default, or the decision that a user must make."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Class -> number of images, of the default or else of the most likely way."""
    warnings: tuple[Statement, ...] = ()
    num_found: int = 0
    """Number of all images, including those left out."""
    chosen: ClassFrom | None = None
    """Choice of the user; None: nothing yet."""
    question: ModuleError | None = None
    """Error that the default raises: a user must decide first."""
    asked: ModuleError | None = None
    """The same error, also after a choice."""

    @property
    def class_from(self) -> ClassFrom:
        """Return the value for a new pipeline: the default if it is unambiguous."""
        if self.chosen is not None:
            return self.chosen
        return self.choices[0].class_from if self.question and self.choices else AUTOMATIC

    def choosing(self, class_from: ClassFrom) -> PartVerdict:
        """Return the verdict with a user's choice; unchanged if the part lacks that choice."""
        for choice in self.choices:
            if choice.class_from == class_from:
                return replace(
                    self,
                    num_images=choice.num_images,
                    counts=choice.counts,
                    said=choice.said,
                    chosen=class_from,
                    question=None,
                )
        return self

    @property
    def reading(self) -> PartReading:
        """Return the verdict as in forecasts."""
        return {
            "part": self.part,
            "images": self.num_images,
            "classes": len(self.counts),
            "said": str(self.said),
            "question": None if self.question is None else _question_data(self.question),
            "choices": {
                choice.class_from: {
                    "images": choice.num_images,
                    "classes": choice.num_classes,
                    "said": str(choice.said),
                }
                for choice in self.choices
            },
        }


def _question_data(question: ModuleError) -> QuestionData:
    return {
        "message": question.message,
        "cure": question.cure,
        "parameter": question.parameter,
        "reason": question.reason,
        "facts": dict(question.facts),
    }


@dataclass(frozen=True)
class LayoutVerdict:
    """The parts of a dataset with a verdict for each; one for the whole if it has none."""

    parts: tuple[PartFolder, ...]
    of_parts: tuple[PartVerdict, ...]

    def of(self, part: Part) -> PartVerdict | None:
        """Return the verdict of one part."""
        return next((candidate for candidate in self.of_parts if candidate.part == part), None)

    def choosing(self, class_from: ClassFrom) -> LayoutVerdict:
        """Return the verdict with a user's choice of how images are labelled."""
        return replace(
            self,
            of_parts=tuple(part_verdict.choosing(class_from) for part_verdict in self.of_parts),
        )

    def decided(self) -> LayoutVerdict:
        """Return the verdict with the likeliest answer to each question."""
        return replace(
            self,
            of_parts=tuple(
                part_verdict.choosing(part_verdict.class_from) for part_verdict in self.of_parts
            ),
        )

    @property
    def must_ask(self) -> bool:
        """Return True if nothing runs before a user has decided."""
        return any(part_verdict.question for part_verdict in self.of_parts)

    @property
    def is_worth_reading(self) -> bool:
        """Return False for class folders and for unlabelled images, which need no explanation."""
        plain = {say.READ_AS_FOLDERS, say.READ_AS_UNLABELLED, say.READ_AS_ONE_CLASS}
        return any(
            part_verdict.said.sentence not in plain or part_verdict.warnings
            for part_verdict in self.of_parts
        )

    @property
    def sentences(self) -> list[Statement]:
        """Return the verdict as text, a sentence for each part."""
        return list(self._sentences())

    def _sentences(self) -> Iterator[Statement]:
        for part_verdict in self.of_parts:
            if self.parts:
                name = next(part.name for part in self.parts if part.part == part_verdict.part)
                yield say.VERDICT_OF_PART.about({"part": name, "said": part_verdict.said})
            elif part_verdict.said.sentence is say.QUESTION:
                yield say.VERDICT_QUESTION.about(part_verdict.said.facts)
            else:
                yield say.VERDICT.about({"said": part_verdict.said})
            yield from part_verdict.warnings


def verdict_of(tree: Tree, *, knows_tables: bool = True) -> LayoutVerdict:
    """Return the recognized layout of a dataset, from names and tables; no image is read."""
    listing = Listing(tree, knows_tables=knows_tables)
    whole = Layout(listing, knows_tables=knows_tables)
    if not whole.must_choose_part:
        return LayoutVerdict((), (_verdict(whole),))
    parts: list[Part] = list(dict.fromkeys(part.part for part in whole.parts))
    layouts = [Layout(listing, part, Columns(), knows_tables) for part in parts]
    return LayoutVerdict(whole.parts, _compared([_verdict(layout) for layout in layouts]))


def _compared(of_parts: Sequence[PartVerdict]) -> tuple[PartVerdict, ...]:
    """Return the verdicts with warnings of classes that cannot be learned from the part train."""
    trained = [verdict for verdict in of_parts if verdict.part == "train" and verdict.counts]
    if not trained or any(verdict.question for verdict in of_parts):
        return tuple(of_parts)
    return tuple(
        replace(verdict, warnings=(*verdict.warnings, *_not_trained(verdict, trained[0])))
        for verdict in of_parts
    )


def _not_trained(verdict: PartVerdict, trained: PartVerdict) -> Iterator[Statement]:
    names = sorted(verdict.counts.keys() - trained.counts.keys())
    if names:
        facts = {"part": verdict.part, "count": len(names), "classes": names}
        yield say.CLASSES_NOT_IN_TRAIN.about(facts)


def _verdict(layout: Layout) -> PartVerdict:
    choices = tuple(map(_choice, layout.alternatives))
    try:
        reading = layout.read(AUTOMATIC)
    except (InvalidDatasetError, NotLabeledDatasetError) as error:
        likeliest = layout.alternatives[0] if layout.alternatives else layout.by_folders
        return PartVerdict(
            layout.part,
            likeliest.num_images,
            choices,
            say.QUESTION.about({"question": error.message.rstrip(".")}),
            dict(likeliest.counts),
            tuple(layout.part_warnings),
            num_found=len(layout.images),
            question=error,
            asked=error,
        )
    num_images, counts = reading.num_images, dict(reading.counts)
    return PartVerdict(
        layout.part,
        num_images,
        choices,
        reading.said,
        counts,
        (*reading.warnings, *layout.part_warnings),
        len(layout.images),
    )


def _choice(reading: LabelReading) -> LabelChoice:
    return LabelChoice(reading.class_from, reading.num_images, reading.counts, reading.said)


def reading_version(tree: Tree, *, knows_tables: bool = True) -> int:
    """Return the version of the designer (1 to 3) that first labelled a dataset in this way."""
    listing = Listing(tree, knows_tables=knows_tables)
    whole = Layout(listing, knows_tables=knows_tables)
    parts: set[Part] = {part.part for part in whole.parts}
    layouts = [whole, *(Layout(listing, part, Columns(), knows_tables) for part in parts)]
    return max(layout.reading_version for layout in layouts)


def verdict_of_names(paths: Sequence[str], folders: Collection[str]) -> tuple[LayoutVerdict, bool]:
    """Return the verdict from names alone, and whether a table may change it."""
    verdict = verdict_of(_tree_of_names(paths, folders), knows_tables=False)
    has_tables = any(map(_is_table, paths))
    is_flat = bool(verdict.parts) or len(verdict.of_parts[0].counts) <= 1
    return verdict, has_tables and is_flat


def reading_version_of_names(paths: Sequence[str], folders: Collection[str]) -> int:
    """Return the same for an archive: later than 1 if a table may label the images."""
    _, is_open = verdict_of_names(paths, folders)
    if is_open:
        return 3 if sum(map(_is_table, paths)) > 1 else 2
    return reading_version(_tree_of_names(paths, folders), knows_tables=False)


def _is_table(path: str) -> bool:
    """Return True for the name of a table; text files are rarely tables."""
    return (
        path.lower().endswith(EXTENSIONS)
        and not path.lower().endswith(".txt")
        and not is_junk(path)
    )


def _tree_of_names(paths: Sequence[str], folders: Collection[str]) -> Tree:
    # Absolute paths are rejected when an archive is unpacked, not here.
    files = [ScannedFile(path.lstrip("/"), 0, 0, 0) for path in paths]
    inside = [folder.lstrip("/") for folder in folders]
    return Tree(Path(), files, inside, members=_not_read)


def _not_read(path: str) -> ShardMember:
    raise OSError(path)


def class_counts(verdict: LayoutVerdict) -> Counter[str]:
    """Return the number of images of each class, of all parts together."""
    counts: Counter[str] = Counter()
    for part in verdict.of_parts:
        counts.update(part.counts)
    return counts


def labels_of(tree: Tree) -> dict[str, str | None]:
    """Return the labels of the images that a pipeline would use, of all parts, by path."""
    listing = Listing(tree)
    whole = Layout(listing)
    parts: list[Part] = list(dict.fromkeys(part.part for part in whole.parts))
    labels: dict[str, str | None] = {}
    for layout in [Layout(listing, part) for part in parts] or [whole]:
        try:
            reading = layout.read(AUTOMATIC)
        except (InvalidDatasetError, NotLabeledDatasetError):
            reading = layout.alternatives[0] if layout.alternatives else layout.by_folders
        for path in layout.images:
            label, left_out = layout.folders.label_of(path)
            if reading.labels is not None:
                label, left_out = reading.labels.get(path), None
            if left_out is None:
                labels[path] = label
    return labels
