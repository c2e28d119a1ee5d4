"""Resolution of a request to a lock by uv: one version of each package, with hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from modules.errors import EnvironmentNotMadeError
from modules.files.disk import disk_errors, scratch_folder
from pipelines.environments.base_layer import base_versions
from pipelines.environments.containers import find_image
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.interpreters import (
    Interpreter,
    accepted_versions,
    designers_own,
    find_interpreter,
    installed_versions,
)
from pipelines.environments.lock_lines import LockedPackage, image_lock, lock_text, read_lock
from pipelines.environments.requirement_lines import parse_requirements
from pipelines.environments.uv_command import WHEELS_ONLY, Report, Uv
from pipelines.errors import RefusedError
from pipelines.sentences import environments as say

PLAIN = ("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
FIXED = ("torch", "torchvision")
RESOLVING = ".resolving-"
"""Prefix of the scratch folders of resolutions."""
"""Packages that must be the designer's own for its base to be useful."""


@dataclass(frozen=True)
class Resolution:
    """Definition with the full Python version, and the resolved lock."""

    definition: EnvironmentDefinition
    lock: str


def resolve(
    definition: EnvironmentDefinition,
    root: Path,
    report: Report = lambda _: None,
    *,
    universal: bool = False,
) -> Resolution:
    """Resolve compatible versions; ``universal`` ones fit every system.

    Raises ``EnvironmentNotMadeError`` (3110) if there are none, 0162 if the index does not respond,
    and ``RefusedError`` for invalid requirements, days or Pythons.
    """
    if definition.base == "image":
        return _resolve_image(definition)
    if definition.image:
        facts = {"image": definition.image, "base": definition.base}
        raise RefusedError(say.IMAGE_WITHOUT_BASE, **facts)
    requirements = parse_requirements(definition.requirements)
    _require_day(definition.as_of)
    interpreter = choose_interpreter(definition)
    python = interpreter.version if definition.base == "isolated" and not universal else ""
    resolved = replace(definition, requirements=requirements, python=python)
    if not requirements:
        return Resolution(resolved, "")
    with disk_errors(root), scratch_folder(root, RESOLVING) as folder:
        _write_inputs(resolved, folder)
        lock = folder / "lock.txt"
        inputs = [str(folder / "asked.txt"), "-c", str(folder / "fixed.txt"), "-o", str(lock)]
        choices = _choices(resolved, interpreter, universal=universal)
        uv = Uv.with_cache(root)
        uv.run("compile", *inputs, *choices, report=report)
        packages = read_lock(lock.read_text(encoding="utf-8"))
        if not resolved.allow_builds and _took_unasked_previews(requirements, packages):
            _require_wheels(uv, [*inputs[:-1], str(folder / "wheels.txt"), *choices])
        return Resolution(resolved, lock_text(packages))


def _resolve_image(definition: EnvironmentDefinition) -> Resolution:
    """Return the current image of the reference; nothing can be requested in addition."""
    if not definition.image:
        raise RefusedError(say.NO_IMAGE_NAMED)
    requested = {say.PACKAGES_WORD: definition.requirements, say.PYTHON_WORD: definition.python}
    for word, value in requested.items():
        if value:
            raise RefusedError(say.IMAGE_AND_PACKAGES, what=word.about({}))
    image = find_image(definition.image)
    plain = definition.changed(as_of=None, allow_builds=False)
    return Resolution(plain, image_lock(image.id))


def _took_unasked_previews(requirements: Sequence[str], packages: Sequence[LockedPackage]) -> bool:
    """Return whether a requested package was resolved to an unrequested pre-release."""
    requested = {
        canonicalize_name(requirement.name): requirement
        for requirement in map(Requirement, requirements)
    }
    pairs = (
        (requested.get(canonicalize_name(package.name)), package.version) for package in packages
    )
    return any(
        requirement is not None
        and not requirement.specifier.prereleases
        and Version(version).is_prerelease
        for requirement, version in pairs
    )


def _require_wheels(uv: Uv, arguments: Sequence[str]) -> None:
    """Raise if a package has only source releases, or if uv would fall back on old pre-releases."""
    try:
        uv.run("compile", *arguments, "--no-deps", "--prerelease", "explicit")
    except EnvironmentNotMadeError as error:
        if error.reason == say.ONLY_SOURCE.key:
            raise


def _write_inputs(definition: EnvironmentDefinition, folder: Path) -> None:
    """Write the list, the constraints, and an initial lock that prefers the designer's versions."""
    base = base_versions() if definition.base == "designer" else {}
    pins = {name: f"{name}=={version.partition('+')[0]}\n" for name, version in base.items()}
    _write(
        folder / "asked.txt", "".join(f"{requirement}\n" for requirement in definition.requirements)
    )
    _write(folder / "fixed.txt", "".join(pins[name] for name in FIXED if name in pins))
    _write(folder / "lock.txt", "".join(pins.values()))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _choices(
    definition: EnvironmentDefinition, interpreter: Interpreter, *, universal: bool
) -> list[str]:
    chosen = ["--quiet", "--generate-hashes", *PLAIN, "--python", str(interpreter.path)]
    if universal:
        chosen += ["--universal", "--python-version", "3.11"]
    if not definition.allow_builds:
        chosen += WHEELS_ONLY
    if definition.as_of is not None:
        chosen += ["--exclude-newer", definition.as_of]
    return chosen


def choose_interpreter(definition: EnvironmentDefinition) -> Interpreter:
    """Return the Python that a definition requests. Raises if it is missing or unavailable."""
    own = designers_own()
    if definition.base == "designer":
        accepted = accepted_versions(definition.python)
        if accepted is None or own.version not in accepted:
            facts = {"python": definition.python, "own": own.version}
            raise RefusedError(say.PYTHON_IS_DESIGNERS, **facts)
        return own
    interpreter = find_interpreter(definition.python)
    if interpreter is None:
        raise EnvironmentNotMadeError(
            say.NO_SUCH_PYTHON,
            python=definition.python,
            installed=installed_versions(),
            parameter="environment",
        )
    return interpreter


def _require_day(text: str | None) -> None:
    if text is None:
        return
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise RefusedError(say.NO_DAY, text=text) from None
    if day > date.today():
        raise RefusedError(say.DAY_TO_COME, text=text)
