"""What is wrong with sub-pipelines and parameters of pipelines, and settings kept for later."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

SETTING_UNAVAILABLE = Sentence(
    "setting_unavailable",
    "{setting} is set to {value}; this version has nothing yet that runs with it.",
    "Clear it, or run the pipeline with a version that has it.",
)
SETTING_OF_NODES_INSIDE = Sentence(
    "setting_of_nodes_inside",
    "The {setting} of a sub-pipeline is that of each node inside.",
    "Clear it here, open the sub-pipeline and set it there.",
)
NO_DEFINITION = Sentence(
    "no_definition", "There is no sub-pipeline {definition!r} in this document.", "{cure}"
)
DEFINITION_IN_CIRCLE = Sentence(
    "definition_in_circle",
    "The sub-pipeline {definition!r} holds itself, or is nested deeper than {levels} levels.",
    "Remove a node inside it that stands for one it lies in.",
)
TOO_MANY_NODES = Sentence(
    "too_many_nodes_inside",
    "With all that its sub-pipelines hold, the pipeline has more than {most:,} nodes.",
    "Split the pipeline into several.",
)
NO_SUCH_PARAMETER = Sentence(
    "no_parameter_of_definition", "{definition} has no parameter {named!r}.", "{cure}"
)
NO_SUCH_PORT = Sentence(
    "no_port_of_definition",
    "{definition} has no {side} {named!r}.",
    "{cure} Or remove the wire.",
)
PORT_STANDS_FOR_NOTHING = Sentence(
    "port_stands_for_nothing",
    "The port {named!r} of {definition} stands for {end}, which is not there.",
    "Remove the port, or name a port of a node inside.",
)
PARAMETER_UNBOUND = Sentence(
    "parameter_unbound",
    "The parameter {title} is bound to nothing, so its value does nothing.",
    "Bind it to a parameter of a node, or remove it.",
)
BOUND_TWICE = Sentence(
    "bound_twice",
    "{bind} is bound to the parameters {first!r} and {title!r}.",
    "Remove one of the two.",
)
BOUND_TO_NO_NODE = Sentence(
    "bound_to_no_node", "The parameter {title} is bound to {bind}; there is no such node.", "{cure}"
)
BOUND_TO_NO_PARAMETER = Sentence(
    "bound_to_no_parameter",
    "The parameter {title} is bound to {bind}; the node has no such parameter.",
    "{cure}",
)
BOUND_INSIDE_A_MODULE = Sentence(
    "bound_inside_a_module",
    "The parameter {title} is bound to {bind}; {node} is no sub-pipeline and has nothing inside.",
    "Bind it to a parameter of {node}, or of a node inside a sub-pipeline.",
)
GIVEN_INSIDE = Sentence(
    "given_inside",
    "The parameter {title} is bound to {bind}, to which {node} gives its own parameter {inner!r}.",
    "Bind it to {instead}.",
)
NO_PARAMETER_OF_PIPELINE = Sentence(
    "no_parameter_of_pipeline", "The pipeline has no parameter {named!r}.", "{cure}"
)
PARAMETER_ASSIGNMENT = Sentence(
    "parameter_assignment",
    "--param {text!r} cannot be read.",
    "Write ID=VALUE, for example epochs=3.",
)
NOTHING_CHOSEN = Sentence(
    "nothing_chosen", "No node is chosen.", "Choose the nodes that become one."
)
NO_SUB_PIPELINE = Sentence(
    "no_sub_pipeline", "{node} stands for no sub-pipeline.", "Choose one that does."
)
HOLDS_ITSELF = Sentence(
    "holds_itself",
    "A sub-pipeline cannot hold itself.",
    "Place it beside the nodes that stand for it.",
)
LIES_BETWEEN = Sentence(
    "lies_between", "{node} lies between the chosen nodes.", "Choose it, too, or fewer of them."
)
NAMED_INSIDE = Sentence(
    "named_inside",
    "A script inside {node} takes {name} by name, and would find it no more.",
    "Write the value in place of {place} in its arguments, then unpack.",
)
