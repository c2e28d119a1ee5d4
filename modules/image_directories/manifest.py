"""What a conversion found: the manifest of images, the list of what was skipped, the warnings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from modules.context import Context
from modules.errors import InvalidDatasetError, evidence, examples
from modules.files.progress import Pace
from modules.image_directories.image_checking import ImageFacts, LeftOut
from modules.image_directories.labels import Labeling

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Findings:
    """The images that are whole, and what is not among them."""

    images: list[ImageFacts] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason, where one unreadable image is an error."""

    @classmethod
    def collect(
        cls,
        results: Iterable[ImageFacts | LeftOut],
        labeling: Labeling,
        context: Context,
        *,
        fail: bool,
    ) -> Findings:
        """All results in their order; with ``fail``, unreadable images are an error."""
        found = cls(skipped=list(labeling.skipped))
        pace, total = Pace(context, "images"), len(labeling.files)
        for done, result in enumerate(results, start=1):
            if isinstance(result, ImageFacts):
                found.images.append(result)
            else:
                found._leave_out(result, fail=fail)
            pace.tell(done, total, last=done == total)
        if fail and found.unreadable:
            raise found._unreadable_error()
        return found

    def _leave_out(self, result: LeftOut, *, fail: bool) -> None:
        if fail and result.is_image and not result.misplaced:
            if result.error is not None:
                raise result.error
            self.unreadable.append((result.path, result.reason))
        self.skipped.append((result.path, result.reason))
        if result.misplaced:
            self.misplaced.append(f"{result.path} ({result.reason})")

    def _unreadable_error(self) -> InvalidDatasetError:
        (path, reason), rest = self.unreadable[0], len(self.unreadable) - 1
        more = f" So {'is' if rest == 1 else 'are'} {rest:,} more." if rest else ""
        return InvalidDatasetError(
            f"The image {path} is unreadable: {reason}.{more}",
            cure="Replace or delete it, or set On unreadable image to skip and list.",
            parameter="on_unreadable_image",
            remedy={"set": {"on_unreadable_image": "skip and list"}},
            details=evidence("unreadable", "Unreadable images", self.unreadable),
        )

    def require_images(self, name: str) -> None:
        """Raise the error of a dataset without one valid image, with the first reasons."""
        if self.images:
            return
        reasons = examples(f"{path}: {reason}" for path, reason in self.skipped)
        raise InvalidDatasetError(
            f"There is no valid image in {name}" + (f" ({reasons})." if reasons else "."),
            cure="Give a folder or archive of JPEG, PNG, PPM, PGM, BMP, TIFF, WebP or GIF images, "
            "in one folder for each class.",
            port="input_dataset",
        )

    @property
    def classes(self) -> list[str]:
        return sorted({each.label for each in self.images if each.label is not None})

    def image_table(self) -> pd.DataFrame:
        """The manifest, sorted by path."""
        import pandas as pd

        table = pd.DataFrame([vars(each) for each in self.images])
        # Not "str": a column of nothing but missing labels must stay one of text.
        table["label"] = table["label"].astype("string")
        return table.assign(source="").sort_values("path", ignore_index=True)

    def skipped_table(self) -> pd.DataFrame:
        import pandas as pd

        rows = sorted(self.skipped)
        return pd.DataFrame(rows, columns=["path", "reason"], dtype="string")

    def tell(self, labeling: Labeling, context: Context) -> None:
        """The warnings and the footer line of the node."""
        for warning in labeling.warnings:
            context.warn(warning)
        if self.misplaced:
            context.warn(
                f"Images that lie in no class were left out: {examples(self.misplaced)}. "
                "Give each of them a class."
            )
        if empty := sorted(labeling.classes - set(self.classes)):
            context.warn(
                f"Classes without a valid image were dropped: {examples(empty)}. "
                "Add images, or delete the folders."
            )
        num_duplicates = self._tell_duplicates(context)
        parts = [_count(len(self.images), "image")]
        parts.append(_count(len(self.classes), "class") if self.classes else "no labels")
        parts += [f"{len(self.skipped):,} skipped"] if self.skipped else []
        parts += [_count(num_duplicates, "duplicate")] if num_duplicates else []
        context.summary(", ".join(parts))

    def _tell_duplicates(self, context: Context) -> int:
        """How many images have the same bytes as an earlier one; warns about other classes."""
        first: dict[str, ImageFacts] = {}
        crossing = []
        for each in self.images:
            earlier = first.setdefault(each.sha256, each)
            if earlier.label != each.label:
                crossing.append(f"{earlier.path} = {each.path}")
        if crossing:
            context.warn(
                f"The same image lies in different classes: {examples(crossing)}. "
                "Delete it where it does not belong, or the model learns a contradiction."
            )
        return len(self.images) - len(first)


def _count(number: int, noun: str) -> str:
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else plural}"
