"""Inference pipelines of a workspace: derived with a registered model, pinned by version."""

from __future__ import annotations

from modules.catalog import Catalog
from pipelines.document.document import PipelineDocument
from pipelines.document.inference import Derived, derive_inference
from pipelines.problems import NO_INFERENCE_PIPELINE, PipelineError
from pipelines.registry.models import ModelRegistry
from pipelines.sentences import inference as say

MAX_SEARCHED_RUNS = 200
"""Newest runs of the workspace that are searched for reused models."""


def inference_pipeline(
    registry: ModelRegistry,
    document: PipelineDocument,
    catalog: Catalog,
    *,
    model: str | None = None,
    run_id: str | None = None,
    node: str | None = None,
) -> Derived:
    """Derive the inference pipeline of a document or of a run's document.

    Args:
        registry: Registered models.
        document: Training pipeline.
        catalog: Modules of the workspace.
        model: Registered model; by default the newest that the run, or else the pipeline, trained.
        run_id: Run whose model is used if no model is named.
        node: Node that outputs the trained model, if several do.

    Raises:
        NotFoundError: The named model does not exist.
        PipelineError: No model was registered, or the pipeline cannot be derived.
    """
    if model is not None:
        reference = registry.find(model).reference
    else:
        reference = _trained(registry, document.id, run_id)
    return derive_inference(document, catalog, reference, node)


def _trained(registry: ModelRegistry, pipeline_id: str, run_id: str | None) -> str:
    """Return the newest registered version that a run or a pipeline trained or reused."""
    artifacts = _artifacts_of(registry, pipeline_id, run_id)
    versions: list[tuple[float, str]] = []
    for model in registry.all():
        for version in model.versions:
            if run_id is not None:
                fits = version.run_id == run_id
            else:
                fits = _pipeline_of(registry, version.run_id) == pipeline_id
            if fits or version.artifact.partition("/")[0] in artifacts:
                versions.append((version.created, f"{model.name}@{version.version}"))
    if not versions:
        raise PipelineError.of(NO_INFERENCE_PIPELINE, say.NO_MODEL_OF_PIPELINE)
    return max(versions)[1]


def _artifacts_of(registry: ModelRegistry, pipeline_id: str, run_id: str | None) -> set[str]:
    """Return the artifacts of a run, else of the newest runs of a pipeline.

    A reused model belongs to the run that trained it, perhaps that of another pipeline.
    """
    if run_id is not None:
        run_ids = [run_id] if registry.runs.record(run_id) else []
    else:
        records = registry.runs.newest(limit=MAX_SEARCHED_RUNS)
        run_ids = [record.id for record in records if record.document.get("id") == pipeline_id]
    states = map(registry.runs.state, run_ids)
    return {
        step.artifact_id for state in states for step in state.steps.values() if step.artifact_id
    }


def _pipeline_of(registry: ModelRegistry, run_id: str | None) -> str | None:
    record = registry.runs.record(run_id) if run_id else None
    return None if record is None else str(record.document.get("id"))
