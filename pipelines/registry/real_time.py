"""Inference pipelines that an endpoint can serve: those that do what it does, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from modules.artifacts import TrainedModel
from modules.errors import ModuleError
from modules.schema_reference import DocumentData
from modules.sentences.sentence import Sentence
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    operations_of,
)
from modules.transforms.operations import FOR_INFERENCE, select
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.document.inference import APPLY, CONVERT, INIT, INPUT, MODEL, OUTPUT, SCORE
from pipelines.errors import RefusedError
from pipelines.registry.models import ModelRegistry
from pipelines.sentences import calling

ONCE = (INPUT, MODEL, SCORE, OUTPUT)
ALLOWED = {*ONCE, CONVERT, INIT, APPLY}


def real_time_model(document: DocumentData, registry: ModelRegistry) -> str:
    """Return the registered model of an inference pipeline that an endpoint can serve.

    An endpoint reads, transforms and scores images as the model's own description says. Raises
    ``RefusedError`` for a pipeline that does more, or transforms images in another way.
    """
    flat = expanded(parse_document(document))
    nodes = [node for node in flat.nodes if not node.disabled]
    counts = Counter(node.module for node in nodes)
    if any(counts[module] != 1 for module in ONCE):
        raise _only_batch(calling.NO_SERVICE_NODES)
    others = sorted(set(counts) - ALLOWED)
    if others:
        raise _only_batch(calling.OTHER_STEPS, modules=others)
    [node] = [node for node in nodes if node.module == MODEL]
    reference = str(node.parameters.get("model", ""))
    artifact = registry.find(reference).artifact
    if counts[APPLY] and isinstance(artifact, TrainedModel):
        stored: Any = artifact.description.get("inference_transformation", [])
        if _attached(flat) != [dict(operation) for operation in select(stored, FOR_INFERENCE)]:
            raise _only_batch(calling.OTHER_OPERATIONS, model=reference)
    return reference


def _attached(document: PipelineDocument) -> list[Mapping[str, Any]] | None:
    """Return the deterministic operations of the pipeline; None if they are unclear."""
    inits = [node for node in document.nodes if node.module == INIT and not node.disabled]
    if len(inits) != 1:
        return None
    try:
        parameters = InitImageTransformationParameters.model_validate(inits[0].parameters)
        operations = select(operations_of(parameters), FOR_INFERENCE)
    except (ValueError, ModuleError):
        return None
    return [dict(operation) for operation in operations]


def _only_batch(why: Sentence, **facts: Any) -> RefusedError:
    return RefusedError(calling.ONLY_BATCH, why=why.about(facts))
