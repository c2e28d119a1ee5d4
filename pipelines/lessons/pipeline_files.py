"""Files of pipelines and lessons by name. Imports must be fast: commands use it before loading."""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modules.operating_system.special_files import is_standard_input

if TYPE_CHECKING:
    from modules.catalog import Catalog
    from pipelines.document.document import PipelineDocument

LIBRARY_DIR = Path(__file__).resolve().parent / "library"


def lesson_files() -> dict[str, Path]:
    """Return the documents of the lessons by name, such as ``01-digits``, in order."""
    return {path.stem: path for path in sorted(LIBRARY_DIR.glob("*.json"))}


def is_pipeline_file(path: Path) -> bool:
    """Return True for a file, standard input, or the name of a lesson."""
    return is_standard_input(path) or os.path.isfile(path) or str(path) in lesson_files()


def pipeline_file(path: Path) -> Path:
    """Return the file of a pipeline, by its path or by the name of a lesson.

    A file in the working directory takes precedence over a lesson with the same name. Raises
    ``PipelineError`` if a name without a folder is neither.
    """
    name = str(path)
    # Unlike Path.exists, os.path.lexists returns False for a name that no file can have.
    if is_standard_input(path) or os.path.lexists(path) or name != path.name:
        return path
    lessons = lesson_files()
    if name not in lessons:
        from pipelines.problems import NOT_A_PIPELINE, PipelineError
        from pipelines.sentences import documents

        facts = {"name": name, "lessons": list(lessons)}
        raise PipelineError.of(NOT_A_PIPELINE, documents.NO_FILE_OR_LESSON, **facts)
    return lessons[name]


def load_pipeline(path: Path, catalog: Catalog) -> PipelineDocument:
    """Load a pipeline from a document or from Python code; raises ``PipelineError``.

    Standard input (``-``) may contain either. It can be read only once.
    """
    from pipelines.document.document import document_bytes, parse_document

    if path.suffix.lower() == ".py":
        from pipelines.document.code.read import load_code

        return load_code(path, catalog).document
    content = document_bytes(pipeline_file(path))
    if is_standard_input(path) and _is_code(content):
        from pipelines.document.code.read import read_code

        return read_code(content, catalog).document
    return parse_document(content)


def _is_code(content: bytes) -> bool:
    start = content.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    return start not in (b"", b"{", b"[")


def changed_document(
    document: PipelineDocument,
    overrides: Sequence[str],
    catalog: Catalog,
    parameters: Sequence[str] = (),
) -> PipelineDocument:
    """Return a document with ``NODE.PARAM=VALUE`` overrides and absolute paths.

    ``parameters`` are values of the pipeline's own parameters, ``ID=VALUE``. Raises
    ``PipelineError`` with all problems of both.
    """
    from pipelines.document.local_paths import with_absolute_paths
    from pipelines.document.overrides import apply_overrides
    from pipelines.document.parameter_values import apply_parameter_values

    document = apply_parameter_values(document, parameters)
    document = apply_overrides(document, list(overrides), catalog)
    return with_absolute_paths(document, catalog, Path.cwd())


def read_document(
    path: Path, overrides: Sequence[str], catalog: Catalog, parameters: Sequence[str] = ()
) -> PipelineDocument:
    """Read a document, changed as ``changed_document`` does.

    Instead of a file, ``path`` can be the name of a lesson, such as ``01-digits``, or ``-`` for
    standard input. The code of a Python file is read without running it.
    """
    document = load_pipeline(pipeline_file(path), catalog)
    return changed_document(document, overrides, catalog, parameters)
