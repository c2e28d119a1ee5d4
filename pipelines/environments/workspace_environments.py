"""Environments of a workspace: find, resolve, keep, build, verify, remove."""

from __future__ import annotations

import re
from dataclasses import asdict

from pipelines.environments.background_builds import BackgroundBuilds
from pipelines.environments.builder import (
    BuildMarker,
    BuiltEnvironment,
    ensure_built,
    folder_of,
    installed_in,
)
from pipelines.environments.curated_environments import curated, is_reserved
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.environment_keys import environment_key
from pipelines.environments.removal import EnvironmentSweep, remove_folder, sweep
from pipelines.environments.resolver import Resolution, resolve
from pipelines.environments.uv_command import Report
from pipelines.environments.verification import DamagedFile, damages_of
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.store.database.connections import Database
from pipelines.store.database.environments import EnvironmentStore
from pipelines.workspace import Workspace

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class WorkspaceEnvironments:
    """Curated environments and those of the workspace."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.root = workspace.environments_dir
        self.store = EnvironmentStore(database)
        self.builds = BackgroundBuilds(self.root)

    def all(self) -> list[EnvironmentRecord]:
        """Return every version; the designer's first, of each name the newest first."""
        return [*curated().values(), *map(_record, self.store.all())]

    def versions(self, name: str) -> list[EnvironmentRecord]:
        """Return the versions of a name, the newest first.

        Raises ``NotFoundError`` if there are none.
        """
        versions = [record for record in self.all() if record.name == name]
        if not versions:
            raise NotFoundError(refusals.NO_ENVIRONMENT, environment=name)
        return versions

    def get(self, reference: str) -> EnvironmentRecord:
        """Return ``NAME`` or ``NAME@VERSION``. Raises ``NotFoundError`` if it does not exist."""
        record = self.find(reference)
        if record is None:
            raise NotFoundError(refusals.NO_ENVIRONMENT, environment=reference)
        return record

    def find(self, reference: str) -> EnvironmentRecord | None:
        """Return ``NAME`` or ``NAME@VERSION``; None if it does not exist."""
        name, at, text = reference.partition("@")
        version = int(text) if text.isdecimal() else None
        if at and version is None:
            return None
        if name in curated():
            record = curated()[name]
            return record if version in (None, record.version) else None
        content = self.store.get(name, version)
        return None if content is None else _record(content)

    def resolve(
        self, definition: EnvironmentDefinition, report: Report = lambda _: None
    ) -> Resolution:
        """Return the lock of a request without keeping or building anything."""
        return resolve(definition, self.root, report)

    def keep(self, name: str, resolution: Resolution) -> EnvironmentRecord:
        """Keep the next version of a name, or return the newest one if it is the same.

        Raises ``RefusedError`` for an invalid or reserved name.
        """
        self.require_name(name)
        definition, lock = resolution.definition, resolution.lock
        newest = self.find(name)
        if newest is not None and (newest.definition, newest.lock) == (definition, lock):
            return newest
        content = {**asdict(definition), "lock": lock}
        key = environment_key(definition, lock)
        return _record(self.store.add(name, key, content))

    def require_name(self, name: str) -> None:
        """Raise ``RefusedError`` for an invalid or reserved name.

        A reserved name that already has versions of the user is accepted.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(refusals.NO_ENVIRONMENT_NAME, text=name[:80])
        newest = self.find(name) if is_reserved(name) else None
        if is_reserved(name) and (newest is None or newest.curated):
            raise RefusedError(refusals.ENVIRONMENT_RESERVED, environment=name)

    def build(self, record: EnvironmentRecord, report: Report = lambda _: None) -> BuiltEnvironment:
        """Build it unless it is intact."""
        return ensure_built(record, self.root, report)

    def verify(self, record: EnvironmentRecord) -> list[DamagedFile]:
        """Return every file of its packages that differs from the installed one.

        A damaged environment is never used again: the next user rebuilds it.
        """
        folder = folder_of(record.key, self.root)
        damages = damages_of(installed_in(folder))
        if damages:
            BuildMarker.distrust(folder)
        return damages

    def names_of(self, record: EnvironmentRecord) -> set[str]:
        """Return the names of this version in documents."""
        is_newest = self.versions(record.name)[0].version == record.version
        return {record.reference, *([record.name] if is_newest else [])}

    def free(self, record: EnvironmentRecord) -> int:
        """Remove what was built of it, unless a process builds it; return the freed bytes."""
        return remove_folder(record.key, self.root)

    def remove(self, record: EnvironmentRecord) -> int:
        """Remove a version and, if no other has its key, what was built of it."""
        if record.curated:
            raise RefusedError(refusals.ENVIRONMENT_STAYS, environment=record.name)
        self.store.remove(record.name, record.version)
        is_shared = any(other.key == record.key for other in self.all())
        return 0 if is_shared else self.free(record)

    def sweep(self, *, dry_run: bool = False) -> EnvironmentSweep:
        """Remove builds of no existing environment, and those not used for a month."""
        return sweep(self.root, {record.key for record in self.all()}, dry_run=dry_run)

    def marker(self, record: EnvironmentRecord) -> BuildMarker | None:
        """Return the marker of its build; None if there is none."""
        return BuildMarker.of(folder_of(record.key, self.root))


def _record(content: dict[str, object]) -> EnvironmentRecord:
    """Return the record of a row, with its key for the designer's current packages."""
    record = EnvironmentRecord.from_json(content)
    return record.with_key(environment_key(record, record.lock))
