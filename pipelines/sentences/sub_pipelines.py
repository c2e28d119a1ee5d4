"""Messages about sub-pipelines, parameters of pipelines, and settings without support yet."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

SETTING_OF_NODES_INSIDE = Sentence(
    "The {setting} of a sub-pipeline must be set on its inner nodes.",
    "Clear it here, open the sub-pipeline and set it on the nodes.",
)
NO_DEFINITION = Sentence("Sub-pipeline {definition!r} not found in this document.", "{cure}")
DEFINITION_IN_CIRCLE = Sentence(
    "The sub-pipeline {definition!r} contains itself or is nested deeper than {levels} levels.",
    "Remove the inner node that refers to the sub-pipeline or to one that contains it.",
)
TOO_MANY_NODES = Sentence(
    "The pipeline has more than {most:,} nodes, including those in sub-pipelines.",
    "Split the pipeline into several pipelines.",
    key="too_many_nodes_inside",
)
NO_SUCH_PARAMETER = Sentence(
    "{definition} has no parameter {named!r}.", "{cure}", key="no_parameter_of_definition"
)
NO_SUCH_PORT = Sentence(
    "{definition} has no {side} {named!r}.",
    "{cure} Or remove the wire.",
    key="no_port_of_definition",
)
PORT_STANDS_FOR_NOTHING = Sentence(
    "The port {named!r} of {definition} refers to {end}, which was not found.",
    "Remove the port or connect it to a port of an inner node.",
)
PARAMETER_UNBOUND = Sentence(
    "The parameter {title} is not bound to a node, so its value has no effect.",
    "Bind it to a parameter of a node or remove it.",
)
BOUND_TWICE = Sentence(
    "{bind} is bound to both parameters {first!r} and {title!r}.", "Remove one of the two bindings."
)
BOUND_TO_NO_NODE = Sentence(
    "The parameter {title} is bound to {bind}, but the node was not found.", "{cure}"
)
BOUND_TO_NO_PARAMETER = Sentence(
    "The parameter {title} is bound to {bind}, but the node has no such parameter.", "{cure}"
)
BOUND_INSIDE_A_MODULE = Sentence(
    "The parameter {title} is bound to {bind}, but {node} is not a sub-pipeline.",
    "Bind it to a parameter of {node} or of a node in a sub-pipeline.",
)
GIVEN_INSIDE = Sentence(
    "The parameter {title} is bound to {bind}, but {node} already sets this value through "
    "its parameter {inner!r}.",
    "Bind it to {instead}.",
)
NO_PARAMETER_OF_PIPELINE = Sentence("The pipeline has no parameter {named!r}.", "{cure}")
PARAMETER_ASSIGNMENT = Sentence(
    "Invalid option --param {text!r}.", "Use the form ID=VALUE, for example epochs=3."
)
NOTHING_CHOSEN = Sentence("No nodes are selected.", "Select the nodes of the new sub-pipeline.")
NO_SUB_PIPELINE = Sentence("{node} is not a sub-pipeline.", "Select a sub-pipeline.")
HOLDS_ITSELF = Sentence(
    "A sub-pipeline cannot contain itself.", "Place it outside the sub-pipeline."
)
LIES_BETWEEN = Sentence(
    "{node} is between the selected nodes.", "Select it too, or select fewer nodes."
)
NAMED_INSIDE = Sentence(
    "A script in {node} uses the parameter {name}, which would not exist after unpacking.",
    "Replace {place} in the script's arguments with its value, then unpack.",
)

name_sentences(globals())
