"""Planning in other threads than the executor's: reading a run's data may take long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from modules.errors import ModuleError
from modules.files.json_files import write_whole
from modules.parameters import Parameters
from modules.spec import Module
from pipelines.document.checks.graph import Graph, part_to
from pipelines.document.checks.validate import validate
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import ObjectStoreAwayError
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.plan import Plan, make_plan
from pipelines.execution.resources import placed
from pipelines.execution.stored_inputs import RETRY_DELAY_SECONDS, bring_needed
from pipelines.problems import PipelineError, Problem
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.cache_keys import key_within
from pipelines.store.database.runs import RunStore
from pipelines.targets.base import Target
from pipelines.user_modules.workspace_catalog import CatalogSource
from pipelines.validation.allowed_code import AllowedCode, code_problems
from pipelines.validation.pins import PinnedResults
from pipelines.validation.resources import unknown_environment
from pipelines.workers.secret_store import SecretStore
from pipelines.workspace import Workspace


class Planner:
    """Plans the runs of one executor, several at a time, since some wait for a network."""

    def __init__(
        self,
        workspace: Workspace,
        runs: RunStore,
        artifacts: ArtifactStore,
        environments: WorkspaceEnvironments,
        targets: Mapping[str, Target],
        wake: Callable[[], None],
    ) -> None:
        """Create a planner; ``wake`` is called from another thread when a plan is ready."""
        self._workspace = workspace
        self._runs = runs
        self._artifacts = artifacts
        self._environments = environments
        self._targets = targets
        self._wake = wake
        self._catalogs = CatalogSource(workspace)
        self._threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="plan")

    def start(self, run: ActiveRun) -> Future[Plan]:
        """Return the future of the plan."""
        plan = self._threads.submit(self._plan, run)
        plan.add_done_callback(lambda _: self._wake())
        return plan

    def shut_down(self) -> None:
        """Start no more plans."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _plan(self, run: ActiveRun) -> Plan:
        # Checked on submission; modules, targets and datasets may have changed since.
        catalog = self._catalogs.load()
        options = run.record.options
        document = part_to(parse_document(run.record.document), options.to_node)
        offers = {name: target.offer for name, target in self._targets.items()}
        problems = [
            problem
            for problem in validate(document, catalog, offers)
            if problem.severity == "error"
        ]
        problems += code_problems(document, catalog, AllowedCode(self._workspace))
        if problems:
            raise PipelineError(problems)
        # Steps read it there: their outputs may record the pipeline that produced them.
        write_whole(run.folder(self._workspace) / "document.json", run.record.document)
        run.models = self._artifacts.model_folders()

        def fingerprint(node: str, module: Module, parameters: Parameters) -> str:
            assert module.fingerprint is not None
            try:
                return module.fingerprint(parameters, run.planning_context(self._workspace, node))
            except ModuleError as error:
                raise PipelineError([Problem.from_error(error, node)]) from None

        steps = make_plan(
            document,
            catalog,
            fingerprint,
            options.to_node,
            options.forced,
            self._environment,
            SecretStore(self._workspace).versions(),
            PinnedResults(Graph(expanded(document), catalog), self._artifacts).find,
        )
        steps = {node: placed(step, offers) for node, step in steps.items()}
        keys = [step.key for step in steps.values()]
        for node, step in steps.items():
            state = run.state.steps.get(node)
            if state is not None and state.artifact_id is not None:  # it may have been truncated
                keys.append(key_within(step.key, run.id))
        # One query of the store for all keys: a pipeline may have thousands of nodes.
        artifacts = self._artifacts.find_all(keys)
        try:
            bring_needed(self._artifacts, steps, artifacts)
        except ObjectStoreAwayError:
            time.sleep(RETRY_DELAY_SECONDS)
            raise
        producers = [(record.run_id, record.node) for record in artifacts.values()]
        return Plan(steps, artifacts, self._runs.summaries(producers))

    def _environment(self, node: str, reference: str) -> EnvironmentRecord:
        """Return the newest environment of a name without a version: it is pinned from here on."""
        environment = self._environments.find(reference)
        if environment is None:
            raise PipelineError([unknown_environment(reference, node, self._environments)])
        return environment
