"""Starter pipeline for a dataset in parts: each part is used according to its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from modules.catalog import Catalog
from modules.errors import ModuleError
from modules.layouts.part_names import PART_ORDER, Part
from modules.layouts.questions import FIRST_NUMBER
from modules.layouts.readings import AUTOMATIC
from modules.layouts.verdict import LayoutVerdict, PartVerdict
from pipelines.document.document import Endpoint, PipelineDocument, Position
from pipelines.document.edits import add_node, changed, connect, remove_nodes, set_parameter

COLUMN, ROW = 224, 148
"""Distance between nodes, in pixels."""
CONVERT, APPLY = "convert_to_image_directory", "apply_image_transformation"
NETWORK_NODE = "image_model"
"""Module, and id of its node, that replaces the template's ResNet."""
REPLACED_NODE, TRAIN_NODE = "resnet", "train"


def labelled_parts(verdict: LayoutVerdict) -> dict[Part, PartVerdict]:
    """Return the parts with labeled images, the training part first.

    A part that shares no class with the first one has folders other than classes.
    """
    labelled = {
        verdict_of_part.part: verdict_of_part
        for verdict_of_part in verdict.of_parts
        if len(verdict_of_part.counts) > 1
    }
    ordered = [labelled[part] for part in PART_ORDER if part in labelled]
    return {
        verdict_of_part.part: verdict_of_part
        for verdict_of_part in ordered
        if verdict_of_part.counts.keys() & ordered[0].counts.keys()
    }


def table_question(verdict: LayoutVerdict | None) -> ModuleError | None:
    """Return the open question about a table that defines the classes; otherwise None."""
    of_parts = verdict.of_parts if verdict else ()
    questions = [
        verdict_of_part.asked for verdict_of_part in of_parts if verdict_of_part.asked is not None
    ]
    about_tables = ("label_column", FIRST_NUMBER)
    return next((question for question in questions if question.parameter in about_tables), None)


def with_parts(
    document: PipelineDocument, catalog: Catalog, parts: Mapping[Part, PartVerdict]
) -> PipelineDocument:
    """Return the template with a branch for each part.

    The first part is used for training and the validation part for validation; without one, the
    first part is split. The test part is scored and evaluated, otherwise the validation images.
    """
    first, *others = parts
    result = _read(document, catalog, "convert", parts[first])
    ends: dict[Part, str] = {first: "apply"}
    for part in others:
        result, ends[part] = _branch(result, catalog, parts[part])
    if "validation" in others:
        result = remove_nodes(result, ["split"])
        result = _connect(result, catalog, "apply", TRAIN_NODE, "training_dataset")
        result = _connect(result, catalog, ends["validation"], TRAIN_NODE, "validation_dataset")
        result = _connect(result, catalog, ends["validation"], "score", "dataset")
    if "test" in others:
        result = _connect(result, catalog, ends["test"], "score", "dataset")
    return _arranged(result, list(ends.values()))


def with_network(document: PipelineDocument, catalog: Catalog) -> PipelineDocument:
    """Return the template with Image Model in the place of its ResNet.

    Train PyTorch Model gets its defaults, which suit the head of a frozen network.
    """
    replaced = document.node(REPLACED_NODE)
    assert replaced is not None
    place = replaced.position
    nodes = tuple(
        node.model_copy(update={"parameters": {}}) if node.id == TRAIN_NODE else node
        for node in document.nodes
    )
    result = remove_nodes(changed(document, nodes=nodes), [REPLACED_NODE])
    result = add_node(result, catalog, NETWORK_NODE, place.x, place.y)
    return _linked(result, catalog, NETWORK_NODE, "untrained_model", TRAIN_NODE, "untrained_model")


def reset_parameters(
    document: PipelineDocument, node_id: str, names: Sequence[str]
) -> PipelineDocument:
    """Return the document with the default values of parameters of a node."""
    nodes = tuple(
        node.model_copy(
            update={
                "parameters": {
                    name: value for name, value in node.parameters.items() if name not in names
                }
            }
        )
        if node.id == node_id
        else node
        for node in document.nodes
    )
    return changed(document, nodes=nodes)


def _branch(
    document: PipelineDocument, catalog: Catalog, verdict: PartVerdict
) -> tuple[PipelineDocument, str]:
    """Add a branch for another part, with the same transformation; return its last node."""
    result = add_node(document, catalog, CONVERT)
    convert = result.nodes[-1].id
    result = _titled(_read(result, catalog, convert, verdict), convert, f"Convert {verdict.part}")
    result = add_node(result, catalog, APPLY)
    apply = result.nodes[-1].id
    result = _linked(result, catalog, "import", "dataset", convert, "input_dataset")
    result = _linked(
        result, catalog, convert, "output_image_directory", apply, "input_image_directory"
    )
    port = "input_image_transformation"
    result = _linked(result, catalog, "transformation", "output_image_transformation", apply, port)
    return result, apply


def _read(
    document: PipelineDocument, catalog: Catalog, node: str, verdict: PartVerdict
) -> PipelineDocument:
    result = set_parameter(document, catalog, node, "part", verdict.part)
    return set_parameter(result, catalog, node, "class_from", verdict.class_from)


def with_reading(
    document: PipelineDocument, catalog: Catalog, verdict: PartVerdict
) -> PipelineDocument:
    """Return the template for a dataset without parts."""
    if verdict.class_from == AUTOMATIC:
        return document
    return set_parameter(document, catalog, "convert", "class_from", verdict.class_from)


def _connect(
    document: PipelineDocument, catalog: Catalog, source: str, target: str, port: str
) -> PipelineDocument:
    return _linked(document, catalog, source, "output_image_directory", target, port)


def _linked(
    document: PipelineDocument, catalog: Catalog, source: str, output: str, target: str, port: str
) -> PipelineDocument:
    return connect(
        document, catalog, Endpoint(node=source, port=output), Endpoint(node=target, port=port)
    )


def _titled(document: PipelineDocument, node_id: str, title: str) -> PipelineDocument:
    nodes = tuple(
        node.model_copy(update={"title": title}) if node.id == node_id else node
        for node in document.nodes
    )
    return changed(document, nodes=nodes)


def _arranged(document: PipelineDocument, ends: list[str]) -> PipelineDocument:
    """Arrange parts in rows and steps in columns."""
    converts = [
        link.from_.node
        for end in ends
        for link in document.links
        if link.to == Endpoint(node=end, port="input_image_directory")
    ]
    has_split = any(node.id == "split" for node in document.nodes)
    places = {
        "import": (0, 2),
        "transformation": (1, 0),
        **{node: (1, row) for row, node in enumerate(converts, start=1)},
        **{node: (2, row) for row, node in enumerate(ends, start=1)},
        NETWORK_NODE: (2, 0),
        "split": (3, 1),
        TRAIN_NODE: (3 + has_split, 0),
        "score": (4 + has_split, len(ends)),
        "evaluate": (5 + has_split, len(ends)),
    }
    nodes = tuple(
        node.model_copy(update={"position": Position(x=column * COLUMN, y=row * ROW)})
        for node in document.nodes
        for column, row in [places[node.id]]
    )
    return changed(document, nodes=nodes)
