"""The pipeline documents that are run and checked by the graph benchmark."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from benchmarks.peers.counting import Work

Document = dict[str, Any]
Values = Mapping[str, object]
"""Values of a node's parameters."""
Link = dict[str, dict[str, str]]
"""The node and the port at both ends, ``from`` and ``to``."""


class Node(TypedDict):
    """A node of a document."""

    id: str
    module: str
    version: int
    parameters: Values


def counting_document(work: Work, attempt: int) -> Document:
    """Nodes that add one; another ``attempt`` gives every node another key."""
    nodes, links = [], []
    for index, parent in enumerate(work.parents):
        if parent is None:
            nodes.append(_node(f"node_{index}", "start_count", {"attempt": attempt}))
        else:
            # a place of its own, or nodes fanned out would be one step, reused by the others
            nodes.append(_node(f"node_{index}", "increment", {"place": index}))
            links.append(_link(f"node_{parent}.number", f"node_{index}.value"))
    return _document(f"counting_{work.shape}", nodes, links)


def image_document(fraction: float) -> Document:
    """Twelve nodes from pictures to datasets that are ready for training; ``fraction`` splits."""
    nodes = [
        _node("pictures", "import_images", {"source": "sample:digits"}),
        _node("checked", "convert_to_image_directory"),
        _node("hold_out", "split_image_directory", _fraction(fraction)),
        _node("divide", "split_image_directory", _fraction(0.5)),
        _node("for_training", "init_image_transformation", {"random_horizontal_flip": False}),
        _node("for_testing", "init_image_transformation"),
        _node("training", "apply_image_transformation", {"mode": "For training"}),
        _node("validation", "apply_image_transformation"),
        _node("test", "apply_image_transformation"),
        _node("densenet", "densenet", {"pretrained": False}),
        _node("resnet", "resnet", {"pretrained": False}),
        _node("other", "image_model", {"pretrained": False}),
    ]
    links = [
        _link("pictures.dataset", "checked.input_dataset"),
        _link("checked.output_image_directory", "hold_out.input_image_directory"),
        _link("hold_out.output_image_directory2", "divide.input_image_directory"),
        *_applied("training", "for_training", "hold_out.output_image_directory1"),
        *_applied("validation", "for_testing", "divide.output_image_directory1"),
        *_applied("test", "for_testing", "divide.output_image_directory2"),
    ]
    return _document("twelve_nodes", nodes, links)


def learning_document(pictures: Path, size: int, training: Values) -> Document:
    """From the folders ``train`` and ``validation`` of ``pictures`` to an evaluated ResNet-18."""
    network = {"model_name": "resnet18", "pretrained": False, "zero_init_residual": True}
    square = {"size": size, "crop_size": size}
    return _learning(pictures, square, _node("network", "resnet", network), training)


def pretrained_document(pictures: Path) -> Document:
    """The same for the head of EfficientNet-Lite0, whose other layers keep the included weights."""
    network = {
        "model_name": "efficientnet_lite0",
        "pretrained": True,
        "freeze": "all but the head",
    }
    square = {"size": 224, "crop_size": 224, "random_resized_crop": False}
    square |= {"random_horizontal_flip": False}  # as in the pipeline of *Start with your images*
    return _learning(pictures, square, _node("network", "image_model", network), {})


def _learning(pictures: Path, square: Values, network: Node, training: Values) -> Document:
    nodes = [
        _node("import_train", "import_images", {"source": f"file:{pictures / 'train'}"}),
        _node("import_test", "import_images", {"source": f"file:{pictures / 'validation'}"}),
        _node("train_images", "convert_to_image_directory"),
        _node("test_images", "convert_to_image_directory"),
        _node("transformation", "init_image_transformation", square),
        _node("for_training", "apply_image_transformation", {"mode": "For training"}),
        _node("for_testing", "apply_image_transformation"),
        network,
        _node("train", "train_pytorch_model", training),
        _node("score", "score_image_model"),
        _node("evaluate", "evaluate_model"),
    ]
    links = [
        _link("import_train.dataset", "train_images.input_dataset"),
        _link("import_test.dataset", "test_images.input_dataset"),
        *_applied("for_training", "transformation", "train_images.output_image_directory"),
        *_applied("for_testing", "transformation", "test_images.output_image_directory"),
        _link("network.untrained_model", "train.untrained_model"),
        _link("for_training.output_image_directory", "train.training_dataset"),
        _link("for_testing.output_image_directory", "train.validation_dataset"),
        _link("train.trained_model", "score.trained_model"),
        _link("for_testing.output_image_directory", "score.dataset"),
        _link("score.scored_dataset", "evaluate.scored_dataset"),
    ]
    return _document("learning", nodes, links)


def long_document(num_nodes: int) -> Document:
    """That many nodes without a fault: image transformations applied one after the other."""
    nodes = [
        _node("pictures", "import_images", {"source": "sample:digits"}),
        _node("checked", "convert_to_image_directory"),
    ]
    links = [_link("pictures.dataset", "checked.input_dataset")]
    last = "checked"
    while len(nodes) + 2 <= num_nodes:
        name = f"apply_{len(nodes)}"
        nodes.append(_node(f"init_{len(nodes)}", "init_image_transformation", {"size": 240}))
        nodes.append(_node(name, "apply_image_transformation"))
        links += _applied(name, nodes[-2]["id"], f"{last}.output_image_directory")
        last = name
    return _document("long", nodes, links)


def training_document(num_nodes: int) -> Document:
    """Trainings, as many as asked for; whatever they need is not there."""
    nodes = [_node(f"train_{place}", "train_pytorch_model") for place in range(num_nodes)]
    return _document("trainings", nodes, [])


def laid_out(document: Document) -> Document:
    """The document with its nodes in rows, about as many as there are columns."""
    columns = math.ceil(math.sqrt(len(document["nodes"])) * 0.8)
    for place, node in enumerate(document["nodes"]):
        row, column = divmod(place, columns)
        node["position"] = {"x": 280 * column, "y": 184 * row}
    return document


def _applied(apply: str, init: str, images: str) -> list[Link]:
    return [
        _link(f"{init}.output_image_transformation", f"{apply}.input_image_transformation"),
        _link(images, f"{apply}.input_image_directory"),
    ]


def _fraction(value: float) -> Values:
    return {"fraction_of_images_in_the_first_output": value}


def _node(name: str, module: str, parameters: Values | None = None) -> Node:
    return {"id": name, "module": module, "version": 1, "parameters": parameters or {}}


def _link(source: str, destination: str) -> Link:
    ends = [end.split(".") for end in (source, destination)]
    return {
        side: {"node": node, "port": port}
        for side, (node, port) in zip(("from", "to"), ends, strict=True)
    }


def _document(name: str, nodes: list[Node], links: list[Link]) -> Document:
    return {
        "format": "pipeline-designer/1",
        "id": name,
        "name": name.replace("_", " "),
        "nodes": nodes,
        "links": links,
    }
