"""Pins by text: ``NODE=RUN`` of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pipelines.document.document import PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.document.parts import Pin
from pipelines.document.pins import with_pin
from pipelines.errors import RefusedError
from pipelines.events import SUCCEEDED_STEP
from pipelines.problems import PIN_WITHOUT_EFFECT, Problem
from pipelines.sentences import pins

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService


def with_pins(
    runs: RunService, document: PipelineDocument, pinned: Iterable[str], unpinned: Iterable[str]
) -> PipelineDocument:
    """Return the document with nodes pinned to their results in runs, and others unpinned.

    Args:
        runs: Runs of the workspace.
        document: Pipeline to change.
        pinned: ``NODE=RUN``, a run by its id, the start or end of it, or ``last``; a node in a
            sub-pipeline by its path, ``front/split``.
        unpinned: Nodes.

    Raises:
        PipelineError: The pipeline has no such node.
        NotFoundError: There is no such run.
        RefusedError: The node has no result in the run, or is to be pinned and unpinned.
    """
    left = set(unpinned)
    for node_id in left:
        document = with_pin(document, node_id, None)
    for text in pinned:
        node_id, equals, run = text.partition("=")
        if not (node_id and equals and run):
            raise RefusedError(pins.NOT_A_PIN, text=text[:100])
        if node_id in left:
            raise RefusedError(pins.PIN_AND_UNPIN, node=node_id[:100])
        unpinned_one = with_pin(document, node_id, None)  # raises if there is no such node
        document = with_pin(unpinned_one, node_id, pin_of(runs, node_id, run))
    return document


def pin_of(runs: RunService, node_id: str, run: str) -> Pin:
    """Return the pin to the result of a node in a run."""
    record = runs.find(run)
    step = runs.store.state(record.id).steps.get(node_id)
    stored = step.artifact_id if step and step.status in SUCCEEDED_STEP else None
    artifact = runs.artifacts.index.get(stored) if stored else None
    if artifact is None:
        raise RefusedError(pins.PIN_NO_RESULT, node=node_id[:100], run=record.id)
    return Pin(artifact=artifact.id, run=record.id)


def pins_without_effect(document: PipelineDocument, pinned: Iterable[str]) -> Iterator[Problem]:
    """Yield a warning for each of these pins, ``NODE=RUN``, whose node is disabled.

    In a document, the pin of a disabled node waits for the node to be enabled again; on the command
    line it is a mistake.
    """
    disabled = {node.id for node in expanded(document).nodes if node.disabled}
    for node_id in dict.fromkeys(text.partition("=")[0] for text in pinned):
        if node_id in disabled:
            sentence = pins.PIN_OF_DISABLED_NODE
            yield Problem.of(PIN_WITHOUT_EFFECT, sentence, severity="warning", node=node_id)
