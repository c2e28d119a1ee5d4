"""Whether a document can be run in a workspace: with its modules, targets, datasets and models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from modules.catalog import Catalog
from modules.context import Context
from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.documents.document import PipelineDocument
from pipelines.documents.expansion import expanded
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.problems import Problem
from pipelines.store.models import ModelStore
from pipelines.targets.compute_targets import ComputeTargets
from pipelines.user_modules.workspace_catalog import CatalogSource
from pipelines.validation.allowed_code import AllowedCode, brought_code, code_problems
from pipelines.validation.augmentation import idle_augmentation
from pipelines.validation.checks import validate
from pipelines.validation.graph import part_to
from pipelines.validation.resources import (
    absent_weights,
    gone_datasets,
    gone_environments,
    gone_models,
    gone_secrets,
)
from pipelines.workers.secret_store import SecretStore
from pipelines.workspace import Workspace


class WorkspaceChecks:
    """Everything that a document needs of one workspace."""

    def __init__(
        self, workspace: Workspace, artifacts: ArtifactStore, targets: ComputeTargets
    ) -> None:
        self._workspace = workspace
        self._artifacts = artifacts
        self._targets = targets
        self._models = ModelStore(targets.database)
        self._secrets = SecretStore(workspace)
        self.environments = WorkspaceEnvironments(workspace, targets.database)
        self._catalogs = CatalogSource(workspace)
        self.allowed_code = AllowedCode(workspace)

    @property
    def catalog(self) -> Catalog:
        """The modules there are for this workspace, as the files now are."""
        return self._catalogs.load()

    def problems(self, document: PipelineDocument, to_node: str | None = None) -> list[Problem]:
        """Everything that is wrong with a document here, or with what a run to a node needs."""
        document, catalog = part_to(document, to_node), self.catalog
        problems = validate(document, catalog, self._targets.offers())
        document = expanded(document)
        return [
            *problems,
            *code_problems(document, catalog, self.allowed_code),
            *gone_models(document, self._models),
            *gone_environments(document, catalog, self.environments),
            *gone_secrets(document, catalog, self._secrets.versions()),
            *gone_datasets(document, self._workspace.datasets_dir),
            *absent_weights(document, catalog, self._workspace.weights_dir),
            *idle_augmentation(document, catalog),
        ]

    def allow_code_of(self, document: PipelineDocument) -> None:
        """Let all the code that a document brings run here from now on."""
        found = brought_code(document, self.catalog)
        self.allowed_code.allow(each.sha256 for each in found)

    def reading_context(self, allowed_roots: Sequence[Path | str] | None = None) -> Context:
        """What hooks that look at data without running may see; None: files everywhere."""
        roots = None if allowed_roots is None else tuple(Path(root) for root in allowed_roots)
        return Context(
            staging_dir=self._workspace.artifacts_dir,
            cache_dir=self._workspace.cache_dir,
            weights_dir=self._workspace.weights_dir,
            datasets_dir=self._workspace.datasets_dir,
            models=self._artifacts.model_folders(),
            allowed_roots=roots,
            may_download=False,
        )
