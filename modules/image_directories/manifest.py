"""Results of a conversion: the manifest of images, the list of skipped files, the warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from modules.context import Context
from modules.errors import InvalidDatasetError, evidence
from modules.files.progress import ProgressReporter
from modules.image_directories.image_checking import CheckedImage, LeftOut
from modules.image_directories.labels import Labeling
from modules.image_directories.skipped_files import SkippedFiles
from modules.sentences import all_families
from modules.sentences import image_directories as say
from modules.sentences import skipped_files as say_skipped
from modules.sentences.sentence import Statement

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Findings:
    """The valid images, and the skipped files."""

    images: list[CheckedImage] = field(default_factory=list)
    skipped: list[tuple[str, Statement | str]] = field(default_factory=list)
    misplaced: list[Statement] = field(default_factory=list)
    unreadable: list[tuple[str, Statement | str]] = field(default_factory=list)
    """Path and reason of images that cannot be decoded."""
    by_kind: SkippedFiles = field(default_factory=SkippedFiles)
    """Skipped entries that may be an image or a class."""

    @classmethod
    def collect(
        cls,
        results: Iterable[CheckedImage | LeftOut],
        labeling: Labeling,
        context: Context,
        *,
        fail: bool,
        folder_links: Collection[str] = (),
    ) -> Findings:
        """Collect all results in order; with ``fail``, unreadable images are an error.

        ``folder_links`` are the skipped paths that are links to folders.
        """
        findings = cls(skipped=list(labeling.skipped))
        findings.by_kind.add_links(labeling.skipped, folder_links)
        pace, total = ProgressReporter(context, "images"), len(labeling.files)
        for done, result in enumerate(results, start=1):
            if isinstance(result, CheckedImage):
                findings.images.append(result)
            else:
                findings._leave_out(result, fail=fail)
            pace.tell(done, total, last=done == total)
        findings.by_kind.add_archives(
            (path for path, _ in findings.skipped), (image.path for image in findings.images)
        )
        if fail:
            findings._require_all()
        return findings

    def _require_all(self) -> None:
        """Raise the error for skipped images if they are to be an error."""
        for statement in self.by_kind.errors:
            raise InvalidDatasetError(
                statement,
                parameter="on_unreadable_image",
                remedy={"set": {"on_unreadable_image": "skip and list"}},
                details=evidence("unreadable", "Skipped", self.skipped),
            )
        if self.unreadable:
            raise self._unreadable_error()

    def _leave_out(self, result: LeftOut, *, fail: bool) -> None:
        if result.format is not None:
            self.by_kind.add_format(result.path, result.format)
        elif result.is_image and not result.misplaced:
            if fail and result.error is not None:
                raise result.error
            self.unreadable.append((result.path, result.reason))
            self.by_kind.unreadable.append(result.path)
        self.skipped.append((result.path, result.reason))
        if result.misplaced:
            misplaced = {"file": result.path, "why": result.reason}
            self.misplaced.append(say.MISPLACED_IMAGE.about(misplaced))

    def _unreadable_error(self) -> InvalidDatasetError:
        (path, reason), rest = self.unreadable[0], len(self.unreadable) - 1
        facts = {"image": path, "why": reason}
        said = say.UNREADABLE_IMAGE.about(facts)
        if rest:
            said = say.UNREADABLE_IMAGES.about({**facts, "others": rest})
        return InvalidDatasetError(
            said,
            parameter="on_unreadable_image",
            remedy={"set": {"on_unreadable_image": "skip and list"}},
            details=evidence("unreadable", "Unreadable images", self.unreadable),
        )

    def require_images(self, name: str) -> None:
        """Raise the error for a dataset without valid images, with the first reasons."""
        if self.images:
            return
        for statement in self.by_kind.not_taken:
            raise InvalidDatasetError(
                say_skipped.NONE_READ,
                name=name,
                skipped=statement.message,
                fix=statement.cure,
                port="input_dataset",
            )
        reasons = [say.LEFT_OUT.about({"file": path, "why": why}) for path, why in self.skipped]
        said = say.NOTHING_VALID.about({"name": name})
        if reasons:
            said = say.NONE_VALID.about({"name": name, "reasons": reasons})
        raise InvalidDatasetError(said, port="input_dataset")

    @property
    def classes(self) -> list[str]:
        return sorted({image.label for image in self.images if image.label is not None})

    def image_table(self) -> pd.DataFrame:
        """The manifest, sorted by path."""
        import pandas as pd

        table = pd.DataFrame([vars(image) for image in self.images])
        # Not "str": a column with only missing labels must keep the type of text.
        table["label"] = table["label"].astype("string")
        return table.assign(source="").sort_values("path", ignore_index=True)

    def skipped_table(self) -> pd.DataFrame:
        import pandas as pd

        rows = sorted((path, str(reason)) for path, reason in self.skipped)
        return pd.DataFrame(rows, columns=["path", "reason"], dtype="string")

    def tell(self, labeling: Labeling, context: Context) -> None:
        """Report the warnings and the footer line of the node."""
        for warning in labeling.warnings:
            context.warn(warning)
        for warning in self.by_kind.warnings:
            context.warn(warning)
        if self.misplaced:
            context.warn(say.MISPLACED, images=self.misplaced)
        if empty := sorted(labeling.classes - set(self.classes)):
            context.warn(say.EMPTY_CLASSES, classes=empty)
        num_duplicates = self._tell_duplicates(context)
        parts = [say.IMAGES.about({"images": len(self.images)})]
        parts += [say.CLASSES.about({"classes": len(self.classes)})] if self.classes else []
        parts += [] if self.classes else [say.UNLABELLED.about({})]
        parts += [labeling.source] if labeling.source else []
        parts += [self._skipped_count()] if self.skipped else []
        parts += [say.DUPLICATES.about({"duplicates": num_duplicates})] if num_duplicates else []
        context.summary(all_families.SUMMARY, parts=parts)

    def _skipped_count(self) -> Statement:
        facts = {"files": len(self.skipped), "kinds": self.by_kind.counts}
        return (say.SKIPPED_KINDS if facts["kinds"] else say.SKIPPED).about(facts)

    def _tell_duplicates(self, context: Context) -> int:
        """Count images with the same bytes as an earlier one; warn if their classes differ."""
        first: dict[str, CheckedImage] = {}
        crossing = []
        for image in self.images:
            earlier = first.setdefault(image.sha256, image)
            if earlier.label != image.label:
                crossing.append(f"{earlier.path} = {image.path}")
        if crossing:
            context.warn(say.IN_TWO_CLASSES, pairs=crossing)
        return len(self.images) - len(first)
