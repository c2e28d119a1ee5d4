"""Errors of pipelines, except problems of documents, with a code, facts and two sentences.

    DesignerError
    ├── NotFoundError                       also LookupError
    │   ├── RunNotFoundError
    │   └── PipelineNotFoundError           of a pipeline or revision
    ├── RefusedError                        also ValueError
    │   ├── InUseError                      pipelines or runs need the object
    │   ├── RunUnderWayError
    │   ├── NameTakenError                  also FileExistsError
    │   ├── TooManyCallsError               of a published pipeline
    │   └── UnreadableArtifactError
    │       └── ObjectDamagedError          in the object store
    ├── StaleRevisionError
    ├── RunnerNotStartedError               also RuntimeError
    ├── RunnerFrozenError                   also OSError
    ├── InspectionError                     also RuntimeError
    │   └── QuestionRefusedError            the picture or output does not suit it
    ├── WorkspaceError                      also OSError
    │   ├── WorkspaceNotMadeError
    │   ├── WorkspaceNotWritableError
    │   ├── WorkspaceGoneError
    │   ├── SettingsUnreadableError         its ``designer.toml``
    │   ├── DatabaseError
    │   │   ├── DatabaseAwayError           no response, possibly temporarily
    │   │   │   └── DatabaseLockedError     by a writer that does not finish
    │   │   ├── DatabaseDamagedError        or lost: restore a backup
    │   │   ├── BackupFailedError
    │   │   └── LeadershipLostError         another machine executes the runs
    │   └── ObjectStoreError
    │       └── ObjectStoreAwayError        no response, possibly temporarily
    ├── CodeEndedError                      users' code hangs or exits (user_modules)
    └── PipelineError                       all problems of a document or a run (problems)

Errors of modules are ``modules.errors.ModuleError``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from modules.schema_reference import DocumentData
from modules.sentences.sentence import Facts, RecordedStatement, Sentence, Statement
from pipelines.sentences import object_stores, places, refusals


class DesignerError(Exception):
    """Error with a ``message`` (what happened) and a ``cure`` (what to do), made from ``facts``."""

    code: ClassVar[str] = "failed"

    def __init__(self, sentence: Sentence | Statement, **facts: Any) -> None:
        self.statement = sentence.about(facts) if isinstance(sentence, Sentence) else sentence
        super().__init__(str(self.statement))

    @property
    def reason(self) -> str:
        """Return the key of the sentence."""
        return self.statement.sentence.key

    @property
    def facts(self) -> Facts:
        """Return the values in the sentences, as JSON."""
        return dict(self.statement.to_json()["facts"])

    @property
    def beside(self) -> Mapping[str, object]:
        """Return additional data for the caller, as JSON."""
        return {}

    @property
    def message(self) -> str:
        """Return what happened."""
        return self.statement.message

    @property
    def cure(self) -> str:
        """Return what to do."""
        return self.statement.cure


class NotFoundError(DesignerError, LookupError):
    """The named object does not exist."""

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
    """The request cannot be fulfilled."""

    code = "not_taken"


class InUseError(RefusedError):
    """Pipelines or runs refer to it, so it is not deleted; ``users`` names them."""

    code = "in_use"

    def __init__(self, sentence: Sentence, resource: str, users: list[str]) -> None:
        super().__init__(sentence, what=resource, users=users, count=len(users))
        self.users = users

    @property
    def beside(self) -> Mapping[str, object]:
        return {"users": self.users}


class RunUnderWayError(RefusedError):
    """The run has not ended."""

    code = "still_running"

    def __init__(self, run_id: str) -> None:
        super().__init__(refusals.RUN_UNDER_WAY, run=run_id)


class NameTakenError(RefusedError, FileExistsError):
    """The name is already used."""

    code = "name_taken"


class TooManyCallsError(RefusedError):
    """A published pipeline is called too often; ``seconds`` later it may be called again."""

    code = "too_many_calls"

    def __init__(self, sentence: Sentence, *, seconds: int, **facts: Any) -> None:
        super().__init__(sentence, seconds=seconds, **facts)
        self.seconds = seconds


class UnreadableArtifactError(RefusedError):
    """The folder is not an artifact, or has missing or broken files; ``why`` has the reason."""

    code = "unreadable_artifact"

    def __init__(self, why: Sentence, **facts: Any) -> None:
        super().__init__(places.UNREADABLE_ARTIFACT, why=why.about(facts))


class ObjectDamagedError(UnreadableArtifactError):
    """The object store's content of an output is incomplete or changed."""

    def __init__(self, address: str) -> None:
        super().__init__(object_stores.DAMAGED, place=address)


class StaleRevisionError(DesignerError):
    """Another client has saved this newer revision of the pipeline."""

    code = "stale_revision"

    def __init__(self, revision: int, document: DocumentData) -> None:
        super().__init__(refusals.STALE_REVISION, revision=revision)
        self.revision = revision
        self.document = document

    @property
    def beside(self) -> Mapping[str, object]:
        return {"revision": self.revision, "document": self.document}


class RunnerNotStartedError(DesignerError, RuntimeError):
    """The runner could not be started."""

    code = "runner_not_started"

    def __init__(self, log_path: Path) -> None:
        super().__init__(refusals.RUNNER_NOT_STARTED, log=log_path)


class RunnerFrozenError(DesignerError, OSError):
    """The runner lives but does not respond."""

    code = "runner_frozen"


class InspectionError(DesignerError, RuntimeError):
    """A question about an output has no answer."""

    code = "no_answer"

    @staticmethod
    def of_answer(error: Mapping[str, Any]) -> InspectionError:
        """Return the error that the process with torch answered, see ``error_to_json``."""
        is_failure = error["code"] == InspectionError.code
        kind = InspectionError if is_failure else QuestionRefusedError
        return kind(RecordedStatement.of(error))


class QuestionRefusedError(InspectionError):
    """A picture or an output does not suit the question; its facts say why."""


class WorkspaceError(DesignerError, OSError):
    """The workspace cannot be used."""

    code = "workspace"


class WorkspaceNotMadeError(WorkspaceError):
    """The workspace cannot be created at this place."""

    def __init__(self, root: Path, error: OSError) -> None:
        reason = error.strerror or error
        super().__init__(places.WORKSPACE_NOT_MADE, root=root, error=reason)


class WorkspaceNotWritableError(WorkspaceError):
    """The workspace is read-only; ``reason`` is the system's message."""

    def __init__(self, root: Path, path: Path, reason: str | None = None) -> None:
        why: str | Statement = reason or places.ONLY_READ.about({})
        if path == root:
            super().__init__(places.WORKSPACE_NOT_WRITABLE, root=root, why=why)
        else:
            super().__init__(places.PLACE_NOT_WRITABLE, root=root, place=path.name, why=why)


class WorkspaceGoneError(WorkspaceError):
    """The folder was removed or replaced."""

    def __init__(self, root: Path) -> None:
        super().__init__(places.WORKSPACE_GONE, root=root)


class SettingsUnreadableError(WorkspaceError):
    """The workspace's ``designer.toml`` cannot be used."""

    def __init__(self, path: Path, reason: str | Statement) -> None:
        super().__init__(places.SETTINGS_UNREADABLE, file=path, why=reason)


class DatabaseError(WorkspaceError):
    """The workspace's database cannot be used. Messages contain no password."""

    code = "database"


class DatabaseAwayError(DatabaseError):
    """The database does not respond or rejects the connection; ``place`` has no password."""

    code = "database_away"

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(places.DATABASE_AWAY, place=address, why=reason)


class DatabaseLockedError(DatabaseAwayError):
    """Another process has locked the database for longer than the timeout."""

    def __init__(self, address: str) -> None:
        DatabaseError.__init__(self, places.DATABASE_LOCKED, place=address)


class DatabaseDamagedError(DatabaseError):
    """The file of the database is damaged, empty or missing; ``way`` is how to restore it."""

    code = "database_damaged"

    def __init__(self, file: Path, why: Statement, intact: Statement, way: Statement) -> None:
        super().__init__(places.DATABASE_DAMAGED, file=file, why=why, intact=intact, way=way)


class BackupFailedError(DatabaseError):
    """A backup of the database cannot be written."""

    code = "backup_failed"

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(places.BACKUP_FAILED, folder=folder, why=reason)


class LeadershipLostError(DatabaseError):
    """Another machine executes the runs of this workspace."""

    def __init__(self) -> None:
        super().__init__(places.LEADERSHIP_LOST)


class ObjectStoreError(WorkspaceError):
    """The workspace's object store cannot be used."""

    code = "object_store"


class ObjectStoreAwayError(ObjectStoreError):
    """The object store does not respond, probably temporarily."""

    code = "object_store_away"

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(object_stores.AWAY, place=address, why=reason)
