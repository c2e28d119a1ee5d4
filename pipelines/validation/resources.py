"""Missing references of a document: datasets, models, published weights, environments."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.context import Context
from modules.datasets.import_images import import_images
from modules.datasets.registered import versions_of
from modules.datasets.sources import DatasetSource, parse_source
from modules.downloads.offline import is_offline
from modules.errors import ModuleError
from modules.export.onnx_model import REGISTERED, onnx_model
from modules.models.included_weights import USE_INCLUDED
from modules.models.initial_weights import StartingPoint
from modules.models.pretrained_weights import missing_weights
from modules.models.registered_model import model_gone, registered_model
from modules.parameters import SecretNames, fields_with
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Node, PipelineDocument
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.problems import (
    DATASET_MISSING,
    UNKNOWN_ENVIRONMENT,
    UNKNOWN_SECRET,
    WEIGHTS_NOT_CACHED,
    Problem,
    did_you_mean,
)
from pipelines.sentences import values, wiring
from pipelines.store.database.models import ModelStore


def gone_datasets(document: PipelineDocument, datasets_dir: Path) -> Iterator[Problem]:
    """Return one problem for each node whose registered dataset or version does not exist."""
    context = Context(datasets_dir, datasets_dir=datasets_dir)
    for node in document.nodes:
        source = _dataset_of(node)
        try:
            if source is not None:
                source.check(context)
        except ModuleError as error:
            versions = versions_of(datasets_dir, source.name) if source else ()
            newest = f"dataset:{source.name}@{versions[-1]}" if source and versions else None
            yield Problem.relayed(
                DATASET_MISSING,
                error,
                node=node.id,
                parameter="source",
                remedy={"set": {"source": newest}} if newest else None,
            )


def _dataset_of(node: Node) -> DatasetSource | None:
    if node.module != import_images.id or node.disabled:
        return None
    text = node.parameters.get("source")
    try:
        source = parse_source(text if isinstance(text, str) else None)
    except ModuleError:  # the module's own check reports invalid text
        return None
    return source if isinstance(source, DatasetSource) else None


def gone_models(document: PipelineDocument, models: ModelStore) -> Iterator[Problem]:
    """Return one problem for each node whose model is not in the registry."""
    references = {
        node.id: text
        for node in document.nodes
        if not node.disabled and _names_a_model(node)
        if isinstance(text := node.parameters.get("model"), str) and text
    }
    registered = models.artifacts_by_reference() if references else {}
    for node_id, text in references.items():
        if text not in registered:
            yield Problem.from_error(model_gone(text, registered), node_id)


def _names_a_model(node: Node) -> bool:
    """Return True if the node uses a registered model."""
    if node.module == onnx_model.id:
        return node.parameters.get("source") == REGISTERED
    return node.module == registered_model.id


def gone_environments(
    document: PipelineDocument, catalog: Catalog, environments: WorkspaceEnvironments
) -> Iterator[Problem]:
    """Return one problem for each node whose environment does not exist."""
    for node in document.nodes:
        reference, module = node.run_settings.environment, catalog.get(node.module)
        if reference is None or node.disabled or not (module and module.takes_environment):
            continue
        if environments.find(reference) is None:
            yield unknown_environment(reference, node.id, environments)


def gone_secrets(
    document: PipelineDocument, catalog: Catalog, secrets: Container[str]
) -> Iterator[Problem]:
    """Return one problem for each secret that a node uses but nobody has set."""
    for node in document.nodes:
        module = catalog.get(node.module)
        if node.disabled or module is None:
            continue
        for name in fields_with(module.parameters_type, SecretNames):
            for secret in _texts(node.parameters.get(name)):
                if secret not in secrets:
                    statement = wiring.NO_SECRET_SET.about({"secret": secret})
                    yield Problem.of(UNKNOWN_SECRET, statement, node=node.id, parameter=name)


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def unknown_environment(reference: str, node: str, environments: WorkspaceEnvironments) -> Problem:
    """Return the problem of an unknown environment or version."""
    names = {
        name
        for environment in environments.all()
        for name in (environment.name, environment.reference)
    }
    return Problem.of(
        UNKNOWN_ENVIRONMENT,
        wiring.NO_ENVIRONMENT,
        environment=reference,
        help=did_you_mean(reference, names),
        node=node,
        parameter="environment",
        remedy={"clear": "environment"},
    )


def absent_weights(
    document: PipelineDocument, catalog: Catalog, weights_dir: Path
) -> Iterator[Problem]:
    """Return a warning for each model whose weights must be downloaded first; uses no network."""
    for node in document.nodes:
        parameters = _starting_point(node, document, catalog)
        missing = missing_weights(parameters, weights_dir) if parameters else None
        if parameters is None or missing is None:
            continue
        yield Problem.of(
            WEIGHTS_NOT_CACHED,
            values.WEIGHTS_NOT_AVAILABLE if is_offline() else values.WEIGHTS_NOT_CACHED,
            file=missing.name,
            folder=weights_dir,
            megabytes=missing.megabytes,
            severity="warning",
            node=node.id,
            parameter="pretrained",
            remedy=USE_INCLUDED,
        )


def _starting_point(
    node: Node, document: PipelineDocument, catalog: Catalog
) -> StartingPoint | None:
    module = catalog.get(node.module)
    if node.disabled or module is None or not issubclass(module.parameters_type, StartingPoint):
        return None
    try:
        parameters = parameters_of(node, module, document)
    except ValidationError:  # reported by validate
        return None
    return parameters if isinstance(parameters, StartingPoint) else None
