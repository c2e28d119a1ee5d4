"""The type of models written by scripts: unchanged files with a description, never loaded here."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, Self, TypedDict

from modules.artifacts import Model, write_json
from modules.sentences import artifacts as say

FRAMEWORKS = {
    ".pt": "pytorch",
    ".pth": "pytorch",
    ".bin": "pytorch",
    ".ckpt": "pytorch",
    ".safetensors": "safetensors",
    ".onnx": "onnx",
    ".keras": "tensorflow",
    ".h5": "tensorflow",
    ".pb": "tensorflow",
    ".joblib": "scikit-learn",
    ".pkl": "pickle",
}
"""Framework by the suffix of a model file."""
ClassOrder = Literal["folders", "images"]
"""Way in which a script received the classes: as folders in their own order, or by name."""


def framework_of(path: Path) -> str:
    """Guess the framework of a model file from its name."""
    return FRAMEWORKS.get(path.suffix.lower(), "other")


class FileData(TypedDict):
    """File of a model, as in its description."""

    path: str
    num_bytes: int
    sha256: str


class ForeignModel(Model):
    """Files of a model that a script wrote, unchanged, in ``files/``; they are never loaded here.

    ``model.json`` describes them: ``framework`` (``pytorch``, ``onnx``, ...), ``main`` (the
    declared model file), ``class_order`` and ``files`` with their sizes and hashes.
    """

    colour = "red"
    words = "model of a script"
    role = "foreign"
    refusal = say.NO_FOREIGN_MODEL

    @classmethod
    def write(
        cls, folder: Path, *, main: str, framework: str, class_order: ClassOrder = "folders"
    ) -> Self:
        """Describe the files in ``folder / "files"``; ``main`` is a path in it."""
        root = folder / "files"
        paths = sorted(path for path in root.rglob("*") if path.is_file())
        files = [_description_of(path, root) for path in paths]
        write_json(
            folder / "model.json",
            {
                "role": cls.role,
                "framework": framework,
                "main": main,
                "class_order": class_order,
                "files": files,
            },
        )
        return cls(folder)

    @property
    def main_path(self) -> Path:
        """Return the path of the declared model file."""
        return self.path / "files" / str(self.description["main"])

    @property
    def has_files(self) -> bool:
        """Return False if the script wrote no model."""
        return bool(self.description.get("files"))

    @property
    def num_bytes(self) -> int:
        """Return the size of all files."""
        return sum(int(file["num_bytes"]) for file in self.description.get("files", ()))

    @property
    def framework(self) -> str:
        return str(self.description["framework"])

    @property
    def class_order(self) -> ClassOrder:
        """Return the order of its outputs; older models do not record it, and most had folders."""
        return "images" if self.description.get("class_order") == "images" else "folders"


def _description_of(path: Path, root: Path) -> FileData:
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    num_bytes = path.stat().st_size
    return {"path": path.relative_to(root).as_posix(), "num_bytes": num_bytes, "sha256": sha256}
