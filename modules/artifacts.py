"""Artifact types of the ports: folders that are written once, never changed, never pickled.

A link is allowed if the output's type is the input's type or one of its subclasses. File names and
columns are the contract of the module reference ("Files inside artifacts").
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
from modules.sentences.sentence import Sentence, said_by

if TYPE_CHECKING:
    import pandas as pd

RecipeData = dict[str, Any]
"""Recipe of a network as JSON (``modules.models.recipe``)."""
SHARDS_FILE = "shards.parquet"
"""Index of a dataset, or of converted images, that is stored in tar shards."""


class Artifact:
    """A folder with one typed object in it.

    Its path is ``<store>/<artifact id>/<port>/``; a manifest of content hashes is added next to its
    files when it enters the store.
    """

    colour: ClassVar[str] = "grey"
    words: ClassVar[str] = ""
    """Name of the type for users, if the class name does not express it."""
    schema_version: ClassVar[int] = 1

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    @classmethod
    def in_words(cls) -> str:
        """Return the name for users, ``trained model`` for ``TrainedModel``."""
        own: str = cls.__dict__.get("words", "")
        return own or re.sub("(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__).lower()

    @property
    def reference(self) -> str:
        """Return ``<artifact id>/<port>``, by which other artifacts refer to this one."""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def store_dir(self) -> Path:
        """The artifact store that contains this folder."""
        return self.path.parent.parent

    @property
    def references(self) -> frozenset[str]:
        """Return the other artifacts whose files this one needs."""
        return frozenset()

    def check(self) -> None:
        """Raise the error for users if the folder does not match its type."""


class AnyDirectory(Artifact):
    """Any folder or archive chosen by a user: ``data/`` inside, or a path outside the store."""

    words = "folder or archive"

    @classmethod
    def write(cls, folder: Path, location: Path | None = None) -> Self:
        """Make it refer to ``location``, or to the files put into ``folder / "data"``.

        A relative ``location`` is inside ``folder``, for example an archive.
        """
        text = None if location is None else str(location)
        write_json(folder / "dataset.json", {"location": text})
        return cls(folder)

    @property
    def location(self) -> Path:
        """Return the folder or archive."""
        location = read_json(self.path / "dataset.json")["location"]
        return self.path / ("data" if location is None else location)

    def choose(self, part: str) -> None:
        """Select a part (``modules.layouts.parts``) of the dataset."""
        content = read_json(self.path / "dataset.json")
        write_json(self.path / "dataset.json", {**content, "part": part})

    @property
    def part(self) -> str | None:
        """Return the selected part; None for the whole dataset."""
        part = read_json(self.path / "dataset.json").get("part")
        return part if isinstance(part, str) else None

    def check(self) -> None:
        if not (self.path / "dataset.json").is_file():
            raise InvalidDatasetError(say.NO_DATASET)
        if not self.location.exists():
            raise InvalidDatasetError(say.DATA_GONE, location=self.location, port="input_dataset")


@dataclass(frozen=True)
class AttachedTransformation:
    """Operations in order, and the mode: random ones are redrawn each epoch or skipped."""

    operations: tuple[Mapping[str, Any], ...]
    mode: str

    def to_json(self) -> dict[str, Any]:
        return {"mode": self.mode, "operations": [dict(operation) for operation in self.operations]}


class ImageDirectory(Artifact):
    """A manifest of images, the classes in a fixed order, and an optional transformation.

    Image files are stored once, in ``images/`` of the artifact that converted them or in the shards
    listed in its index (``SHARDS_FILE``). Every directory derived from it names that artifact in
    the column ``source`` (empty: this folder).
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
        """Write the manifest of ``images`` (columns ``COLUMNS``) and its metadata."""
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
        """Create a directory that shares these files: some of the rows, or a transformation."""
        rows = self.derived_rows(images)
        attached = self.transformation if transformation is None else transformation
        return ImageDirectory.write(folder, rows, self.classes, attached)

    def derived_rows(self, images: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return all or these rows, with the location of their files."""
        rows = self.images if images is None else images
        return rows.assign(source=rows["source"].where(rows["source"] != "", self.reference))

    @cached_property
    def images(self) -> pd.DataFrame:
        """Return one row per image, columns ``COLUMNS``; ``label`` is null if there is none."""
        import pandas as pd

        return pd.read_parquet(self.path / "images.parquet")

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Return the class names; a label's index is its position here."""
        return tuple(read_json(self.path / "classes.json"))

    @cached_property
    def skipped(self) -> pd.DataFrame:
        """Return skipped files with reasons: columns ``path`` and ``reason``."""
        import pandas as pd

        return pd.read_parquet(self.path / "skipped.parquet")

    @cached_property
    def transformation(self) -> AttachedTransformation | None:
        """Return the transformation attached by Apply Image Transformation, if any."""
        path = self.path / "transformation.json"
        if not path.exists():
            return None
        stored = read_json(path)
        return AttachedTransformation(tuple(stored["operations"]), stored["mode"])

    @property
    def labels(self) -> list[str | None]:
        """Return the label of each image; None if missing, in whatever form the table has it."""
        known = self.images["label"].notna()
        return [
            label if has else None for label, has in zip(self.images["label"], known, strict=True)
        ]

    @property
    def is_labeled(self) -> bool:
        """Return True if every image has a label."""
        return bool(len(self.images)) and not bool(self.images["label"].isna().any())

    def file_paths(self) -> list[Path]:
        """Return the image files in the order of ``images``; raise for images in shards."""
        own_folder = self.path / "images"
        folders = {
            source: self.store_dir / source / "images" if source else own_folder
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
        operations = [dict(operation) for operation in operations]
        write_json(folder / "transformation.json", {"operations": operations})
        return cls(folder)

    @property
    def operations(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(read_json(self.path / "transformation.json")["operations"])

    def check(self) -> None:
        try:
            well_formed = all(
                isinstance(operation["operation"], str) for operation in self.operations
            )
        except (OSError, ValueError, KeyError, TypeError):
            well_formed = False
        if not well_formed:
            raise InvalidTransformationDirectoryError(say.NO_TRANSFORMATION)


class Model(Artifact):
    """Common base of untrained and trained models: ``model.json``."""

    role: ClassVar[str] = ""
    refusal: ClassVar[Sentence] = say.NO_MODEL

    @cached_property
    def description(self) -> dict[str, Any]:
        """Return the contents of ``model.json``; raise 0159 if it is damaged."""
        try:
            stored = read_json(self.path / "model.json")
        except (ValueError, RecursionError) as error:
            damage = said_by(error)
            raise InvalidModelDirectoryError(say.DESCRIPTION_DAMAGED, error=damage) from error
        if not isinstance(stored, dict):
            damage = say.NO_JSON_OBJECT.about({})
            raise InvalidModelDirectoryError(say.DESCRIPTION_DAMAGED, error=damage)
        return stored

    def check(self) -> None:
        try:
            role = self.description.get("role")
        except OSError:
            role = None
        if role is None or self.role not in ("", role):
            raise InvalidModelDirectoryError(self.refusal)


class UntrainedModel(Model):
    """A recipe without weights: family, architecture, arguments, pretrained, frozen layers."""

    colour = "amber"
    role = "untrained"
    refusal = say.NO_UNTRAINED_MODEL

    @classmethod
    def write(cls, folder: Path, recipe: Mapping[str, Any]) -> Self:
        """Write the recipe."""
        write_json(folder / "model.json", {"role": cls.role, "recipe": dict(recipe)})
        return cls(folder)

    @property
    def recipe(self) -> RecipeData:
        return dict(self.description["recipe"])


class ScorableModel(Artifact):
    """A model that Score Image Model accepts: trained here, or exported as ONNX."""

    colour = "red"
    words = "trained or exported model"


_TYPES_OF_TRAINED: Mapping[str, type | tuple[type, ...]] = {
    "recipe": dict,
    "classes": list,
    "inference_transformation": (list, type(None)),
    "input_size": (dict, type(None)),
    "normalisation": (dict, type(None)),
    "training_parameters": (dict, type(None)),
    "precision": (str, type(None)),
}
"""Types of values in the description of a trained model; earlier versions lack some."""


class TrainedModel(Model, ScorableModel):
    """``model.safetensors``, ``model.json`` and ``history.parquet`` (one row per epoch)."""

    colour = "red"
    role = "trained"
    refusal = say.NO_TRAINED_MODEL

    @property
    def weights_path(self) -> Path:
        return self.path / "model.safetensors"

    @property
    def recipe(self) -> RecipeData:
        return dict(self.description["recipe"])

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.description["classes"])

    def check(self) -> None:
        super().check()
        faults = [
            name
            for name, kind in _TYPES_OF_TRAINED.items()
            if not isinstance(self.description.get(name), kind)
        ]
        if not faults and not all(isinstance(name, str) for name in self.description["classes"]):
            faults = ["classes"]
        if faults:
            damage = say.VALUE_OF_OTHER_TYPE.about({"name": faults[0]})
            raise InvalidModelDirectoryError(say.DESCRIPTION_DAMAGED, error=damage)

    @cached_property
    def history(self) -> pd.DataFrame:
        """Return one row per epoch, with the metric names of Train PyTorch Model as columns."""
        import pandas as pd

        return pd.read_parquet(self.path / "history.parquet")


class ExportedModel(ScorableModel):
    """A model as a file for other programs, with ``labels.txt``, ``README.md`` and ``card.json``.

    The file is ``model.onnx``, ``model.pt2`` or ``model.safetensors``.
    """

    colour = "red"
    FILES: ClassVar[tuple[str, ...]] = ("model.onnx", "model.pt2", "model.safetensors")

    @property
    def model_path(self) -> Path:
        """Return the file of the model; raises ``InvalidModelDirectoryError`` (0159) for none."""
        for name in self.FILES:
            if (self.path / name).is_file():
                return self.path / name
        raise InvalidModelDirectoryError(say.NO_EXPORTED_MODEL)

    @cached_property
    def card(self) -> dict[str, Any]:
        """Return the facts about the model and the result of its check."""
        return dict(read_json(self.path / "card.json"))

    def check(self) -> None:
        if not self.model_path.is_file() or not (self.path / "card.json").is_file():
            raise InvalidModelDirectoryError(say.NO_EXPORTED_MODEL)


class OnnxModel(ExportedModel):
    """An exported model as an ONNX file, from pixels to probabilities."""

    words = "ONNX model"
    FILES = ("model.onnx",)


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
    """One row per image: ``path``, ``category``, ``Scored Labels``, probabilities, confidence."""

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
        """Return name -> number; with two inputs the second one's under ``compared``."""
        return dict(read_json(self.path / "metrics.json"))


def read_json(path: Path) -> Any:
    """Return the parsed contents of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, content: object) -> None:
    """Write a JSON file; NaN and infinity raise, as they are not valid JSON."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
