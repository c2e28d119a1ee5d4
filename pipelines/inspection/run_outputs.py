"""The outputs of a run and what they were made from: its nodes, links and folders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pipelines.documents.document import PipelineDocument, parse_document
from pipelines.documents.expansion import expanded
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.problems import PipelineError
from pipelines.runs.run_service import RunService
from pipelines.validation.graph import Graph


@dataclass(frozen=True)
class RunOutput:
    """One output of a node in a run."""

    node: str
    port: str
    folder: Path
    type: str


class RunOutputs:
    """The finished outputs of one run and how they hang together.

    A run that was deleted, or whose document can no longer be read, has none.
    """

    def __init__(self, runs: RunService, run_id: str) -> None:
        self.runs = runs
        self.run_id = run_id

    @cached_property
    def document(self) -> PipelineDocument | None:
        """The pipeline as it was submitted, its sub-pipelines put in place."""
        record = self.runs.store.record(self.run_id)
        try:
            return None if record is None else expanded(parse_document(record.document))
        except PipelineError:
            return None

    @cached_property
    def all(self) -> tuple[RunOutput, ...]:
        """Every output that is there, in the order in which the nodes ran."""
        if self.document is None:
            return ()
        steps = self.runs.store.state(self.run_id).steps
        return tuple(
            output
            for node in self._graph.order
            if node in steps
            for output in _readable(node, self.runs.artifacts.outputs(steps[node]))
        )

    def input(self, node: str, port: str) -> RunOutput | None:
        """What was linked into an input of a node; None where nothing is, or it is gone."""
        source = self._graph.inputs(node).get(port) if self.document else None
        if source is None:
            return None
        return self.output(source.node, source.port)

    def inputs(self, node: str) -> dict[str, RunOutput]:
        """What was linked into each input of a node, as far as it is still there."""
        ports = self._graph.inputs(node) if self.document else {}
        found = {port: self.input(node, port) for port in ports}
        return {port: output for port, output in found.items() if output is not None}

    def output(self, node: str, port: str) -> RunOutput | None:
        """An output of a node; None where it is not there."""
        return next((each for each in self.of(node) if each.port == port), None)

    def of(self, node: str) -> tuple[RunOutput, ...]:
        """The outputs of one node, as far as they are there."""
        step = self.runs.store.state_of_step(self.run_id, node)
        folders = {} if step is None else self.runs.artifacts.outputs(step)
        return tuple(_readable(node, folders))

    def readers(self, node: str) -> tuple[str, ...]:
        """The nodes that take an output of this one, in the order in which they run."""
        if self.document is None:
            return ()
        taken = ((each, self._graph.inputs(each).values()) for each in self._graph.order)
        return tuple(each for each, ends in taken if any(end.node == node for end in ends))

    def title(self, node_id: str) -> str:
        """What a node is called."""
        node = self.document.node(node_id) if self.document else None
        module = self.runs.catalog.get(node.module) if node else None
        return (node and node.title) or (module.title if module else node_id)

    def port_title(self, output: RunOutput) -> str:
        """What an output is called on the canvas."""
        node = self.document.node(output.node) if self.document else None
        module = self.runs.catalog.get(node.module) if node else None
        names = {port.id: port.name for port in module.outputs} if module else {}
        return names.get(output.port, output.port)

    def dataset_of(self, output: RunOutput | None) -> RunOutput | None:
        """The image directory that the rows of a scored dataset are about."""
        return None if output is None else self.input(output.node, "dataset")

    @cached_property
    def _graph(self) -> Graph:
        assert self.document is not None
        return Graph(self.document, self.runs.catalog)


def _readable(node: str, folders: dict[str, str]) -> Iterator[RunOutput]:
    for port, folder in folders.items():
        try:
            yield RunOutput(node, port, Path(folder), facts_of(Path(folder)).type)
        except UnreadableArtifactError:
            continue
