"""Files that list a project's requirements, as definitions: lists, projects, scripts, conda."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from modules.sentences.sentence import Statement
from pipelines.environments.conda_files import read_conda
from pipelines.environments.definition import BASES, Base, EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.interpreters import accepted_versions, designers_own
from pipelines.environments.requirement_lines import parse_requirements
from pipelines.errors import RefusedError
from pipelines.sentences import environments as say

MAX_BYTES = 200_000
MAX_PYTHON = 100
HEADER, HEADER_END = "# /// script", "# ///"
"""Markers around inline script metadata (PEP 723)."""


def read_definition(text: str, file_name: str, groups: Sequence[str] = ()) -> EnvironmentDefinition:
    """Return the definition in ``requirements.txt``, ``pyproject.toml``, ``*.py`` or ``*.yml``.

    ``groups`` are extras and dependency groups of a project. Raises ``RefusedError``, also for
    unacceptable requirements.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise RefusedError(say.FILE_TOO_LONG, file=file_name, most=MAX_BYTES)
    suffix = PurePath(file_name).suffix.lower()
    if suffix in (".yml", ".yaml"):
        return _on_fitting_base(read_conda(text, file_name))
    if suffix == ".toml":
        return _on_fitting_base(_of_project(_toml(text, file_name), groups))
    if suffix == ".py":
        return _on_fitting_base(_of_script(text, file_name))
    return EnvironmentDefinition(requirements=parse_requirements(text.splitlines()))


def _on_fitting_base(definition: EnvironmentDefinition) -> EnvironmentDefinition:
    """Return the definition on the designer's torch if its Python fits, otherwise isolated."""
    accepted = accepted_versions(definition.python)
    if accepted is not None and designers_own().version in accepted:
        return definition.changed(python="")
    return definition.changed(base="isolated")


def _of_script(text: str, file_name: str) -> EnvironmentDefinition:
    header = _header(text)
    if header is None:
        raise RefusedError(say.NO_HEADER, file=file_name)
    content = _toml(header, file_name)
    return _definition(content.get("dependencies"), content.get("requires-python"), file_name)


def _header(text: str) -> str | None:
    """Return the metadata of the first comment block that has it; None if there is none."""
    content: list[str] | None = None
    for line in text.splitlines():
        if content is None:
            content = [] if line.rstrip() == HEADER else None
        elif line.rstrip() == HEADER_END and content:
            return "".join(f"{comment_line}\n" for comment_line in content)
        elif line == "#" or line.startswith("# "):
            content.append(line[2:])
        else:
            content = None
    return None


def _of_project(content: Mapping[str, Any], groups: Sequence[str]) -> EnvironmentDefinition:
    project = _table(content.get("project"))
    extras = _table(project.get("optional-dependencies"))
    own_groups = _table(content.get("dependency-groups"))
    requirements = _texts(project.get("dependencies"), "pyproject.toml")
    for group in groups:
        members = extras.get(group, own_groups.get(group))
        if members is None:
            raise RefusedError(say.NO_GROUP, group=group, groups=sorted({*extras, *own_groups}))
        if not isinstance(members, list):
            raise _unreadable("pyproject.toml", say.NOT_TEXTS.about({"part": group}))
        requirements = [*requirements, *(member for member in members if isinstance(member, str))]
    return _definition(requirements, project.get("requires-python"), "pyproject.toml")


def _definition(requirements: Any, python: Any, file_name: str) -> EnvironmentDefinition:
    lines, version = _texts(requirements, file_name), python or ""
    if not isinstance(version, str) or len(version) > MAX_PYTHON:
        raise _unreadable(file_name, say.PYTHON_NOT_TEXT.about({"most": MAX_PYTHON}))
    return EnvironmentDefinition(requirements=parse_requirements(lines), python=version)


def _texts(value: Any, file_name: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _unreadable(file_name, say.NO_LIST.about({}))
    return value


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _toml(text: str, file_name: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # invalid syntax, or a number of thousands of digits
        raise _unreadable(file_name, str(error)[:200]) from None
    except RecursionError:
        raise _unreadable(file_name, say.FILE_TOO_DEEP.about({})) from None


def _unreadable(file_name: str, why: str | Statement) -> RefusedError:
    return RefusedError(say.FILE_UNREADABLE, file=file_name, reported=why)


def _requirements(definition: EnvironmentDefinition) -> str:
    return "".join(f"{requirement}\n" for requirement in definition.requirements)


def _pyproject(definition: EnvironmentDefinition) -> str:
    lines = "".join(f'    "{_escaped(requirement)}",\n' for requirement in definition.requirements)
    python = f'requires-python = "=={definition.python}"\n' if definition.python else ""
    head = '[project]\nname = "environment"\nversion = "1"\n'
    return f"{head}{python}dependencies = [\n{lines}]\n"


def _conda(definition: EnvironmentDefinition) -> str:
    python = definition.python or designers_own().version
    lines = "".join(
        f"      - '{_quoted(requirement)}'\n" for requirement in definition.requirements
    )
    pip = f"  - pip:\n{lines}" if lines else ""
    return f"dependencies:\n  - python={python}\n  - pip\n{pip}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return text.replace("'", "''")


EXPORTS: Mapping[str, Callable[[EnvironmentDefinition], str]] = {
    "requirements": _requirements,
    "pyproject": _pyproject,
    "conda": _conda,
}
"""Formats of the request for other tools; the lock is one itself."""


def exported(record: EnvironmentRecord, form: str) -> str:
    """Return the lock of an environment, or the request in one of ``EXPORTS``."""
    if form == "lock":
        return record.lock
    if form not in EXPORTS:
        raise RefusedError(say.NO_FORM, form=form, forms=["lock", *EXPORTS])
    if record.base == "image":
        raise RefusedError(say.NO_LIST_OF_IMAGE, environment=record.reference)
    return EXPORTS[form](record)


def require_base(text: str) -> Base:
    """Return a base by its name. Raises ``RefusedError`` for unknown ones."""
    for base in BASES:
        if text == base:
            return base
    raise RefusedError(say.NO_BASE, base=text, bases=list(BASES))
