"""Session of a workspace: the entry point of commands, the app and scripts."""

from __future__ import annotations

from modules.catalog import Catalog
from modules.files import shard_cache
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.execution.runner_client import RunnerClient
from pipelines.registry.datasets import RegisteredDatasets
from pipelines.registry.endpoints import Endpoints
from pipelines.registry.environment_use import EnvironmentUse
from pipelines.registry.models import ModelRegistry
from pipelines.registry.pipelines import SavedPipelines
from pipelines.registry.published import PublishedPipelines
from pipelines.registry.recording_versions import RecordingVersions
from pipelines.registry.recordings import Recordings
from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.connections import Database
from pipelines.targets.compute_targets import ComputeTargets
from pipelines.validation.workspace_checks import WorkspaceChecks
from pipelines.workers.secret_store import SecretStore
from pipelines.workspace import Workspace
from pipelines.workspace_settings import shards_cache_bytes


class WorkspaceSession:
    """Services of a workspace over one connection pool to its database.

        with WorkspaceSession(Workspace.at("shapes")) as session:
            run_id = session.runs.submit(RunRequest(document))
            session.history.tag(run_id, ["baseline"])

    ``runs`` submits, follows and ends runs, ``history`` manages ended ones; ``pipelines``,
    ``published``, ``models``, ``endpoints``, ``datasets``, ``recordings`` and ``environments`` are
    registries; ``checks`` validates a document.
    Opening a session starts and changes nothing.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        shards = workspace.cache_dir / shard_cache.SHARDS_FOLDER
        limit = shards_cache_bytes(workspace.root)
        shard_cache.choose(shard_cache.ShardCache(shards, limit))
        self.database = Database.open(workspace)
        self.artifacts = ArtifactStore(workspace, self.database)
        self.targets = ComputeTargets(self.database)
        self.environments = WorkspaceEnvironments(workspace, self.database)
        self.secrets = SecretStore(workspace)
        self.checks = WorkspaceChecks(workspace, self.artifacts, self.targets)
        self.runs = RunService(workspace, self.artifacts, self.checks)
        self.history = RunHistory(self.runs)
        self.pipelines = SavedPipelines(self.database, lambda: self.catalog)
        self.models = ModelRegistry(self.database, self.artifacts)
        self.published = PublishedPipelines(self.database)
        self.endpoints = Endpoints(self.database, self.models)
        self.environment_use = EnvironmentUse(self.environments, self.pipelines, self.runner)
        self.datasets = RegisteredDatasets(workspace, self.database)
        self.recordings = Recordings(workspace)
        self.recording_versions = RecordingVersions(
            self.recordings, self.datasets, workspace.cache_dir
        )

    @property
    def catalog(self) -> Catalog:
        """Return the modules of this workspace for the current state of its files."""
        return self.checks.catalog

    @property
    def runner(self) -> RunnerClient:
        """Return the client of the process that executes the runs."""
        return self.runs.runner

    def close(self) -> None:
        """Close the database connections; runs continue."""
        self.database.close()

    def __enter__(self) -> WorkspaceSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
