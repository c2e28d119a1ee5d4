"""Validation of a document in a workspace: modules, targets, datasets and models."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path

from modules.catalog import Catalog
from modules.context import Context
from pipelines.document.checks.augmentation import idle_augmentation
from pipelines.document.checks.graph import part_to, without_uncomputed
from pipelines.document.checks.validate import validate
from pipelines.document.document import PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.document.local_paths import with_absolute_paths
from pipelines.document.target_offer import TargetOffer
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.problems import Problem, bounded
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.models import ModelStore
from pipelines.targets.compute_targets import ComputeTargets
from pipelines.user_modules.workspace_catalog import CatalogSource
from pipelines.validation.allowed_code import AllowedCode, Place, code_problems, edited_code
from pipelines.validation.brought_code import BroughtCode, brought_code
from pipelines.validation.pins import damaged_pins, pin_problems
from pipelines.validation.resources import (
    absent_weights,
    gone_datasets,
    gone_environments,
    gone_models,
    gone_secrets,
)
from pipelines.validation.script_commands import command_problems
from pipelines.validation.sources import absent_sources
from pipelines.workers.secret_store import SecretStore
from pipelines.workspace import Workspace


class WorkspaceChecks:
    """Everything that a document requires from a workspace."""

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
        """Return the current modules of the workspace."""
        return self._catalogs.load()

    def offers(self) -> dict[str, TargetOffer]:
        """Return the capabilities of compute targets by name."""
        return self._targets.offers()

    def problems(self, document: PipelineDocument, to_node: str | None = None) -> list[Problem]:
        """Return the problems of a document, or of what a run to a node needs, up to a limit."""
        document, catalog = part_to(document, to_node), self.catalog
        offers = self._targets.offers()
        problems = validate(document, catalog, offers)
        code = code_problems(self._placed(document), catalog, self.allowed_code)
        document = expanded(document)
        pinned = pin_problems(document, catalog, self._artifacts)
        document = without_uncomputed(document, catalog)
        groups = (
            problems,
            pinned,
            code,
            gone_models(document, self._models),
            gone_environments(document, catalog, self.environments),
            gone_secrets(document, catalog, self._secrets.versions()),
            gone_datasets(document, self._workspace.datasets_dir),
            absent_weights(document, catalog, self._workspace.weights_dir),
            idle_augmentation(document, catalog),
            command_problems(document, catalog, offers),
        )
        return bounded(chain.from_iterable(groups))

    def damaged_pins(self, document: PipelineDocument, to_node: str | None) -> list[Problem]:
        """Return the problems of pinned results that a run would fail with; may hash files."""
        needed = expanded(part_to(document, to_node))
        return list(damaged_pins(needed, self.catalog, self._artifacts))

    def problems_with_sources(self, document: PipelineDocument) -> list[Problem]:
        """Return ``problems`` or, if there are no errors, the problems of data sources."""
        problems = self.problems(document)
        if any(problem.severity == "error" for problem in problems):
            return problems
        placed = without_uncomputed(expanded(self._placed(document)), self.catalog)
        absent = absent_sources(placed, self.catalog, self.reading_context())
        reported = {(problem.node, problem.parameter) for problem in problems}
        new = (problem for problem in absent if (problem.node, problem.parameter) not in reported)
        return bounded(chain(problems, new))

    def allow_code_of(self, document: PipelineDocument) -> None:
        """Approve all code of a document."""
        self.allowed_code.allow([code.sha256 for code in self.code_of(document)])

    def code_of(self, document: PipelineDocument) -> list[BroughtCode]:
        """Return all code of a document, with paths as in its runs."""
        return list(brought_code(self._placed(document), self.catalog))

    def allow_edits(
        self,
        before: PipelineDocument | None,
        after: PipelineDocument,
        places: Collection[Place] | None = None,
    ) -> int:
        """Approve the owner's code at these locations; other code stays unapproved.

        Returns the number of approved pieces.
        """
        earlier, later = before and self._placed(before), self._placed(after)
        approved = edited_code(earlier, later, places, self.catalog, self.allowed_code)
        hashes = [code.sha256 for code in approved]
        self.allowed_code.allow(hashes)
        return len(hashes)

    def _placed(self, document: PipelineDocument) -> PipelineDocument:
        return with_absolute_paths(document, self.catalog, self._workspace.root)

    def reading_context(self, allowed_roots: Sequence[Path | str] | None = None) -> Context:
        """Return the context of hooks that read data without running; None allows all files."""
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
