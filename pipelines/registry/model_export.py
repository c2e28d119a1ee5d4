"""Export of registered models: a folder, a zip, the tensors or a script's file."""

from __future__ import annotations

import os
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from typing import IO, Literal

from modules.artifacts import TrainedModel
from modules.files.disk import disk_errors, remove_abandoned, scratch_folder
from modules.foreign_model import ForeignModel
from modules.models.origin import missing_texts
from modules.models.serialization import require_plausible_weights
from modules.models.weights_header import copy_with_texts
from pipelines.errors import NameTakenError, RefusedError
from pipelines.registry.models import RegisteredVersion, Registrable
from pipelines.sentences import refusals

Form = Literal["zip", "safetensors", "pt", "file", "folder"]
EXPORTED = ".designer-export-"
"""Prefix of scratch folders next to the target."""
TENSOR_FILES = frozenset({".pt", ".pth", ".bin", ".ckpt", ".safetensors"})
"""Suffixes of files that may contain a state dict."""
SUFFIXES: dict[str, Form] = {".safetensors": "safetensors", ".pt": "pt"}
WHOLE: dict[str, Form] = {".zip": "zip", "": "folder"}


def form_of(target: Path, model: Registrable) -> Form:
    """Return the form for a target's suffix: without one, a folder.

    Raises ``RefusedError`` if the model cannot be exported in that form.
    """
    suffix, forms = target.suffix.lower(), _forms_of(model)
    if suffix not in forms:
        listed = [form for form in forms if form]
        facts = {"model": "The model", "suffix": suffix, "forms": listed}
        raise RefusedError(refusals.NO_EXPORT_FORM, **facts)
    return forms[suffix]


def _forms_of(model: Registrable) -> dict[str, Form]:
    """Return the forms by suffix; a script's own file by its suffix."""
    if not isinstance(model, ForeignModel):
        return {**SUFFIXES, **WHOLE}
    if not model.main_path.is_file():
        return WHOLE
    own = model.main_path.suffix.lower()
    tensors = SUFFIXES if own in TENSOR_FILES else {}
    return {**tensors, own: "file", **WHOLE}


def export(registered: RegisteredVersion, target: Path, *, replace: bool = False) -> Form:
    """Write a model to ``target`` in the form of its suffix, completely or not at all.

    Raises ``FileExistsError`` for an existing target, unless it is a file to be replaced, and
    ``ModuleError`` (0159) if the model is damaged, its tensors are requested and contain NaN, or a
    file contains more than tensors.
    """
    if target.exists() and not (replace and target.is_file()):
        raise NameTakenError(refusals.FILE_THERE, file=target)
    form = form_of(target, registered.artifact)
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target.parent, EXPORTED)
    with disk_errors(target.parent), scratch_folder(target.parent, EXPORTED) as scratch:
        partial = scratch / target.name
        _write(registered, partial, form)
        os.replace(partial, target)
    return form


def _write(registered: RegisteredVersion, partial: Path, form: Form) -> None:
    model = registered.artifact
    if isinstance(model, TrainedModel):
        if form in WHOLE.values():
            model.check()
        else:
            require_plausible_weights(model)
    if form == "folder":
        _copy_files(model.path, partial)
    elif form == "file":
        assert isinstance(model, ForeignModel)
        shutil.copyfile(model.main_path, partial)
    elif form == "zip":
        with partial.open("wb") as file:
            write_zip(registered, file)
    elif form == "safetensors" and isinstance(model, TrainedModel):
        with partial.open("wb") as file:
            write_weights(model, file)
    else:
        _write_tensors(model, partial, form)


def _copy_files(source: Path, target: Path) -> None:
    """Copy a folder; unlike ``copytree``, raise the first error itself."""
    target.mkdir()
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir()
        else:
            shutil.copyfile(path, copy)


def _write_tensors(model: Registrable, partial: Path, form: Form) -> None:
    """Write the state dict, read without running code of its file."""
    import torch
    from safetensors.torch import save

    from modules.models.weights import read_weights

    weights = read_weights(
        model.main_path if isinstance(model, ForeignModel) else model.weights_path
    )
    content = BytesIO()  # torch itself would print a C++ traceback for a full disk
    if form == "pt":
        torch.save(weights, content)
    else:
        # Clones, because safetensors refuses tensors that share memory.
        content.write(save({name: tensor.clone().contiguous() for name, tensor in weights.items()}))
    partial.write_bytes(content.getbuffer())


def write_weights(model: TrainedModel, target: IO[bytes]) -> None:
    """Write a model's weights with the metadata that is otherwise only in ``model.json``.

    Weights of earlier versions lack it, and alone would be taken for ImageNet's.
    """
    copy_with_texts(model.weights_path, target, missing_texts(model))


def weights(model: TrainedModel) -> bytes:
    """Return the same in memory."""
    buffer = BytesIO()
    write_weights(model, buffer)
    return buffer.getvalue()


def zipped(registered: RegisteredVersion) -> bytes:
    """Return all files of a model as one archive."""
    buffer = BytesIO()
    write_zip(registered, buffer)
    return buffer.getvalue()


def write_zip(registered: RegisteredVersion, target: IO[bytes]) -> None:
    """Write all files of a model as one archive."""
    folder, name = registered.artifact.path, registered.reference.replace("@", "-")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(folder.rglob("*")):  # compression does not shrink weights
            if file.is_file():
                archive.write(file, f"{name}/{file.relative_to(folder)}")
