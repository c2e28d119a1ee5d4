"""Registered models as files to take away: a folder, one zip, or the weights alone."""

from __future__ import annotations

import os
import secrets
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from typing import IO, Literal

from modules.artifacts import TrainedModel
from modules.models.origin import missing_texts
from modules.models.weights_header import copy_with_texts
from pipelines.errors import NameTakenError
from pipelines.registry.models import ModelPlace
from pipelines.sentences import refusals

Form = Literal["zip", "safetensors", "folder"]


def form_of(target: Path) -> Form:
    """What a target's name asks for."""
    suffix = target.suffix.lower()
    return "zip" if suffix == ".zip" else "safetensors" if suffix == ".safetensors" else "folder"


def export(place: ModelPlace, target: Path, *, replace: bool = False) -> Form:
    """Write a model to ``target``: its name says in which form. All of it, or nothing.

    Raises ``FileExistsError`` for a target that is there, unless it is a file to be replaced.
    """
    if target.exists() and not (replace and target.is_file()):
        raise NameTakenError(refusals.FILE_THERE, file=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    form = form_of(target)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        _write(place, partial, form)
        os.replace(partial, target)
    finally:
        if partial.is_dir():
            shutil.rmtree(partial)
        partial.unlink(missing_ok=True)
    return form


def _write(place: ModelPlace, partial: Path, form: Form) -> None:
    folder = place.artifact.path
    if form == "folder":
        shutil.copytree(folder, partial)
    elif form == "safetensors":
        with partial.open("wb") as file:
            write_weights(place.artifact, file)
    else:
        with partial.open("wb") as file:
            write_zip(place, file)


def write_weights(model: TrainedModel, target: IO[bytes]) -> None:
    """Write a model's weights, which say of themselves what else only ``model.json`` would say.

    Weights of earlier versions do not, and would be taken for ImageNet's when they are alone.
    """
    copy_with_texts(model.weights_path, target, missing_texts(model))


def weights(model: TrainedModel) -> bytes:
    """The same in memory."""
    buffer = BytesIO()
    write_weights(model, buffer)
    return buffer.getvalue()


def zipped(place: ModelPlace) -> bytes:
    """All files of a model as one archive."""
    buffer = BytesIO()
    write_zip(place, buffer)
    return buffer.getvalue()


def write_zip(place: ModelPlace, target: IO[bytes]) -> None:
    """Write all files of a model as one archive."""
    folder, name = place.artifact.path, place.reference.replace("@", "-")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(folder.rglob("*")):  # weights do not get smaller by compression
            if file.is_file():
                archive.write(file, f"{name}/{file.relative_to(folder)}")
