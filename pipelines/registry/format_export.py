"""Export of registered models in a format for other programs, checked before it is complete."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from modules.artifacts import ImageDirectory, TrainedModel, write_json
from modules.export.card import Card
from modules.export.exported_file import Export
from modules.export.formats import FORMATS, SUFFIXES, Format
from modules.export.readme import labels_text, readme
from modules.export.shared_page import MODEL_FILE, PAGE_FORMATS, write_page, zip_folder
from modules.files.disk import disk_errors, remove_abandoned, scratch_folder
from pipelines.errors import NameTakenError, RefusedError
from pipelines.registry.models import Registrable
from pipelines.sentences import refusals

SCRATCH = ".designer-export-"
"""Prefix of scratch folders next to the target."""
EXPORT_FORMATS = (*FORMATS, *PAGE_FORMATS)
"""Names of formats; those of pages contain a model in another one."""
BY_SUFFIX: Mapping[str, Format] = {".onnx": "onnx", ".pt2": "torch-export"}


@dataclass(frozen=True)
class RunImages:
    """Images of the run that trained a model, as far as they exist."""

    training: ImageDirectory | None = None
    validation: ImageDirectory | None = None


def export_format(
    model: Registrable,
    name: str,
    target: Path,
    chosen: str,
    images: RunImages,
    *,
    batch: bool = False,
    replace: bool = False,
    progress: Callable[[str], None] = lambda _phase: None,
) -> Card:
    """Write a model and return its card; without an extension, a folder with its README.

    Args:
        model: The model.
        name: Its name on the card.
        target: The file, which must end in the extension of the format (a page's in .zip), or a
            folder.
        chosen: One of ``EXPORT_FORMATS``.
        images: Images to check and calibrate with.
        batch: True for batches of images in the size of the input.
        replace: True to overwrite an existing file.
        progress: Called with the name of each phase.

    Raises:
        NameTakenError: The target exists.
        RefusedError: The extension does not match, or a script wrote the model.
        ModuleError: The model cannot be exported, or the file would predict differently (3105).
    """
    is_page, form = chosen in PAGE_FORMATS, model_format(chosen)
    suffix = ".zip" if is_page else SUFFIXES[form]
    if not isinstance(model, TrainedModel):
        raise RefusedError(refusals.NOT_EXPORTED_FROM_SCRIPT, format=chosen)
    if target.suffix.lower() not in ("", suffix):
        raise RefusedError(refusals.OTHER_EXPORT_SUFFIX, format=chosen, suffix=suffix, file=target)
    if target.exists() and not (replace and target.is_file()):
        raise NameTakenError(refusals.FILE_THERE, file=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target.parent, SCRATCH)
    with disk_errors(target.parent), scratch_folder(target.parent, SCRATCH) as scratch:
        made = Export(model, name, form, batch, images.training, images.validation, progress)
        partial = scratch / target.name
        if is_page:
            card = _write_page(made, partial, scratch)
        elif target.suffix:
            card = made.write(partial)
        else:
            card = _write_folder(made, partial, suffix)
        os.replace(partial, target)
    return card


def model_format(chosen: str) -> Format:
    """Return the format of the model in a format; raises ``RefusedError`` for unknown ones."""
    form = PAGE_FORMATS.get(chosen) or next((name for name in FORMATS if name == chosen), None)
    if form is None:
        raise RefusedError(refusals.NO_MODEL_FORMAT, text=chosen[:80], formats=EXPORT_FORMATS)
    return form


def _write_folder(made: Export, folder: Path, suffix: str) -> Card:
    folder.mkdir()
    file = folder / f"model{suffix}"
    card = made.write(file)
    labels = made.model.classes
    (folder / "labels.txt").write_text(labels_text(labels), encoding="utf-8")
    (folder / "README.md").write_text(readme(card, labels, file.name), encoding="utf-8")
    write_json(folder / "card.json", card)
    return card


def _write_page(made: Export, target: Path, scratch: Path) -> Card:
    """Write a page as a folder, or as an archive of it."""
    folder = scratch / "page" if target.suffix else target
    folder.mkdir()
    card = made.write(folder / MODEL_FILE)
    write_page(folder, card, made.model.classes)
    if target.suffix:
        zip_folder(folder, target)
    return card
