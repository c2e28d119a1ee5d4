"""Use of environments, and removal of unused ones."""

from __future__ import annotations

from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import InUseError, RefusedError
from pipelines.execution.runner_client import RunnerClient
from pipelines.registry.pipelines import SavedPipelines
from pipelines.sentences import refusals
from pipelines.store.database.pipelines import PipelineRow


class EnvironmentUse:
    """Environments of a workspace as requested by pipelines and used by runs."""

    def __init__(
        self, environments: WorkspaceEnvironments, pipelines: SavedPipelines, runner: RunnerClient
    ) -> None:
        self._environments = environments
        self._pipelines = pipelines
        self._runner = runner

    def users(self, record: EnvironmentRecord) -> list[PipelineRow]:
        """Return the saved pipelines that request this version."""
        return self._pipelines.using_environment(self._environments.names_of(record))

    def free(self, record: EnvironmentRecord) -> int:
        """Remove what was built of it; return the freed bytes.

        Raises ``RefusedError`` during a run, whose processes may use it.
        """
        with self._runner.sweeping() as alone:
            if not alone:
                raise RefusedError(refusals.ANY_RUN_UNDER_WAY)
            return self._environments.free(record)

    def remove(self, record: EnvironmentRecord, *, even_if_used: bool = False) -> int:
        """Remove a version and its build; return the freed bytes.

        Raises ``InUseError`` if pipelines request it, ``RefusedError`` during a run.
        """
        used = self.users(record)
        if used and not even_if_used:
            users = [row.id for row in used]
            raise InUseError(refusals.ENVIRONMENT_IN_USE, record.reference, users)
        with self._runner.sweeping() as alone:
            if not alone:
                raise RefusedError(refusals.ANY_RUN_UNDER_WAY)
            return self._environments.remove(record)
