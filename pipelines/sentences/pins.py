"""Messages about pinned results."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

_UNPIN = "Unpin the node, or pin another result."

PIN_GONE = Sentence(
    "The pinned result of run {run} is not in this workspace.", "Unpin the node to compute it."
)
PIN_DAMAGED = Sentence(
    "The pinned result of run {run} is damaged or incomplete.", "Unpin the node to compute it."
)
PIN_WITHOUT_OUTPUT = Sentence(
    'The pinned result of run {run} has no output "{output}", which a wire needs.', _UNPIN
)
PIN_OF_OTHER_TYPE = Sentence(
    'Output "{output}" of the pinned result of run {run} has another type: {found}.', _UNPIN
)
PIN_OF_OTHER_VERSION = Sentence(
    'Output "{output}" of the pinned result of run {run} was stored by another version.', _UNPIN
)
PIN_OF_SUB_PIPELINE = Sentence(
    "A sub-pipeline cannot be pinned as a whole.", "Unpin it, then pin the nodes inside."
)
PIN_SHARED = Sentence(
    "A pinned node is in a sub-pipeline that is used {count} times.",
    "Unpin it, or give each place its own sub-pipeline.",
)

# in a run

PIN_DIFFERS = Sentence(
    "Pinned to the result of run {run}, which had other settings: {changes}.",
    "Unpin the node to compute it with its present settings.",
)
PIN_NOT_COMPARED = Sentence(
    "Pinned to the result of run {run}, which is not in this workspace: its settings are unknown.",
    "Unpin the node to compute it with its present settings.",
)

# of the command line

PIN_OF_DISABLED_NODE = Sentence(
    "The node is disabled, so its pin has no effect.", "Enable the node, or remove the pin."
)

# refusals

PIN_NO_RESULT = Sentence(
    "Node {node!r} has no stored result in run {run}.", "Choose a run that completed the node."
)
PIN_AND_UNPIN = Sentence(
    "Node {node!r} cannot be pinned and unpinned at once.", "Remove one of both options."
)
NOT_A_PIN = Sentence("Invalid pin {text!r}.", "Write NODE=RUN, for example train=last.")

name_sentences(globals())
