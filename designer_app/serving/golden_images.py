"""Golden images: known images that a new version must classify as well as the current one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from designer_app.serving.served_model import ServedModel
from modules.errors import ModuleError
from modules.image_loading.image_formats import has_image_extension
from pipelines.errors import RefusedError
from pipelines.sentences import calling

MOST_IMAGES = 500


class GoldenImages:
    """Images of a folder with one folder for each class."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def require_as_good(self, model: ServedModel, current: ServedModel | None) -> None:
        """Raise ``RefusedError`` if the model is right on fewer images than the current one.

        The first version must read the images and know at least one of their classes.
        """
        files = await asyncio.to_thread(self._files)
        if not any(label in model.scorer.classes for label, _ in files):
            raise RefusedError(calling.GOLDEN_FOLDER_EMPTY, folder=str(self.folder))
        right = await _num_right(model, files)
        before = 0 if current is None else await _num_right(current, files)
        if right < before:
            raise RefusedError(
                calling.GOLDEN_WRONG,
                model=model.reference,
                right=right,
                images=len(files),
                before=before,
            )

    def _files(self) -> list[tuple[str, Path]]:
        """Return class and path of each image, sorted."""
        if not self.folder.is_dir():
            return []
        return [
            (path.parent.name, path)
            for path in sorted(self.folder.glob("*/*"))
            if path.is_file() and has_image_extension(path.name)
        ][:MOST_IMAGES]


async def _num_right(model: ServedModel, files: list[tuple[str, Path]]) -> int:
    """Return how many images get their label; an image that cannot be read counts as wrong."""
    right = 0
    for label, path in files:
        try:
            content = await asyncio.to_thread(path.read_bytes)
            pixels = await asyncio.to_thread(model.scorer.pixels, content)
        except (OSError, ModuleError):
            continue
        [probabilities_K] = await model.probabilities([pixels])
        right += model.scorer.classes[int(probabilities_K.argmax())] == label
    return right
