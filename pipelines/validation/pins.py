"""Pinned results of a document: missing, damaged, unfit for the outputs, or of other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modules.artifacts import Artifact, read_json
from modules.catalog import Catalog
from modules.sentences.sentence import Facts, Sentence, Statement
from modules.spec import Port
from pipelines.document.checks.graph import Graph
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.document.parts import Pin
from pipelines.document.pin_changes import PinnedRun, changes_since
from pipelines.problems import PIN_LOST, PIN_OUTDATED, PIN_UNFIT, Kind, PipelineError, Problem
from pipelines.sentences import pins
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.cache_keys import key_of_copy
from pipelines.store.artifacts.manifest import MANIFEST
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.store.database.runs import RunStore


@dataclass(frozen=True)
class PinnedOutput:
    """Stored result that a node uses instead of being computed."""

    record: ArtifactRecord
    key: str
    """Its key in the keys of the steps that read it."""
    doubt: Statement | None = None
    """Reason why it may not be the result of the node's present settings."""


FindPinned = Callable[[str, Pin], PinnedOutput]
"""Function of node id and pin that returns the result; raises if there is none."""


def pin_problems(
    document: PipelineDocument, catalog: Catalog, artifacts: ArtifactStore
) -> Iterator[Problem]:
    """Yield one problem for each pinned node without a usable result, else a warning if the result
    may not match the node's settings; hashes no files.

    Args:
        document: Pipeline with expanded sub-pipelines.
        catalog: Modules of the workspace.
        artifacts: Stored results.
    """
    pinned = {node.id: node.pin for node in document.nodes if node.pin and node.is_pinned}
    if not pinned:
        return
    results = PinnedResults(Graph(document, catalog), artifacts)
    for node_id, pin in pinned.items():
        problems = list(results.problems(node_id, pin))
        yield from problems or results.warnings(node_id, pin)


def damaged_pins(
    document: PipelineDocument, catalog: Catalog, artifacts: ArtifactStore
) -> Iterator[Problem]:
    """Yield the problems of pinned results that cannot be used; hashes files that changed.

    For the start of a run; the arguments are those of ``pin_problems``.
    """
    pinned = {node.id: node.pin for node in document.nodes if node.pin and node.is_pinned}
    results = PinnedResults(Graph(document, catalog), artifacts)
    for node_id, pin in pinned.items():
        try:
            results.find(node_id, pin)
        except PipelineError as error:
            yield from error.problems


@dataclass(frozen=True)
class PinnedResults:
    """Stored results that the nodes of a document are pinned to."""

    graph: Graph
    """Pipeline with expanded sub-pipelines."""
    artifacts: ArtifactStore

    def find(self, node_id: str, pin: Pin) -> PinnedOutput:
        """Return the result of a pinned node, checked.

        Raises ``PipelineError`` if it is missing, damaged or unfit.
        """
        problem = next(self.problems(node_id, pin), None)
        record = self.artifacts.index.get(pin.artifact)
        if problem is None and (record is None or not self.artifacts.is_intact(record)):
            problem = _problem(PIN_LOST, pins.PIN_DAMAGED, node_id, pin)
        if problem is not None or record is None:
            raise PipelineError([problem] if problem else [])
        # Steps that read it reuse what was computed from the same result. If several results have
        # the same key, they may differ: then only outputs that were computed from this one count.
        is_only_one = self.artifacts.index.count_of_key(record.key) == 1
        key = record.key if is_only_one else key_of_copy(record.key, record.id)
        return PinnedOutput(record, key, self._doubt(node_id, pin, record))

    def problems(self, node_id: str, pin: Pin) -> Iterator[Problem]:
        """Yield the problems of a pin, as far as they show without reading its files."""
        record = self.artifacts.index.get(pin.artifact)
        if record is None:
            yield _problem(PIN_LOST, pins.PIN_GONE, node_id, pin)
            return
        is_here = (self.artifacts.root / record.id).is_dir()
        if record.damaged or not (is_here or self._is_stored_elsewhere(record)):
            yield _problem(PIN_LOST, pins.PIN_DAMAGED, node_id, pin)
            return
        if is_here:
            yield from self._unfit_outputs(node_id, pin)

    def warnings(self, node_id: str, pin: Pin) -> Iterator[Problem]:
        """Yield the reason why a usable result may not match the settings of its node."""
        record = self.artifacts.index.get(pin.artifact)
        doubt = self._doubt(node_id, pin, record) if record else None
        if doubt is not None:
            remedy = {"unpin": node_id}
            yield Problem.of(PIN_OUTDATED, doubt, severity="warning", node=node_id, remedy=remedy)

    def _is_stored_elsewhere(self, record: ArtifactRecord) -> bool:
        return record.content is not None and self.artifacts.remote is not None

    def _unfit_outputs(self, node_id: str, pin: Pin) -> Iterator[Problem]:
        """Compare the stored outputs with those of the node's module that wires need."""
        module = self.graph.catalog.get(self.graph.nodes[node_id].module)
        for port in module.outputs if module else ():
            if port.id not in self._read_outputs.get(node_id, ()):
                continue
            facts: Facts = {"output": port.label}
            try:
                manifest = read_json(self.artifacts.root / pin.artifact / port.id / MANIFEST)
                name, version = str(manifest["type"]), manifest["schema_version"]
            except FileNotFoundError:
                yield _problem(PIN_UNFIT, pins.PIN_WITHOUT_OUTPUT, node_id, pin, **facts)
                continue
            except (OSError, ValueError, KeyError, TypeError):
                yield _problem(PIN_LOST, pins.PIN_DAMAGED, node_id, pin)
                return
            stored = _types(port).get(name)
            if stored is None:
                sentence = pins.PIN_OF_OTHER_TYPE
                yield _problem(PIN_UNFIT, sentence, node_id, pin, **facts, found=name)
            elif stored.schema_version != version:
                yield _problem(PIN_UNFIT, pins.PIN_OF_OTHER_VERSION, node_id, pin, **facts)

    @cached_property
    def _read_outputs(self) -> Mapping[str, set[str]]:
        """Outputs that enabled nodes read, by node."""
        read: dict[str, set[str]] = {}
        for node_id in self.graph.active_nodes:
            for end in self.graph.inputs(node_id).values():
                read.setdefault(end.node, set()).add(end.port)
        return read

    def _doubt(self, node_id: str, pin: Pin, record: ArtifactRecord) -> Statement | None:
        """Return the reason why a result may not be that of the present settings, if any.

        The settings are those of the pin's run, otherwise of the run that computed the result.
        """
        for run_id in dict.fromkeys((pin.run, record.run_id)):
            ran = self._ran(run_id, record)
            if ran is not None:
                changes = changes_since(*ran, self.graph, node_id)
                facts = {"run": run_id, "changes": ", ".join(changes)}
                return pins.PIN_DIFFERS.about(facts) if changes else None
        return pins.PIN_NOT_COMPARED.about({"run": pin.run})

    def _ran(self, run_id: str, record: ArtifactRecord) -> tuple[PinnedRun, str] | None:
        """Return a run and its node with the result; None if it is gone or has no such node."""
        runs = RunStore(self.artifacts.index.database)
        run = runs.record(run_id)
        graph = _graph_of(run.document, self.graph.catalog) if run else None
        if graph is None:
            return None
        steps = runs.state(run_id).steps
        outputs = {node: step.artifact_id for node, step in steps.items() if step.artifact_id}
        nodes = [node for node, output in outputs.items() if output == record.id]
        if not nodes:
            return None
        return PinnedRun(graph, outputs), record.node if record.node in nodes else nodes[0]


def _graph_of(document: object, catalog: Catalog) -> Graph | None:
    try:
        return Graph(expanded(parse_document(document)), catalog)
    except PipelineError:  # of another version of the program
        return None


def _types(port: Port) -> dict[str, type[Artifact]]:
    """Return the types that fit an output, by name."""
    types, waiting = {}, [port.type]
    while waiting:
        kind = waiting.pop()
        types[kind.__name__] = kind
        waiting += kind.__subclasses__()
    return types


def _problem(kind: Kind, sentence: Sentence, node_id: str, pin: Pin, **facts: Any) -> Problem:
    remedy = {"unpin": node_id}
    return Problem.of(kind, sentence, node=node_id, remedy=remedy, run=pin.run, **facts)
