"""Registration of model files: of a script, and of exports from any machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from modules.artifacts import write_json
from modules.export.formats import check_packages
from modules.export.readme import labels_text
from modules.files.regular_files import open_regular
from pipelines.errors import NotFoundError, RefusedError
from pipelines.registry.model_files import (
    CARD_FILE,
    LABELS_FILE,
    ONNX_FILE,
    PORT,
    copied_at_rest,
    stored_files,
)
from pipelines.registry.models import ModelRegistry, Mover, RegisteredVersion
from pipelines.sentences import refusals


def register_file(
    registry: ModelRegistry,
    file: Path,
    run_id: str,
    node: str,
    name: str,
    *,
    description: str | None = None,
    alias: str | None = None,
) -> RegisteredVersion:
    """Register a copy of a node's file as the next version of a model.

    Raises ``RefusedError`` for invalid texts, and if the file is still being written.
    """

    def fill(files: Path) -> Path:
        return copied_at_rest(file, files / file.name)

    make = partial(stored_files, registry.artifacts, fill, run_id, node)
    return registry.register_made(make, PORT, name, description, alias)


def register_onnx_file(
    registry: ModelRegistry,
    file: Path,
    name: str,
    by: Mover,
    *,
    description: str | None = None,
    alias: str | None = None,
) -> RegisteredVersion:
    """Register a copy of an ONNX file that was exported on any machine.

    Raises ``InvalidModelDirectoryError`` (0159) for damaged and foreign files, ``NotFoundError``
    for no file, ``RefusedError`` for a folder, pipe or device, and the errors of
    ``register_file``.
    """
    from modules.export.onnx_classifier import OnnxClassifier

    check_packages("onnx")
    try:
        open_regular(file).close()
    except (FileNotFoundError, ValueError):
        raise NotFoundError(refusals.NO_FILE_TO_IMPORT, file=str(file)[:300]) from None
    except OSError as error:
        facts = {"file": str(file)[:300], "error": error.strerror}
        raise RefusedError(refusals.FILE_UNREADABLE, **facts) from None

    def fill(files: Path) -> Path:
        copy = copied_at_rest(file, files / ONNX_FILE)
        classifier = OnnxClassifier.open(copy, shown_as=file.name)
        write_json(files / CARD_FILE, dict(classifier.card))
        (files / LABELS_FILE).write_text(labels_text(classifier.classes), encoding="utf-8")
        return copy

    make = partial(stored_files, registry.artifacts, fill)
    return registry.register_made(make, PORT, name, description, alias, by)
