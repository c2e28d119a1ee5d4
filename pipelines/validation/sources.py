"""Missing data sources of a document, found without running it."""

from __future__ import annotations

from collections.abc import Iterator

from modules.catalog import Catalog
from modules.context import Context
from modules.spec import Module, ParameterFinding
from pipelines.document.checks.parameters import kind_of, parameters_of
from pipelines.document.document import Node, PipelineDocument
from pipelines.problems import Problem


def absent_sources(
    document: PipelineDocument, catalog: Catalog, context: Context
) -> Iterator[Problem]:
    """Yield errors from the estimates of modules without inputs, such as a missing folder."""
    fed = {link.to.node for link in document.links}
    for node in document.nodes:
        module = catalog.get(node.module)
        if module is not None and node.id not in fed and not node.disabled:
            yield from _problems_of(node, module, document, context)


def _problems_of(
    node: Node, module: Module, document: PipelineDocument, context: Context
) -> Iterator[Problem]:
    if module.forecast is None or module.fingerprint is None:  # reads nothing from outside
        return
    try:
        parameters = parameters_of(node, module, document)
        findings: tuple[ParameterFinding, ...] = module.forecast({}, parameters, context).findings
    except Exception:  # hooks of user modules may raise anything; values are checked before
        return
    for finding in findings:
        if finding.severity == "error":
            kind = kind_of(finding, parameters)
            yield Problem.relayed(kind, finding, node=node.id, parameter=finding.parameter)
