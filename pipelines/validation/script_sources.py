"""Source folders of scripts, read before a run: whether they are there and within their limits."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.context import Context
from modules.errors import InvalidScriptError
from pipelines.documents.document import PipelineDocument
from pipelines.documents.expansion import expanded
from pipelines.problems import PipelineError, Problem
from pipelines.validation.parameters import parameters_of

SCRIPT_MODULE = "run_training_script"


def source_problems(
    document: PipelineDocument, catalog: Catalog, context: Context
) -> Iterator[Problem]:
    """Yield what each script's step would refuse of its source folder as soon as it begins."""
    module = catalog.get(SCRIPT_MODULE)
    if module is None or module.forecast is None:
        return
    try:
        nodes = expanded(document).nodes
    except PipelineError:  # which the check of sub-pipelines reports
        return
    for node in nodes:
        if node.module != SCRIPT_MODULE or node.disabled:
            continue
        try:
            parameters = parameters_of(node, module, document)
        except ValidationError:  # which the check of parameters reports
            continue
        for finding in module.forecast({}, parameters, context).findings:
            yield Problem.relayed(
                InvalidScriptError,
                finding,
                severity=finding.severity,
                node=node.id,
                parameter=finding.parameter,
            )
