"""Validation of script folders before a run: existence and size limits."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.context import Context
from modules.errors import InvalidScriptError
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.problems import PipelineError, Problem

SCRIPT_MODULE = "run_training_script"


def source_problems(
    document: PipelineDocument, catalog: Catalog, context: Context
) -> Iterator[Problem]:
    """Yield errors of source folders that each script's step would report at its start."""
    module = catalog.get(SCRIPT_MODULE)
    if module is None or module.forecast is None:
        return
    try:
        nodes = expanded(document).nodes
    except PipelineError:  # reported by the check of sub-pipelines
        return
    for node in nodes:
        if node.module != SCRIPT_MODULE or node.disabled:
            continue
        try:
            parameters = parameters_of(node, module, document)
        except ValidationError:  # reported by the check of parameters
            continue
        for finding in module.forecast({}, parameters, context).findings:
            yield Problem.relayed(
                InvalidScriptError,
                finding,
                severity=finding.severity,
                node=node.id,
                parameter=finding.parameter,
            )
