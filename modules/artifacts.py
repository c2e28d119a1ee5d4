"""The types on the wires: artifacts are folders, written once, never changed, never pickled.

A link is allowed when the output's type is the input's type or one of its subclasses.
File names and columns are the contract of the module reference ("Files inside artifacts").
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from modules.errors import (
    InvalidDatasetError,
    InvalidModelDirectoryError,
    InvalidTransformationDirectoryError,
    NotScoredDatasetError,
)
from modules.sentences import artifacts as say
from modules.sentences.sentence import Sentence

if TYPE_CHECKING:
    import pandas as pd

SHARDS_FILE = "shards.parquet"
"""The index of a dataset, or of converted images, that lie in tar shards."""


class Artifact:
    """A folder with one typed thing in it.

    ``<store>/<artifact id>/<port>/`` is its place; a manifest of content hashes is added beside
    its files when it enters the store.
    """

    colour: ClassVar[str] = "grey"
    words: ClassVar[str] = ""
    """What users call it, where its name does not say it."""
    schema_version: ClassVar[int] = 1

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    @classmethod
    def in_words(cls) -> str:
        """``trained model`` for ``TrainedModel``; as the editor's ``graph/typeWords.ts``."""
        own: str = cls.__dict__.get("words", "")
        return own or re.sub("(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__).lower()

    @property
    def reference(self) -> str:
        """``<artifact id>/<port>``: how another artifact of the same store names this one."""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def store_dir(self) -> Path:
        """The artifact store this folder lies in."""
        return self.path.parent.parent

    @property
    def references(self) -> frozenset[str]:
        """The other artifacts whose files this one needs."""
        return frozenset()

    def check(self) -> None:
        """Raise the error a user should see when the folder is not what its type says."""


class AnyDirectory(Artifact):
    """Any folder or archive a user pointed at: ``data/`` inside, or a place outside the store."""

    words = "folder or archive"

    @classmethod
    def write(cls, folder: Path, location: Path | None = None) -> Self:
        """Make it refer to ``location``, or to the files put into ``folder / "data"``.

        A relative ``location`` lies in ``folder`` itself: an archive there, say.
        """
        text = None if location is None else str(location)
        write_json(folder / "dataset.json", {"location": text})
        return cls(folder)

    @property
    def location(self) -> Path:
        """The folder or archive itself."""
        location = read_json(self.path / "dataset.json")["location"]
        return self.path / ("data" if location is None else location)

    def choose(self, part: str) -> None:
        """Say which part (``modules.layouts.parts``) of the dataset is meant."""
        content = read_json(self.path / "dataset.json")
        write_json(self.path / "dataset.json", {**content, "part": part})

    @property
    def part(self) -> str | None:
        """The part that was chosen; None for all there is."""
        part = read_json(self.path / "dataset.json").get("part")
        return part if isinstance(part, str) else None

    def check(self) -> None:
        if not (self.path / "dataset.json").is_file():
            raise InvalidDatasetError(say.NO_DATASET)
        if not self.location.exists():
            raise InvalidDatasetError(say.DATA_GONE, location=self.location, port="input_dataset")


@dataclass(frozen=True)
class AttachedTransformation:
    """Operations in order, and whether random ones draw anew each epoch or are left out."""

    operations: tuple[Mapping[str, Any], ...]
    mode: str

    def to_json(self) -> dict[str, Any]:
        return {"mode": self.mode, "operations": [dict(each) for each in self.operations]}


class ImageDirectory(Artifact):
    """A manifest of images, the classes in a fixed order, and perhaps a transformation.

    Image files lie once, in ``images/`` of the artifact that converted them or in the shards that
    its index (``SHARDS_FILE``) names; every directory derived from it names that artifact in the
    column ``source`` (empty: this very folder).
    """

    colour = "green"
    COLUMNS: ClassVar[tuple[str, ...]] = (
        "path",
        "label",
        "width",
        "height",
        "num_bytes",
        "sha256",
        "source",
    )

    @classmethod
    def write(
        cls,
        folder: Path,
        images: pd.DataFrame,
        classes: Sequence[str],
        transformation: AttachedTransformation | None = None,
        skipped: pd.DataFrame | None = None,
    ) -> Self:
        """Write the manifest of ``images`` (columns ``COLUMNS``) and what belongs to it."""
        import pandas as pd

        images[list(cls.COLUMNS)].to_parquet(folder / "images.parquet", index=False)
        write_json(folder / "classes.json", list(classes))
        if transformation is not None:
            write_json(folder / "transformation.json", transformation.to_json())
        if skipped is None:
            skipped = pd.DataFrame({"path": [], "reason": []}, dtype="str")
        skipped[["path", "reason"]].to_parquet(folder / "skipped.parquet", index=False)
        return cls(folder)

    def derive(
        self,
        folder: Path,
        images: pd.DataFrame | None = None,
        transformation: AttachedTransformation | None = None,
    ) -> ImageDirectory:
        """A directory that shares these image files: some of the rows, or a transformation."""
        rows = self.derived_rows(images)
        attached = self.transformation if transformation is None else transformation
        return ImageDirectory.write(folder, rows, self.classes, attached)

    def derived_rows(self, images: pd.DataFrame | None = None) -> pd.DataFrame:
        """All rows, or these of them, with the place of their files wherever they are kept."""
        rows = self.images if images is None else images
        return rows.assign(source=rows["source"].where(rows["source"] != "", self.reference))

    @cached_property
    def images(self) -> pd.DataFrame:
        """One row an image, columns ``COLUMNS``; ``label`` is null where there is none."""
        import pandas as pd

        return pd.read_parquet(self.path / "images.parquet")

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The class names; a label's index is its place here."""
        return tuple(read_json(self.path / "classes.json"))

    @cached_property
    def skipped(self) -> pd.DataFrame:
        """What was left out and why: columns ``path`` and ``reason``."""
        import pandas as pd

        return pd.read_parquet(self.path / "skipped.parquet")

    @cached_property
    def transformation(self) -> AttachedTransformation | None:
        """The attached transformation, if Apply Image Transformation attached one."""
        path = self.path / "transformation.json"
        if not path.exists():
            return None
        stored = read_json(path)
        return AttachedTransformation(tuple(stored["operations"]), stored["mode"])

    @property
    def labels(self) -> list[str | None]:
        """The label of each image; None where there is none, however the table says so."""
        known = self.images["label"].notna()
        return [
            label if has else None for label, has in zip(self.images["label"], known, strict=True)
        ]

    @property
    def is_labeled(self) -> bool:
        """True where every image has a label."""
        return bool(len(self.images)) and not bool(self.images["label"].isna().any())

    def file_paths(self) -> list[Path]:
        """The image files in the order of ``images``; those in shards are none of their own."""
        here = self.path / "images"
        folders = {
            source: self.store_dir / source / "images" if source else here
            for source in self.images["source"].unique()
        }
        if any((folder.parent / SHARDS_FILE).is_file() for folder in folders.values()):
            raise InvalidDatasetError(say.IN_SHARDS)
        pairs = zip(self.images["source"], self.images["path"], strict=True)
        return [folders[source] / path for source, path in pairs]

    @property
    def references(self) -> frozenset[str]:
        return frozenset(source for source in self.images["source"].unique() if source)

    def check(self) -> None:
        if not (self.path / "images.parquet").is_file():
            raise InvalidDatasetError(say.NO_IMAGE_DIRECTORY)


class ImageTransformation(Artifact):
    """An ordered list of operations: ``[{"operation": "resize", "size": 64}, ...]``."""

    colour = "violet"

    @classmethod
    def write(cls, folder: Path, operations: Sequence[Mapping[str, Any]]) -> Self:
        """Write the operations with their arguments."""
        operations = [dict(each) for each in operations]
        write_json(folder / "transformation.json", {"operations": operations})
        return cls(folder)

    @property
    def operations(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(read_json(self.path / "transformation.json")["operations"])

    def check(self) -> None:
        try:
            well_formed = all(isinstance(each["operation"], str) for each in self.operations)
        except (OSError, ValueError, KeyError, TypeError):
            well_formed = False
        if not well_formed:
            raise InvalidTransformationDirectoryError(say.NO_TRANSFORMATION)


class Model(Artifact):
    """What untrained and trained models share: ``model.json``."""

    role: ClassVar[str] = ""
    refusal: ClassVar[Sentence] = say.NO_MODEL

    @cached_property
    def description(self) -> dict[str, Any]:
        """The contents of ``model.json``."""
        stored = read_json(self.path / "model.json")
        if not isinstance(stored, dict):
            raise ValueError("model.json holds no object")
        return stored

    def check(self) -> None:
        try:
            role = self.description.get("role")
        except (OSError, ValueError):
            role = None
        if role is None or self.role not in ("", role):
            raise InvalidModelDirectoryError(self.refusal)


class UntrainedModel(Model):
    """A recipe: family, architecture, arguments, pretrained or not, what is frozen; no weights."""

    colour = "amber"
    role = "untrained"
    refusal = say.NO_UNTRAINED_MODEL

    @classmethod
    def write(cls, folder: Path, recipe: Mapping[str, Any]) -> Self:
        """Write the recipe."""
        write_json(folder / "model.json", {"role": cls.role, "recipe": dict(recipe)})
        return cls(folder)

    @property
    def recipe(self) -> dict[str, Any]:
        return dict(self.description["recipe"])


class TrainedModel(Model):
    """``model.safetensors``, ``model.json`` and ``history.parquet`` (one row an epoch)."""

    colour = "red"
    role = "trained"
    refusal = say.NO_TRAINED_MODEL

    @property
    def weights_path(self) -> Path:
        return self.path / "model.safetensors"

    @property
    def recipe(self) -> dict[str, Any]:
        return dict(self.description["recipe"])

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.description["classes"])

    @cached_property
    def history(self) -> pd.DataFrame:
        """One row an epoch, the metric names of Train PyTorch Model as columns."""
        import pandas as pd

        return pd.read_parquet(self.path / "history.parquet")


class Table(Artifact):
    """A Parquet table."""

    colour = "blue"
    file_name: ClassVar[str] = "table.parquet"

    @classmethod
    def write(cls, folder: Path, rows: pd.DataFrame) -> Self:
        """Write the rows."""
        rows.to_parquet(folder / cls.file_name, index=False)
        return cls(folder)

    @cached_property
    def rows(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_parquet(self.path / self.file_name)


class ScoredImages(Table):
    """One row an image: ``path``, ``category``, ``Scored Labels``, probabilities, confidence."""

    file_name = "scored.parquet"

    def check(self) -> None:
        path = self.path / self.file_name
        if not path.is_file() or "Scored Labels" not in self.rows.columns:
            raise NotScoredDatasetError(say.NO_SCORED_DATASET)


class EvaluationResults(Artifact):
    """``metrics.json`` (name -> number) and the tables behind it."""

    colour = "blue"

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """Name -> number; with two inputs the second one's under ``compared``."""
        return dict(read_json(self.path / "metrics.json"))


def read_json(path: Path) -> Any:
    """The parsed contents of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, content: object) -> None:
    """Write a JSON file; NaN and infinity are refused, they are not JSON."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
