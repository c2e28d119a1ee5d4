"""Derivation of an inference pipeline from a training pipeline: a pure edit that explains itself.

What classifies images is kept: their conversion, deterministic transformations, Score Image Model.
The training and what only feeds it go, the trained model becomes a registered one, and Web Service
Input and Output come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import JsonValue

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.catalog import Catalog
from modules.sentences.sentence import Sentence, Statement
from modules.spec import Module
from pipelines.document.binds import halves, outermost
from pipelines.document.checks.graph import Graph
from pipelines.document.document import (
    Endpoint,
    Link,
    Node,
    PipelineDocument,
    PipelineParameter,
    Position,
)
from pipelines.document.edits import COLUMN, ROW, free_name
from pipelines.document.flattening import flattened
from pipelines.document.pins import without_pins
from pipelines.document.random_operations import random_operations, without_operations
from pipelines.problems import NO_INFERENCE_PIPELINE, PipelineError
from pipelines.sentences import inference as say

INPUT, OUTPUT, MODEL = "web_service_input", "web_service_output", "registered_model"
SCORE, CONVERT = "score_image_model", "convert_to_image_directory"
INIT, APPLY = "init_image_transformation", "apply_image_transformation"
BYPASSED = ("split_image_directory", "align_classes")
Kind = Literal["removed", "replaced", "changed", "added"]


@dataclass(frozen=True)
class DerivedChange:
    """Change of a node, and its reason."""

    kind: Kind
    node: str
    title: str
    why: Statement


@dataclass(frozen=True)
class Derived:
    """Inference pipeline, and the changes that led to it in reading order."""

    document: PipelineDocument
    changes: tuple[DerivedChange, ...]


def derive_inference(
    document: PipelineDocument, catalog: Catalog, model: str, node: str | None = None
) -> Derived:
    """Derive the inference pipeline of a pipeline that trains or scores a model.

    Args:
        document: Training pipeline, or that of a run; it is not changed.
        catalog: Modules of the workspace.
        model: Registered model, ``NAME@VERSION``.
        node: Node that outputs the trained model, if several do.

    Raises:
        PipelineError: It cannot be derived; the problem says why and what to do.
    """
    return _Derivation(without_pins(flattened(document)), catalog, model, node).derived()


@dataclass
class _Derivation:
    document: PipelineDocument
    catalog: Catalog
    model: str
    wanted: str | None
    changes: list[DerivedChange] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    input: str = INPUT
    batch_source: JsonValue = None

    def __post_init__(self) -> None:
        self.graph = Graph(self.document, self.catalog)
        self.titles = self.graph.titles

    def derived(self) -> Derived:
        trainer, model_port = self._trainer()
        score = self._score(trainer, model_port)
        added = self._add_model(trainer)
        scored = self._keep_score(score, added)
        self._keep_images(trainer, score, scored)
        self._add_output(scored)
        self._explain_removed(trainer)
        return Derived(self._document(), tuple(sorted(self.changes, key=_rank)))

    # the trained model

    def _trainer(self) -> tuple[Node, str]:
        """Return the node that outputs the trained model, and the port."""
        outputs = [
            (node, port.id)
            for node in self._active()
            for port in self._module(node).outputs
            if issubclass(port.type, TrainedModel) and self.wanted in (None, node.id)
        ]
        if not outputs:
            raise _refused(say.NOTHING_TRAINED)
        trainers = [
            (node, port)
            for node, port in outputs
            if any(issubclass(entry.type, UntrainedModel) for entry in self._module(node).inputs)
        ]
        chosen = trainers or outputs
        if len({node.id for node, _ in chosen}) > 1:
            names = [node.id for node, _ in chosen]
            raise _refused(say.SEVERAL_TRAINED, nodes=names)
        return chosen[0]

    def _active(self) -> Iterator[Node]:
        for node in self.document.nodes:
            if not node.disabled and node.module in self.catalog.entries:
                yield node

    def _module(self, node: Node) -> Module:
        module = self.catalog.get(node.module)
        if module is None:
            raise _refused(say.UNKNOWN_ON_THE_WAY, title=self.titles[node.id], node=node.id)
        return module

    def _score(self, trainer: Node, port: str) -> Node | None:
        """Return the first Score Image Model of the trained model; None if there is none."""
        fed = {
            link.to.node
            for link in self.document.links
            if (link.from_.node, link.from_.port) == (trainer.id, port)
        }
        scores = [node for node in self._active() if node.id in fed and node.module == SCORE]
        for other in scores[1:]:
            self._note("removed", other, say.ONE_SCORE_IS_ENOUGH)
        return scores[0] if scores else None

    def _add_model(self, trainer: Node) -> Node:
        if trainer.module == MODEL:
            node = trainer.model_copy(update={"parameters": {"model": self.model}})
            self._note("changed", trainer, say.PINNED, model=self.model)
        else:
            node = self._new(MODEL, trainer.position, {"model": self.model})
            self._note("replaced", trainer, say.MODEL_REPLACES_TRAINING, model=self.model)
        self.nodes[node.id] = node
        return node

    def _keep_score(self, score: Node | None, model: Node) -> Node:
        if score is None:
            below = Position(x=model.position.x, y=model.position.y + ROW)
            kept = self._new(SCORE, below, {})
            self.changes.append(
                DerivedChange("added", kept.id, self._title(SCORE), say.SCORE_ADDED.about({}))
            )
        else:
            kept = score
        self.nodes[kept.id] = kept
        self._link(model.id, "trained_model", kept.id, "trained_model")
        return kept

    # the images

    def _validated(self, trainer: Node) -> Endpoint | None:
        """Return the images that the training is validated on: those of its last such input."""
        ports = [
            entry.id
            for entry in self._module(trainer).inputs
            if issubclass(entry.type, ImageDirectory)
        ]
        return self._source(trainer.id, ports[-1]) if ports else None

    def _keep_images(self, trainer: Node, score: Node | None, kept_score: Node) -> None:
        """Keep the way of the images to Score Image Model, from Web Service Input on."""
        target, port = kept_score.id, "dataset"
        at = self._validated(trainer) if score is None else self._source(score.id, port)
        seen: set[str] = set()
        position = Position(x=kept_score.position.x, y=kept_score.position.y - 2 * ROW)
        while at is not None and at.node not in seen:
            seen.add(at.node)
            node = self.graph.nodes[at.node]
            module = self._module(node)
            position = node.position
            inputs = [entry for entry in module.inputs if issubclass(entry.type, ImageDirectory)]
            if node.module in BYPASSED:
                self._note("removed", node, say.NOT_FOR_REQUESTS)
                at = self._source(node.id, inputs[0].id)
                continue
            if node.module == CONVERT:
                self._keep_conversion(node)
                self._link(node.id, at.port, target, port)
                at = self._source(node.id, "input_dataset")
                position = self.graph.nodes[at.node].position if at else position
                target, port = node.id, "input_dataset"
                break
            if not inputs:
                break  # it makes the images, and requests take its place
            if len(inputs) > 1:
                raise _refused(say.SEVERAL_IMAGE_INPUTS, title=self.titles[node.id], node=node.id)
            self._keep_step(node, inputs[0].id)
            self._link(node.id, at.port, target, port)
            target, port = node.id, inputs[0].id
            at = self._source(node.id, port)
        if port != "input_dataset":
            target, port = self._add_conversion(target, port, position), "input_dataset"
            position = Position(x=position.x, y=position.y - ROW)
        source_node = self._new(INPUT, position, {})
        self.input, self.batch_source = source_node.id, self._batch_source(at)
        self.nodes[source_node.id] = source_node
        self._link(source_node.id, "dataset", target, port)
        self.changes.append(
            DerivedChange("added", source_node.id, self._title(INPUT), say.INPUT_ADDED.about({}))
        )

    def _batch_source(self, at: Endpoint | None) -> JsonValue:
        """Return the source of the images that were read so far, for a first batch."""
        return None if at is None else self.graph.nodes[at.node].parameters.get("source")

    def _keep_conversion(self, node: Node) -> None:
        """Keep Convert to Image Directory; requests have neither labels nor parts."""
        parameters: dict[str, JsonValue] = {"class_from": "none"}
        if node.parameters != parameters:
            self._note("changed", node, say.WITHOUT_LABELS)
        self.nodes[node.id] = node.model_copy(update={"parameters": parameters})

    def _add_conversion(self, target: str, port: str, position: Position) -> str:
        convert = self._new(CONVERT, position, {"class_from": "none"})
        self.nodes[convert.id] = convert
        self._link(convert.id, "output_image_directory", target, port)
        self.changes.append(
            DerivedChange("added", convert.id, self._title(CONVERT), say.CONVERTED.about({}))
        )
        return convert.id

    def _keep_step(self, node: Node, images: str) -> None:
        """Keep a step on the way of the images with what else it needs, without randomness."""
        if node.module == APPLY and node.parameters.get("mode") == "For training":
            rest = {name: value for name, value in node.parameters.items() if name != "mode"}
            self._note("changed", node, say.FOR_INFERENCE)
            node = node.model_copy(update={"parameters": rest})
        self.nodes[node.id] = node
        for port, link in self.graph.links_into[node.id].items():
            if port != images:
                self._keep_branch(link)

    def _keep_branch(self, link: Link) -> None:
        """Keep everything behind another input, such as Init Image Transformation."""
        node = self.graph.nodes[link.from_.node]
        if any(issubclass(entry.type, UntrainedModel) for entry in self._module(node).inputs):
            raise _refused(say.NEEDS_TRAINING, title=self.titles[node.id], node=node.id)
        self.links.append(link)
        if node.id in self.nodes:
            return
        if node.module == INIT:
            node = self._without_randomness(node)
        self.nodes[node.id] = node
        for behind in self.graph.links_into[node.id].values():
            self._keep_branch(behind)

    def _without_randomness(self, node: Node) -> Node:
        operations = random_operations(node, self._module(node))
        if not operations:
            return node
        self._note("changed", node, say.RANDOM_OPERATIONS_OFF, operations=operations)
        return without_operations(node, self._module(node), operations)

    # the end

    def _add_output(self, score: Node) -> None:
        right = Position(x=score.position.x + COLUMN, y=score.position.y)
        output = self._new(OUTPUT, right, {})
        self.nodes[output.id] = output
        self._link(score.id, "scored_dataset", output.id, "scored_dataset")
        self.changes.append(
            DerivedChange("added", output.id, self._title(OUTPUT), say.OUTPUT_ADDED.about({}))
        )

    def _explain_removed(self, trainer: Node) -> None:
        explained = {change.node for change in self.changes}
        before = self._upstream(trainer.id)
        for node in self.document.nodes:
            if node.id in self.nodes or node.id in explained:
                continue
            if node.disabled:
                self._note("removed", node, say.DISABLED_NODE)
            elif node.id in before:
                self._note("removed", node, say.FEEDS_TRAINING)
            else:
                self._note("removed", node, say.NOT_NEEDED)

    def _upstream(self, node_id: str) -> set[str]:
        before: set[str] = set()
        waiting = [node_id]
        while waiting:
            for link in self.graph.links_into[waiting.pop()].values():
                if link.from_.node not in before:
                    before.add(link.from_.node)
                    waiting.append(link.from_.node)
        return before

    def _document(self) -> PipelineDocument:
        order = {node.id: number for number, node in enumerate(self.document.nodes)}
        nodes = sorted(self.nodes.values(), key=lambda node: order.get(node.id, len(order)))
        kept = set(self.nodes)
        links = tuple(dict.fromkeys((link.from_, link.to) for link in self.links))
        parameters = []
        for parameter in self.document.parameters:
            binds = tuple(bind for bind in parameter.binds if outermost(halves(bind)[0]) in kept)
            if binds or not parameter.binds:
                parameters.append(parameter.model_copy(update={"binds": binds}))
        parameters.append(
            PipelineParameter(
                id=free_name({parameter.id for parameter in parameters}, "images"),
                title="Images",
                type="string",
                default=self.batch_source,
                description="Images of a batch, for example file:my-folder or dataset:birds@1.",
                binds=(f"{self.input}.source",),
            )
        )
        groups = tuple(
            group.model_copy(update={"nodes": tuple(n for n in group.nodes if n in kept)})
            for group in self.document.groups
            if any(n in kept for n in group.nodes)
        )
        changes: dict[str, Any] = {
            "nodes": tuple(nodes),
            "links": tuple(Link(from_=source, to=target) for source, target in links),
            "parameters": tuple(parameters),
            "groups": groups,
        }
        return PipelineDocument.model_validate_json(
            self.document.model_copy(update=changes).model_dump_json()
        )

    # small steps

    def _source(self, node_id: str, port: str) -> Endpoint | None:
        link = self.graph.links_into[node_id].get(port)
        return None if link is None else link.from_

    def _link(self, source: str, source_port: str, target: str, target_port: str) -> None:
        self.links.append(
            Link(
                from_=Endpoint(node=source, port=source_port),
                to=Endpoint(node=target, port=target_port),
            )
        )

    def _new(self, module_id: str, position: Position, parameters: Mapping[str, Any]) -> Node:
        module = self.catalog.get(module_id)
        if module is None:
            raise _refused(say.MODULE_MISSING, module=module_id)
        used = {*self.nodes, *(node.id for node in self.document.nodes)}
        return Node(
            id=free_name(used, module_id),
            module=module_id,
            version=module.version,
            position=position,
            parameters=dict(parameters),
        )

    def _note(self, kind: Kind, node: Node, why: Sentence, **facts: Any) -> None:
        self.changes.append(
            DerivedChange(kind, node.id, self.titles.get(node.id, node.id), why.about(facts))
        )

    def _title(self, module_id: str) -> str:
        module = self.catalog.get(module_id)
        return module_id if module is None else module.title


_ORDER: Sequence[Kind] = ("replaced", "removed", "changed", "added")


def _rank(change: DerivedChange) -> int:
    return _ORDER.index(change.kind)


def _refused(sentence: Sentence, node: str | None = None, **facts: Any) -> PipelineError:
    return PipelineError.of(NO_INFERENCE_PIPELINE, sentence, node=node, **facts)
