"""Messages about the nodes, wires, groups and compute targets of a document."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

DID_YOU_MEAN = Sentence("name_meant", "Did you mean {near!r}?")
CHOOSE_ONE = Sentence("choose_one", "Choose one of {names}.")
THERE_IS_NONE = Sentence("there_is_none", "None are available: remove it.")
"""Suggestions for an unknown name: the ``help`` of other sentences."""

NO_NODE = Sentence("no_node", "Node {name!r} not found.", "{help}")
NO_NODE_DRAWN = Sentence(
    "no_node_drawn", "Node {name!r} not found.", "Choose a node on the canvas."
)
NO_PART_DRAWN = Sentence(
    "no_part_drawn", "The {what} {name!r} was not found.", "Choose an item on the canvas."
)
NO_NODE_TO_RUN_TO = Sentence(
    "no_node_to_run_to",
    "Node {name!r}, chosen as the start or end of the run, was not found.",
    "Choose one of the pipeline's nodes.",
)
NO_MODULE = Sentence("no_module", "Module {module!r} not found.", "{help}")
NO_MODULE_OF_NODE = Sentence(
    "no_module_of_node", "Module {module!r} not found.", "Install it or replace the node. {help}"
)
MODULE_NOT_INSTALLED = Sentence(
    "module_not_installed", "Module {module!r} is not installed.", "Install it or replace the node."
)
OLDER_VERSION = Sentence(
    "older_version",
    "This node uses version {version} of {module}, but version {installed} is installed.",
    "Upgrade the node, then review its parameters.",
)
NEWER_VERSION = Sentence(
    "newer_version",
    "This node needs version {version} of {module}, but only version {installed} is installed.",
    "Update the package that contains the module.",
)
NOTHING_TO_RUN = Sentence(
    "nothing_to_run",
    "The pipeline has no enabled nodes.",
    "Add a module from the palette or enable a node.",
)
ALL_DISABLED = Sentence("all_disabled", "The pipeline has no enabled nodes.", "Add a module first.")

# wires

NOT_CONNECTED = Sentence(
    "not_connected", 'Input "{input}" is not connected.', "Connect an output that produces {type}."
)
GETS_NOTHING = Sentence(
    "gets_nothing",
    'Input "{input}" receives no data: {source} is disabled and produces no output.',
    "Enable {source} or connect another output.",
)
TWO_LINKS = Sentence(
    "two_links",
    'Input "{input}" has two wires.',
    "Remove one of them. This one starts at {source}.",
)
LINK_FROM_NO_NODE = Sentence(
    "link_from_no_node",
    "A wire to {to} starts at node {name!r}, which was not found.",
    "Remove the wire.",
)
LINK_TO_NO_NODE = Sentence(
    "link_to_no_node",
    "A wire from {source} ends at node {name!r}, which was not found.",
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
CIRCLE = Sentence("circle", "The wires form a cycle: {way}.", "Remove one of these wires.")
FEEDS_ITSELF = Sentence(
    "feeds_itself", "A node cannot be connected to itself.", "Connect the output of another node."
)
CONNECTED_ALREADY = Sentence(
    "connected_already", "These ports are already connected.", "Choose another input."
)
WOULD_CLOSE_CIRCLE = Sentence(
    "would_close_circle",
    "This connection would create a cycle: {source} depends on {target}.",
    "Connect an output that does not depend on it.",
)
BRIDGED_TYPES = Sentence(
    "bridged_types",
    "{target} needs {needed}, but {source} produces {given}.",
    "Add {bridge} between them.",
)
OTHER_OUTPUT_FITS = Sentence(
    "other_output_fits",
    "{target} needs {needed}, but {source} produces {given}.",
    "Connect an output of {makers}.",
)
NOTHING_FITS = Sentence(
    "nothing_fits",
    "{target} needs {needed}, but {source} produces {given}.",
    "Install a module that produces {needed}.",
)
A_TYPE = Sentence("a_type", "a {type}")
AN_TYPE = Sentence("an_type", "an {type}")

# modules inserted between two nodes

PORT_OF = Sentence("port_of", "{node}'s {port}")
NO_LINK_ENDS = Sentence("no_link_ends", "Input {to} has no wire.", "Choose an input that has one.")
NO_BRIDGE = Sentence(
    "no_bridge", "No single module can connect {source} to {to}.", "Connect another output."
)
DOES_NOT_FIT_BETWEEN = Sentence(
    "does_not_fit_between",
    "{module} cannot be inserted between {source} and {to}.",
    "Choose another module.",
)
NONE_FITS_ON_LINK = Sentence(
    "none_fits_on_link",
    "None of the modules can be inserted into the wire to {to}.",
    "Choose another module.",
)

# run settings

NO_COMPUTE_TARGET = Sentence("no_compute_target", "Compute target {target!r} not found.", "{help}")
ONE_PROCESS = Sentence(
    "one_process",
    "{module} supports only one process.",
    "Set node count and process count per node to 1.",
)
ONE_PROCESS_LAUNCHED = Sentence(
    "one_process_launched",
    "The launcher 'none' supports only one process.",
    "Set node count and process count per node to 1, or choose another launcher.",
)
NOT_LAUNCHING = Sentence(
    "not_launching",
    "{module} does not start processes, so its {setting} has no effect.",
    "Clear it, or set it on a node that starts processes, such as Run Training Script.",
)
PARAMETER_SERVERS = Sentence(
    "parameter_servers",
    "Parameter servers require the launcher 'tensorflow'.",
    "Clear their count or choose that launcher.",
)
RESERVED_VARIABLES = Sentence(
    "reserved_variables",
    "The designer sets {names} for every process.",
    "Remove it from the environment variables or rename it.",
)
NO_ENVIRONMENT = Sentence(
    "no_environment_of_node", "Environment {environment!r} not found.", "{help}"
)
NO_SECRET_SET = Sentence(
    "no_secret_set",
    "Secret {secret!r} is not set.",
    "Set it on the machine that runs the pipeline: `designer secrets set {secret}`.",
)
TOO_MANY_NODES = Sentence(
    "too_many_nodes",
    "Node count is {count}, but compute target {target!r} has at most {most} "
    "{most:machine|machines}.",
    "Set node count to at most {most} or choose another compute target.",
)
TOO_MANY_PROCESSES = Sentence(
    "too_many_processes",
    "Process count per node is {count}, but machines of compute target {target!r} have "
    "{most} {most:processing unit|processing units}.",
    "Set process count per node to at most {most} or choose another compute target.",
)

REVIEW_CODE = "Review it, then approve it in the editor or pass `--allow-code` to `designer run`."
CODE_NOT_ALLOWED = Sentence(
    "code_not_allowed",
    "{module} contains code that has not been approved on this machine.",
    REVIEW_CODE,
)
CALL_NOT_ALLOWED = Sentence(
    "call_not_allowed",
    "{module} starts a program that has not been approved on this machine.",
    REVIEW_CODE,
)
VARIABLES_NOT_ALLOWED = Sentence(
    "variables_not_allowed",
    "{module} sets environment variables that have not been approved on this machine. Some "
    "variables decide which code runs.",
    REVIEW_CODE,
)
