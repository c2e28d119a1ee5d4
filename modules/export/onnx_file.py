"""One ONNX file from raw pixels to named probabilities.

Input ``pixels``: bytes (H, W, 3) of one RGB image of any size, or a batch (N, H, W, 3) in the size
of the network's input. Outputs: ``probabilities`` (K,) or (N, K), and ``label``, the index of the
most probable class. Metadata: ``labels`` (JSON list), ``card`` (JSON object), and the document of
the pipeline under the same name as in safetensors files.

Shape letters: N images, K classes, H height, W width.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from modules.export.network import IMAGES, LOGITS
from modules.export.onnx_operators import Operators, prepare_any_size, prepare_batch
from modules.export.preparation import Preparation

if TYPE_CHECKING:
    import onnx

PIXELS, PROBABILITIES, LABEL = "pixels", "probabilities", "label"
ACCEPTED = "accepted"
"""Output of models that can abstain: True if the probability reaches their threshold."""
LABELS_KEY, CARD_KEY = "labels", "card"
PRODUCER = "Pipeline Designer"


def assembled(
    network: onnx.ModelProto,
    preparation: Preparation,
    num_classes: int,
    *,
    batch: bool,
    threshold: float | None = None,
) -> onnx.ModelProto:
    """Return a model with preparation, network and softmax in one graph.

    Args:
        network: The graph ``images`` to ``logits``.
        preparation: Steps before the network.
        num_classes: Number of probabilities.
        batch: True for the batch form, False for one image of any size.
        threshold: Probability from which an answer is accepted; None for models that never
            abstain.
    """
    from onnx import checker, compose, helper

    prepare = prepare_batch if batch else prepare_any_size
    before = prepare(preparation, PIXELS, IMAGES)
    after = _answers(batch=batch, threshold=threshold)
    named = compose.add_prefix(network, "network/", rename_inputs=False, rename_outputs=False)
    graph = helper.make_graph(
        [*before.nodes, *named.graph.node, *after.nodes],
        "image_classifier",
        [_input(preparation, batch=batch)],
        _outputs(num_classes, batch=batch, abstains=threshold is not None),
        [*before.constants, *named.graph.initializer, *after.constants],
    )
    model = helper.make_model(
        graph,
        producer_name=PRODUCER,
        opset_imports=_distinct_opsets(named),
        functions=list(named.functions),
        ir_version=min(named.ir_version, 10),
    )
    checker.check_model(model)
    return model


def _answers(*, batch: bool, threshold: float | None) -> Operators:
    """Return operators from logits (N, K) to the outputs."""
    graph = Operators("answer")
    if batch:
        graph.add("Softmax", [LOGITS], PROBABILITIES, axis=1)
    else:
        value = graph.add("Softmax", [LOGITS], axis=1)
        graph.add("Squeeze", [value, graph.constant([0])], PROBABILITIES)
    graph.add("ArgMax", [PROBABILITIES], LABEL, axis=-1, keepdims=0)
    if threshold is not None:
        axes = graph.constant([-1])
        highest = graph.add("ReduceMax", [PROBABILITIES, axes], keepdims=0)
        limit = graph.constant(threshold, "float32")
        graph.add("GreaterOrEqual", [highest, limit], ACCEPTED)
    return graph


def _input(preparation: Preparation, *, batch: bool) -> onnx.ValueInfoProto:
    from onnx import TensorProto, helper

    shape: list[str | int] = ["height", "width", 3]
    if batch:
        shape = ["images", *preparation.size, 3]
    return helper.make_tensor_value_info(PIXELS, TensorProto.UINT8, shape)


def _outputs(num_classes: int, *, batch: bool, abstains: bool) -> list[onnx.ValueInfoProto]:
    from onnx import TensorProto, helper

    leading: list[str | int] = ["images"] if batch else []
    outputs = [
        helper.make_tensor_value_info(PROBABILITIES, TensorProto.FLOAT, [*leading, num_classes]),
        helper.make_tensor_value_info(LABEL, TensorProto.INT64, leading),
    ]
    if abstains:
        outputs.append(helper.make_tensor_value_info(ACCEPTED, TensorProto.BOOL, leading))
    return outputs


def _distinct_opsets(model: onnx.ModelProto) -> list[onnx.OperatorSetIdProto]:
    """Return each operator set once: quantisation rejects models that import one repeatedly."""
    from onnx import helper

    newest: dict[str, int] = {}
    for opset in model.opset_import:
        newest[opset.domain] = max(opset.version, newest.get(opset.domain, 0))
    return [helper.make_opsetid(domain, version) for domain, version in newest.items()]


def set_metadata(
    model: onnx.ModelProto,
    labels: Sequence[str],
    card: Mapping[str, Any],
    document: Mapping[str, Any] | None,
) -> None:
    """Replace the metadata of a model by labels, card and the pipeline's document."""
    from onnx import helper

    from modules.models.origin import PIPELINE_KEY

    texts = {LABELS_KEY: _json(list(labels)), CARD_KEY: _json(card)}
    if document is not None:
        texts[PIPELINE_KEY] = _json(document)
    helper.set_model_props(model, texts)


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False)
