"""Messages about the nodes, wires, groups and compute targets of a document."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

DID_YOU_MEAN = Sentence("Did you mean {near!r}?", key="name_meant")
CHOOSE_ONE = Sentence("Choose one of {names}.")
THERE_IS_NONE = Sentence("None are available: remove it.")
"""Suggestions for an unknown name: the ``help`` of other sentences."""

NO_NODE = Sentence("Node {name!r} not found.", "{help}")
NO_NODE_DRAWN = Sentence("Node {name!r} not found.", "Choose a node on the canvas.")
NO_PART_DRAWN = Sentence("The {what} {name!r} was not found.", "Choose an item on the canvas.")
NO_NODE_TO_RUN_TO = Sentence(
    "Node {name!r}, chosen as the start or end of the run, was not found.",
    "Choose one of the pipeline's nodes.",
)
NO_MODULE = Sentence("Module {module!r} not found.", "{help}")
NO_MODULE_OF_NODE = Sentence(
    "Module {module!r} not found.", "Install it or replace the node. {help}"
)
MODULE_NOT_INSTALLED = Sentence(
    "Module {module!r} is not installed.", "Install it or replace the node."
)
OLDER_VERSION = Sentence(
    "This node uses version {version} of {module}, but version {installed} is installed.",
    "Upgrade the node, then review its parameters.",
)
NEWER_VERSION = Sentence(
    "This node needs version {version} of {module}, but only version {installed} is installed.",
    "Update the package that contains the module.",
)
NOTHING_TO_RUN = Sentence(
    "The pipeline has no enabled nodes.", "Add a module from the palette or enable a node."
)
ALL_DISABLED = Sentence("The pipeline has no enabled nodes.", "Add a module first.")

# wires

NOT_CONNECTED = Sentence(
    'Input "{input}" is not connected.', "Connect an output that produces {type}."
)
GETS_NOTHING = Sentence(
    'Input "{input}" receives no data: {source} is disabled and produces no output.',
    "Enable {source} or connect another output.",
)
TWO_LINKS = Sentence(
    'Input "{input}" has two wires.', "Remove one of them. This one starts at {source}."
)
LINK_FROM_NO_NODE = Sentence(
    "A wire to {to} starts at node {name!r}, which was not found.", "Remove the wire."
)
LINK_TO_NO_NODE = Sentence(
    "A wire from {source} ends at node {name!r}, which was not found.", "Remove the wire."
)
LINK_NO_OUTPUT = Sentence("{module} has no output {name!r}.", "{help} Or remove the wire.")
LINK_NO_INPUT = Sentence("{module} has no input {name!r}.", "{help} Or remove the wire.")
NO_OUTPUT_OF_MODULE = Sentence("{module} has no output {name!r}.", "Choose one of its outputs.")
NO_INPUT_OF_MODULE = Sentence("{module} has no input {name!r}.", "Choose one of its inputs.")
CIRCLE = Sentence("The wires form a cycle: {way}.", "Remove one of these wires.")
FEEDS_ITSELF = Sentence(
    "A node cannot be connected to itself.", "Connect the output of another node."
)
CONNECTED_ALREADY = Sentence("These ports are already connected.", "Choose another input.")
WOULD_CLOSE_CIRCLE = Sentence(
    "This connection would create a cycle: {source} depends on {target}.",
    "Connect an output that does not depend on it.",
)
BRIDGED_TYPES = Sentence(
    "{target} needs {needed}, but {source} produces {given}.", "Add {bridge} between them."
)
OTHER_OUTPUT_FITS = Sentence(
    "{target} needs {needed}, but {source} produces {given}.", "Connect an output of {makers}."
)
NOTHING_FITS = Sentence(
    "{target} needs {needed}, but {source} produces {given}.",
    "Install a module that produces {needed}.",
)
A_TYPE = Sentence("a {type}")
AN_TYPE = Sentence("an {type}")

# modules inserted between two nodes

PORT_OF = Sentence("{node}'s {port}")
NO_LINK_ENDS = Sentence("Input {to} has no wire.", "Choose an input that has one.")
NO_BRIDGE = Sentence("No single module can connect {source} to {to}.", "Connect another output.")
DOES_NOT_FIT_BETWEEN = Sentence(
    "{module} cannot be inserted between {source} and {to}.", "Choose another module."
)
NONE_FITS_ON_LINK = Sentence(
    "None of the modules can be inserted into the wire to {to}.", "Choose another module."
)

# run settings

NO_COMPUTE_TARGET = Sentence("Compute target {target!r} not found.", "{help}")
ONE_PROCESS = Sentence(
    "{module} supports only one process.", "Set node count and process count per node to 1."
)
ONE_PROCESS_LAUNCHED = Sentence(
    "The launcher 'none' supports only one process.",
    "Set node count and process count per node to 1, or choose another launcher.",
)
NOT_LAUNCHING = Sentence(
    "{module} does not start processes, so its {setting} has no effect.",
    "Clear it, or set it on a node that starts processes, such as Run Training Script.",
)
PARAMETER_SERVERS = Sentence(
    "Parameter servers require the launcher 'tensorflow'.",
    "Clear their count or choose that launcher.",
)
RESERVED_VARIABLES = Sentence(
    "The designer sets {names} for every process.",
    "Remove it from the environment variables or rename it.",
)
NO_ENVIRONMENT = Sentence(
    "Environment {environment!r} not found.", "{help}", key="no_environment_of_node"
)
NO_SECRET_SET = Sentence(
    "Secret {secret!r} is not set.",
    "Set it on the machine that runs the pipeline: `designer secrets set {secret}`.",
)
TOO_MANY_NODES = Sentence(
    "Node count is {count}, but compute target {target!r} has at most {most} "
    "{most:machine|machines}.",
    "Set node count to at most {most} or choose another compute target.",
)
TOO_MANY_PROCESSES = Sentence(
    "Process count per node is {count}, but machines of compute target {target!r} have "
    "{most} {most:processing unit|processing units}.",
    "Set process count per node to at most {most} or choose another compute target.",
)

REVIEW_CODE = "Review it, then approve it in the editor or pass `--allow-code` to `designer run`."
CODE_NOT_ALLOWED = Sentence(
    "{module} contains code that has not been approved on this machine.", REVIEW_CODE
)
CALL_NOT_ALLOWED = Sentence(
    "{module} starts a program that has not been approved on this machine.", REVIEW_CODE
)
VARIABLES_NOT_ALLOWED = Sentence(
    "{module} sets environment variables that have not been approved on this machine. Some "
    "variables decide which code runs.",
    REVIEW_CODE,
)

name_sentences(globals())
