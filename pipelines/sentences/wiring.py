"""What is said of nodes, wires, groups and compute targets of a document."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

DID_YOU_MEAN = Sentence("name_meant", "Did you mean {near!r}?")
CHOOSE_ONE = Sentence("choose_one", "Choose one of {names}.")
THERE_IS_NONE = Sentence("there_is_none", "There is none: remove it.")
"""The three that say what may be meant: ``help`` of sentences about names."""

NO_NODE = Sentence("no_node", "There is no node {name!r}.", "{help}")
NO_NODE_DRAWN = Sentence(
    "no_node_drawn", "There is no node {name!r}.", "Choose one that is on the canvas."
)
NO_PART_DRAWN = Sentence(
    "no_part_drawn", "There is no {what} {name!r}.", "Choose one that is on the canvas."
)
NO_NODE_TO_RUN_TO = Sentence(
    "no_node_to_run_to",
    "There is no node {name!r} to run to or from.",
    "Name one of the pipeline's nodes.",
)
NO_MODULE = Sentence("no_module", "There is no module {module!r}.", "{help}")
NO_MODULE_OF_NODE = Sentence(
    "no_module_of_node",
    "There is no module {module!r}.",
    "Install it, or replace the node. {help}",
)
MODULE_NOT_INSTALLED = Sentence(
    "module_not_installed",
    "The module {module!r} is not installed.",
    "Install it, or replace the node.",
)
OLDER_VERSION = Sentence(
    "older_version",
    "The node was made with version {version} of {module}; version {installed} is installed.",
    "Upgrade the node, then look over its parameters.",
)
NEWER_VERSION = Sentence(
    "newer_version",
    "The node was made with version {version} of {module}; version {installed} is installed.",
    "Update the package the module comes from.",
)
NOTHING_TO_RUN = Sentence(
    "nothing_to_run", "There is no node to run.", "Add a module from the palette, or enable one."
)
ALL_DISABLED = Sentence("all_disabled", "There is no node to run.", "Add a module first.")

# wires

NOT_CONNECTED = Sentence(
    "not_connected", "The input {input} is not connected.", "Connect an output that gives {type}."
)
GETS_NOTHING = Sentence(
    "gets_nothing",
    "The input {input} gets nothing: {source} is disabled and hands nothing on.",
    "Enable {source}, or connect another output.",
)
TWO_LINKS = Sentence(
    "two_links",
    "Two wires end at the input {input}.",
    "Remove one of them; this one comes from {source}.",
)
LINK_FROM_NO_NODE = Sentence(
    "link_from_no_node",
    "A wire to {to} comes from a node {name!r} that is not there.",
    "Remove the wire.",
)
LINK_TO_NO_NODE = Sentence(
    "link_to_no_node",
    "A wire from {source} leads to a node {name!r} that is not there.",
    "Remove the wire.",
)
LINK_NO_OUTPUT = Sentence(
    "link_no_output", "{module} has no output {name!r}.", "{help} Or remove the wire."
)
LINK_NO_INPUT = Sentence(
    "link_no_input", "{module} has no input {name!r}.", "{help} Or remove the wire."
)
NO_OUTPUT_OF_MODULE = Sentence(
    "no_output_of_module", "{module} has no output {name!r}.", "Choose one of its outputs."
)
NO_INPUT_OF_MODULE = Sentence(
    "no_input_of_module", "{module} has no input {name!r}.", "Choose one of its inputs."
)
CIRCLE = Sentence("circle", "The wires run in a circle: {way}.", "Remove one of these wires.")
FEEDS_ITSELF = Sentence(
    "feeds_itself", "A node cannot feed itself.", "Connect another node's output."
)
CONNECTED_ALREADY = Sentence(
    "connected_already", "These ports are connected already.", "Choose another input."
)
WOULD_CLOSE_CIRCLE = Sentence(
    "would_close_circle",
    "The wire would close a circle, {source} needs what {target} gives.",
    "Connect an output that does not depend on it.",
)
BRIDGED_TYPES = Sentence(
    "bridged_types",
    "{target} needs {needed}, {source} gives {given}.",
    "Put {bridge} between them.",
)
OTHER_OUTPUT_FITS = Sentence(
    "other_output_fits",
    "{target} needs {needed}, {source} gives {given}.",
    "Connect an output of {makers}.",
)
NOTHING_FITS = Sentence(
    "nothing_fits",
    "{target} needs {needed}, {source} gives {given}.",
    "Install a module that gives {needed}.",
)
A_TYPE = Sentence("a_type", "a {type}")
AN_TYPE = Sentence("an_type", "an {type}")

# what is put between

PORT_OF = Sentence("port_of", "{node}'s {port}")
NO_LINK_ENDS = Sentence("no_link_ends", "No wire ends at {to}.", "Choose an input that has one.")
NO_BRIDGE = Sentence(
    "no_bridge", "No one module joins {source} and {to}.", "Connect another output."
)
DOES_NOT_FIT_BETWEEN = Sentence(
    "does_not_fit_between",
    "{module} does not fit between {source} and {to}.",
    "Choose another module.",
)
NONE_FITS_ON_LINK = Sentence(
    "none_fits_on_link", "None of the modules fits on the wire to {to}.", "Choose another."
)

# where it is to run

NO_COMPUTE_TARGET = Sentence(
    "no_compute_target", "There is no compute target {target!r}.", "{help}"
)
ONE_PROCESS = Sentence(
    "one_process",
    "{module} runs in one process.",
    "Set node count and process count per node to 1.",
)
ONE_PROCESS_LAUNCHED = Sentence(
    "one_process_launched",
    "The launcher 'none' starts one process.",
    "Set node count and process count per node to 1, or choose another launcher.",
)
NOT_LAUNCHING = Sentence(
    "not_launching",
    "{module} starts no processes of its own: its {setting} does nothing.",
    "Clear it, or set it at a node that does, such as Run Training Script.",
)
PARAMETER_SERVERS = Sentence(
    "parameter_servers",
    "Parameter servers belong to the launcher 'tensorflow'.",
    "Clear their count, or choose that launcher.",
)
RESERVED_VARIABLES = Sentence(
    "reserved_variables",
    "The designer itself sets {names} for every process.",
    "Remove it from the environment variables, or give it another name.",
)
NO_ENVIRONMENT = Sentence(
    "no_environment_of_node", "There is no environment {environment!r}.", "{help}"
)
NO_SECRET_SET = Sentence(
    "no_secret_set",
    "The secret {secret} is not set.",
    "Set it on the machine that runs the pipeline: designer secrets set {secret}",
)
TOO_MANY_NODES = Sentence(
    "too_many_nodes",
    "Node count is {count}; compute target {target!r} has at most {most} {most:machine|machines}.",
    "Set node count to at most {most}, or use another compute target.",
)
TOO_MANY_PROCESSES = Sentence(
    "too_many_processes",
    "Process count per node is {count}; a machine of compute target {target!r} has {most} "
    "{most:processing unit|processing units}.",
    "Set process count per node to at most {most}, or use another compute target.",
)

LOOK_AT_IT = (
    "Look at it. If it may run with your rights, allow it in the editor, or by "
    "`designer run --allow-code`."
)
CODE_NOT_ALLOWED = Sentence(
    "code_not_allowed",
    "{module} brings code of its own, which was not allowed to run here.",
    LOOK_AT_IT,
)
CALL_NOT_ALLOWED = Sentence(
    "call_not_allowed",
    "{module} came with what it runs, which was not allowed to run here.",
    LOOK_AT_IT,
)
VARIABLES_NOT_ALLOWED = Sentence(
    "variables_not_allowed",
    "{module} came with environment variables, which were not allowed here: some decide what is "
    "run.",
    LOOK_AT_IT,
)
