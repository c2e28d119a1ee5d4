"""Checks of a sweep: its parameters exist, and their modules accept every value to try."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modules.catalog import Catalog
from modules.module_texts import parameter_title
from modules.search.spaces import probes, space_faults
from modules.sentences import search
from modules.sentences.sentence import Facts, Sentence, Statement
from modules.spec import Module
from pipelines.document.checks.graph import uncomputed_nodes
from pipelines.document.checks.parameters import parameter_problems
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.document.settings import SweepSettings, SweepSpace
from pipelines.problems import (
    INVALID_SWEEP,
    WRONG_PARAMETER_TYPE,
    PipelineError,
    Problem,
    Severity,
    did_you_mean,
)
from pipelines.sentences import sweeps as sentences

EPOCHS = "epochs"
"""Parameter of modules that successive halving can pause."""


def sweep_problems(
    document: PipelineDocument, catalog: Catalog, severity: Severity = "error"
) -> Iterator[Problem]:
    """Yield the problems of a document's sweep; ordinary runs ignore it, so they are warned."""
    sweep = document.settings.sweep
    if sweep is None:
        return
    if not sweep.parameters:
        yield Problem.of(INVALID_SWEEP, sentences.NOTHING_SWEPT, severity=severity)
    for place, space in sweep.parameters.items():
        yield from _Place(document, catalog, place, space, severity).problems()
    yield from _objective_problems(document, catalog, sweep, severity)


def _objective_problems(
    document: PipelineDocument, catalog: Catalog, sweep: SweepSettings, severity: Severity
) -> Iterator[Problem]:
    objective = sweep.objective
    if objective is None:
        if sweep.pruning is not None:
            yield Problem.of(INVALID_SWEEP, sentences.PRUNING_NEEDS_METRIC, severity=severity)
        return
    try:
        flat = expanded(document)
        nodes = {node.id: node for node in flat.nodes if not node.disabled}
    except PipelineError:  # reported for the sub-pipeline
        return
    facts: Facts = {"name": objective.node, "place": f"{objective.node}.{EPOCHS}"}
    node = nodes.get(objective.node)
    if node is None:
        help = did_you_mean(objective.node, nodes)
        yield Problem.of(
            INVALID_SWEEP, sentences.OBJECTIVE_NO_NODE, severity=severity, **facts, help=help
        )
        return
    if node.id in uncomputed_nodes(flat, catalog):
        yield Problem.of(INVALID_SWEEP, sentences.OBJECTIVE_PINNED, severity=severity, **facts)
        return
    module = catalog.get(node.module)
    if sweep.pruning is None or sweep.pruning.kind != "halving" or module is None:
        return
    if EPOCHS not in module.parameters_type.model_fields:
        yield Problem.of(INVALID_SWEEP, sentences.HALVING_NO_EPOCHS, severity=severity, **facts)
    elif facts["place"] in sweep.parameters:
        yield Problem.of(INVALID_SWEEP, sentences.HALVING_OF_EPOCHS, severity=severity, **facts)


class _Place:
    """One varied parameter and the values to try."""

    def __init__(
        self,
        document: PipelineDocument,
        catalog: Catalog,
        place: str,
        space: SweepSpace,
        severity: Severity,
    ) -> None:
        self._document = document
        self._catalog = catalog
        self._place = place
        self._space = space
        self._severity: Severity = severity
        self._node_id, _, self._name = place.rpartition(".")

    def problems(self) -> Iterator[Problem]:
        node = self._document.node(self._node_id)
        fault = self._fault(node)
        if fault is not None:
            yield fault
            return
        assert node is not None
        faults = [*self._space_problems()]
        yield from faults
        module = self._catalog.get(node.module)
        if not faults and module is not None:
            yield from self._value_problems(node, module)

    def _of(self, sentence: Sentence | Statement, **facts: Any) -> Problem:
        """Return a problem at the parameter, or at no node if there is none."""
        is_placed = self._document.node(self._node_id) is not None
        return Problem.of(
            INVALID_SWEEP,
            sentence,
            severity=self._severity,
            node=self._node_id if is_placed else None,
            parameter=self._name if is_placed else None,
            **facts,
        )

    def _fault(self, node: Node | None) -> Problem | None:
        """Return the reason why the parameter cannot be varied, if there is one."""
        node_ids = [other.id for other in self._document.nodes]
        if node is None:
            if self._node_id.partition("/")[0] in node_ids:
                return self._of(sentences.SWEPT_INSIDE, place=self._place)
            help = did_you_mean(self._node_id, node_ids)
            return self._of(
                sentences.SWEPT_NO_NODE, place=self._place, name=self._node_id, help=help
            )
        if node.disabled:
            return self._of(sentences.SWEPT_DISABLED, place=self._place)
        if node.id in uncomputed_nodes(self._document, self._catalog):
            return self._of(sentences.SWEPT_PINNED, place=self._place)
        names, title = self._parameters_of(node)
        if names is not None and self._name not in names:
            facts = {"module": title, "name": self._name, "help": did_you_mean(self._name, names)}
            return self._of(sentences.SWEPT_NO_PARAMETER, place=self._place, **facts)
        for parameter in self._document.parameters:
            if self._place in parameter.binds:
                return self._of(
                    sentences.SWEPT_BOUND, place=self._place, title=parameter.title or parameter.id
                )
        return None

    def _parameters_of(self, node: Node) -> tuple[list[str] | None, str]:
        """Return the names of a node's parameters, and of what it is; None if it is unknown."""
        module = self._catalog.get(node.module)
        if module is not None:
            return [*module.parameters_type.model_fields], module.title
        definition = self._document.definition(node.definition_id or "")
        if definition is None:
            return None, node.module
        return [item.id for item in definition.parameters], definition.title or definition.id

    def _space_problems(self) -> Iterator[Problem]:
        return (self._of(fault) for fault in space_faults(self._place, self._space))

    def _value_problems(self, node: Node, module: Module) -> Iterator[Problem]:
        """Yield the first problem that the module has with a value to try."""
        known = {problem.message for problem in self._problems_at(node, module)}
        for value in probes(self._space):
            parameters = {**node.parameters, self._name: value}
            changed = node.model_copy(update={"parameters": parameters})
            for problem in self._problems_at(changed, module):
                if problem.message in known:
                    continue  # with the value on the canvas, too: reported there
                if problem.code == WRONG_PARAMETER_TYPE.code and self._needs_whole(module):
                    title = parameter_title(module.parameters_type, self._name) or self._name
                    yield self._of(search.WHOLE_NUMBERS_ONLY, place=self._place, title=title)
                else:
                    facts = {"message": problem.message, "cure": problem.cure}
                    yield self._of(sentences.SWEPT_VALUE, place=self._place, **facts)
                return

    def _needs_whole(self, module: Module) -> bool:
        """Return True for a range of real numbers of a parameter that takes whole ones."""
        schema = module.parameters_type.model_json_schema()["properties"].get(self._name, {})
        kinds = {schema.get("type"), *(some.get("type") for some in schema.get("anyOf", ()))}
        return self._space.kind in ("linear", "log") and "integer" in kinds

    def _problems_at(self, node: Node, module: Module) -> list[Problem]:
        return [
            problem
            for problem in parameter_problems(node, module, self._document)
            if problem.severity == "error" and problem.parameter == self._name
        ]
