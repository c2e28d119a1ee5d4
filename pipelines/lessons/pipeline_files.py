"""Files of pipelines and lessons by name. Imports must be fast: commands use it before loading."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modules.catalog import Catalog
    from pipelines.document.document import PipelineDocument

LIBRARY_DIR = Path(__file__).resolve().parent / "library"


def lesson_files() -> dict[str, Path]:
    """Return the documents of the lessons by name, such as ``01-digits``, in order."""
    return {path.stem: path for path in sorted(LIBRARY_DIR.glob("*.json"))}


def is_pipeline_file(path: Path) -> bool:
    """Return True for a file or the name of a lesson."""
    return os.path.isfile(path) or str(path) in lesson_files()


def pipeline_file(path: Path) -> Path:
    """Return the file of a pipeline, by its path or by the name of a lesson.

    A file in the working directory takes precedence over a lesson with the same name. Raises
    ``PipelineError`` if a name without a folder is neither.
    """
    name = str(path)
    # Unlike Path.exists, os.path.lexists returns False for a name that no file can have.
    if os.path.lexists(path) or name != path.name:
        return path
    lessons = lesson_files()
    if name not in lessons:
        from pipelines.problems import NOT_A_PIPELINE, PipelineError
        from pipelines.sentences import documents

        facts = {"name": name, "lessons": list(lessons)}
        raise PipelineError.of(NOT_A_PIPELINE, documents.NO_FILE_OR_LESSON, **facts)
    return lessons[name]


def load_pipeline(path: Path, catalog: Catalog) -> PipelineDocument:
    """Load a pipeline from a document or from Python code; raises ``PipelineError``."""
    if path.suffix.lower() == ".py":
        from pipelines.document.code.read import load_code

        return load_code(path, catalog).document
    from pipelines.document.document import load_document

    return load_document(pipeline_file(path))


def read_document(
    path: Path, overrides: Sequence[str], catalog: Catalog, parameters: Sequence[str] = ()
) -> PipelineDocument:
    """Read a document with ``NODE.PARAM=VALUE`` overrides and absolute paths.

    Instead of a file, ``path`` can be the name of a lesson, such as ``01-digits``. The code of a
    Python file is read without running it. ``parameters`` are values of the pipeline's own
    parameters, ``ID=VALUE``. Raises ``PipelineError`` with all problems of both.
    """
    from pipelines.document.local_paths import with_absolute_paths
    from pipelines.document.overrides import apply_overrides
    from pipelines.document.parameter_values import apply_parameter_values

    document = load_pipeline(pipeline_file(path), catalog)
    document = apply_parameter_values(document, parameters)
    document = apply_overrides(document, list(overrides), catalog)
    return with_absolute_paths(document, catalog, Path.cwd())
