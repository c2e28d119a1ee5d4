"""Outputs of a run and their inputs: nodes, links and folders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from modules.artifacts import TrainedModel
from pipelines.document.checks.graph import Graph
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.problems import PipelineError
from pipelines.runs.run_service import RunService


@dataclass(frozen=True)
class RunOutput:
    """One output of a node in a run."""

    node: str
    port: str
    folder: Path
    type: str


class RunOutputs:
    """Finished outputs of one run and their connections.

    A deleted run, or one whose document cannot be read any more, has none.
    """

    def __init__(self, runs: RunService, run_id: str) -> None:
        self.runs = runs
        self.run_id = run_id

    @cached_property
    def document(self) -> PipelineDocument | None:
        """Return the submitted pipeline with its sub-pipelines expanded."""
        record = self.runs.store.record(self.run_id)
        try:
            return None if record is None else expanded(parse_document(record.document))
        except PipelineError:
            return None

    @cached_property
    def all(self) -> tuple[RunOutput, ...]:
        """Return every existing output in the order in which the nodes ran."""
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
        """Return the output connected to an input; None if there is none or it is gone."""
        source = self._graph.inputs(node).get(port) if self.document else None
        if source is None:
            return None
        return self.output(source.node, source.port)

    def inputs(self, node: str) -> dict[str, RunOutput]:
        """Return the existing outputs connected to the inputs of a node."""
        ports = self._graph.inputs(node) if self.document else {}
        outputs = {port: self.input(node, port) for port in ports}
        return {port: output for port, output in outputs.items() if output is not None}

    def output(self, node: str, port: str) -> RunOutput | None:
        """Return an output of a node; None if it does not exist."""
        return next((output for output in self.of(node) if output.port == port), None)

    def of(self, node: str) -> tuple[RunOutput, ...]:
        """Return the existing outputs of one node."""
        step = self.runs.store.state_of_step(self.run_id, node)
        folders = {} if step is None else self.runs.artifacts.outputs(step)
        return tuple(_readable(node, folders))

    def readers(self, node: str) -> tuple[str, ...]:
        """Return the nodes that read an output of this one, in the order in which they run."""
        if self.document is None:
            return ()
        inputs = ((reader, self._graph.inputs(reader).values()) for reader in self._graph.order)
        return tuple(reader for reader, ends in inputs if any(end.node == node for end in ends))

    def title(self, node_id: str) -> str:
        """Return the title of a node."""
        node = self.document.node(node_id) if self.document else None
        module = self.runs.catalog.get(node.module) if node else None
        return (node and node.title) or (module.title if module else node_id)

    def port_title(self, output: RunOutput) -> str:
        """Return the title of an output on the canvas."""
        node = self.document.node(output.node) if self.document else None
        module = self.runs.catalog.get(node.module) if node else None
        names = {port.id: port.name for port in module.outputs} if module else {}
        return names.get(output.port, output.port)

    def network_of(self, scored: RunOutput | None) -> RunOutput | None:
        """Return the trained model behind scored images; of an exported one, its source.

        None if it is gone, or if the file was not exported in this run.
        """
        model = None if scored is None else self.input(scored.node, "trained_model")
        while model is not None and model.type != TrainedModel.__name__:
            model = self.input(model.node, "trained_model")
        return model

    def dataset_of(self, output: RunOutput | None) -> RunOutput | None:
        """Return the image directory of the rows of a scored dataset."""
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
