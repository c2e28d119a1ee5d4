"""Every refusal of pipelines that is no problem of a document: a code, facts, two sentences.

    DesignerError
    ├── NotFoundError                       also LookupError
    │   ├── RunNotFoundError
    │   └── PipelineNotFoundError           a pipeline or a revision of one
    ├── RefusedError                        also ValueError
    │   ├── InUseError                      pipelines or runs need what was to be deleted
    │   ├── RunUnderWayError
    │   ├── NameTakenError                  also FileExistsError
    │   └── UnreadableArtifactError
    │       └── ObjectDamagedError          in the object store
    ├── StaleRevisionError
    ├── RunnerNotStartedError               also RuntimeError
    ├── RunnerFrozenError                   also OSError
    ├── InspectionError                     also RuntimeError
    ├── WorkspaceError                      also OSError
    │   ├── WorkspaceNotMadeError
    │   ├── WorkspaceNotWritableError
    │   ├── WorkspaceGoneError
    │   ├── SettingsUnreadableError         its ``designer.toml``
    │   ├── DatabaseError
    │   │   ├── DatabaseAwayError           it does not answer; it may later
    │   │   │   └── DatabaseLockedError     for somebody else writes, and does not end
    │   │   ├── DatabaseDamagedError        or lost: to be restored from a backup
    │   │   ├── BackupFailedError
    │   │   └── LeadershipLostError         another machine executes the runs
    │   └── ObjectStoreError
    │       └── ObjectStoreAwayError        it does not answer; it may later
    ├── CodeEndedError                      users' code hangs or ends its process (user_modules)
    └── PipelineError                       all problems of a document or a run (problems)

What a module says of its inputs is a ``modules.errors.ModuleError``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from modules.sentences.sentence import Sentence, Statement
from pipelines.sentences import object_stores, places, refusals


class DesignerError(Exception):
    """``message`` says what happened and ``cure`` what to do; both are written from ``facts``."""

    code: ClassVar[str] = "failed"

    def __init__(self, said: Sentence | Statement, **facts: Any) -> None:
        self.statement = said.about(facts) if isinstance(said, Sentence) else said
        super().__init__(str(self.statement))

    @property
    def reason(self) -> str:
        """The key of the sentence."""
        return self.statement.sentence.key

    @property
    def facts(self) -> dict[str, Any]:
        """What the sentences are about, as JSON."""
        return dict(self.statement.to_json()["facts"])

    @property
    def beside(self) -> dict[str, Any]:
        """What the caller needs to go on, as JSON."""
        return {}

    @property
    def message(self) -> str:
        """What happened."""
        return self.statement.message

    @property
    def cure(self) -> str:
        """What to do."""
        return self.statement.cure


class NotFoundError(DesignerError, LookupError):
    """There is nothing of that name."""

    code = "not_found"


class RunNotFoundError(NotFoundError):
    """No run has that id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(refusals.NO_RUN, run=run_id[:60])


class PipelineNotFoundError(NotFoundError):
    """No pipeline, or no revision of it, has that id."""

    def __init__(self, pipeline_id: str, revision: int | None = None) -> None:
        if revision is None:
            super().__init__(refusals.NO_PIPELINE, pipeline=pipeline_id)
        else:
            super().__init__(refusals.NO_REVISION, pipeline=pipeline_id, revision=revision)


class RefusedError(DesignerError, ValueError):
    """What was asked for cannot be done as it was asked."""

    code = "not_taken"


class InUseError(RefusedError):
    """Pipelines or runs refer to it, so it is not deleted; ``users`` names them."""

    code = "in_use"

    def __init__(self, sentence: Sentence, what: str, users: list[str]) -> None:
        super().__init__(sentence, what=what, users=users, count=len(users))
        self.users = users

    @property
    def beside(self) -> dict[str, Any]:
        return {"users": self.users}


class RunUnderWayError(RefusedError):
    """The run has not ended."""

    code = "still_running"

    def __init__(self, run_id: str) -> None:
        super().__init__(refusals.RUN_UNDER_WAY, run=run_id)


class NameTakenError(RefusedError, FileExistsError):
    """There is something of that name."""

    code = "name_taken"


class UnreadableArtifactError(RefusedError):
    """The folder holds no artifact, or one with missing or broken files; ``why`` says which."""

    code = "unreadable_artifact"

    def __init__(self, why: Sentence, **facts: Any) -> None:
        super().__init__(places.UNREADABLE_ARTIFACT, why=why.about(facts))


class ObjectDamagedError(UnreadableArtifactError):
    """What the object store holds of an output is not what was put there, or not all of it."""

    def __init__(self, place: str) -> None:
        super().__init__(object_stores.DAMAGED, place=place)


class StaleRevisionError(DesignerError):
    """Somebody else has saved the pipeline since: this revision, with this document."""

    code = "stale_revision"

    def __init__(self, revision: int, document: dict[str, Any]) -> None:
        super().__init__(refusals.STALE_REVISION, revision=revision)
        self.revision = revision
        self.document = document

    @property
    def beside(self) -> dict[str, Any]:
        return {"revision": self.revision, "document": self.document}


class RunnerNotStartedError(DesignerError, RuntimeError):
    """The runner did not come up."""

    code = "runner_not_started"

    def __init__(self, log_path: Path) -> None:
        super().__init__(refusals.RUNNER_NOT_STARTED, log=log_path)


class RunnerFrozenError(DesignerError, OSError):
    """The runner lives but does nothing, so what waits for it waits in vain."""

    code = "runner_frozen"


class InspectionError(DesignerError, RuntimeError):
    """A question about an output has no answer."""

    code = "no_answer"


class WorkspaceError(DesignerError, OSError):
    """The workspace cannot be used."""

    code = "workspace"


class WorkspaceNotMadeError(WorkspaceError):
    """Nothing can be written where the workspace is wanted."""

    def __init__(self, root: Path, error: OSError) -> None:
        reason = error.strerror or error
        super().__init__(places.WORKSPACE_NOT_MADE, root=root, error=reason)


class WorkspaceNotWritableError(WorkspaceError):
    """The workspace is there and may be read only; ``reason`` is the system's own word for it."""

    def __init__(self, root: Path, place: Path, reason: str | None = None) -> None:
        why: str | Statement = reason or places.ONLY_READ.about({})
        if place == root:
            super().__init__(places.WORKSPACE_NOT_WRITABLE, root=root, why=why)
        else:
            super().__init__(places.PLACE_NOT_WRITABLE, root=root, place=place.name, why=why)


class WorkspaceGoneError(WorkspaceError):
    """The folder was removed, or is another one than it was."""

    def __init__(self, root: Path) -> None:
        super().__init__(places.WORKSPACE_GONE, root=root)


class SettingsUnreadableError(WorkspaceError):
    """The workspace's ``designer.toml`` cannot be used."""

    def __init__(self, path: Path, reason: str | Statement) -> None:
        super().__init__(places.SETTINGS_UNREADABLE, file=path, why=reason)


class DatabaseError(WorkspaceError):
    """The workspace's database cannot be used. No password is in what this says."""

    code = "database"


class DatabaseAwayError(DatabaseError):
    """The database does not answer, or refuses the connection; ``place`` is without a password."""

    code = "database_away"

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(places.DATABASE_AWAY, place=place, why=reason)


class DatabaseLockedError(DatabaseAwayError):
    """Somebody else has kept a lock of the database for longer than is waited for one."""

    def __init__(self, place: str) -> None:
        DatabaseError.__init__(self, places.DATABASE_LOCKED, place=place)


class DatabaseDamagedError(DatabaseError):
    """The file of the database is damaged, empty or missing; ``way`` is how to go on."""

    code = "database_damaged"

    def __init__(self, file: Path, why: Statement, intact: Statement, way: Statement) -> None:
        super().__init__(places.DATABASE_DAMAGED, file=file, why=why, intact=intact, way=way)


class BackupFailedError(DatabaseError):
    """A backup of the database cannot be written."""

    code = "backup_failed"

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(places.BACKUP_FAILED, folder=folder, why=reason)


class LeadershipLostError(DatabaseError):
    """Another machine has begun to execute the runs of this workspace."""

    def __init__(self) -> None:
        super().__init__(places.LEADERSHIP_LOST)


class ObjectStoreError(WorkspaceError):
    """The workspace's object store cannot be used."""

    code = "object_store"


class ObjectStoreAwayError(ObjectStoreError):
    """The object store does not answer, most likely for a while."""

    code = "object_store_away"

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(object_stores.AWAY, place=place, why=reason)
