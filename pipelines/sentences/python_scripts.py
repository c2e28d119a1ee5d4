"""Messages of the Python package: pipelines that scripts and notebooks build and run."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

STILL_OPEN = Sentence("The pipeline is not complete.", "Use it after the block of its with.")
NO_OPEN_PIPELINE = Sentence(
    "A module was added outside a pipeline.", "Add it inside: with Pipeline('name') as p:"
)
NO_MODULE_NAMED = Sentence("Module {name!r} not found.", "{cure}", key="code_no_module")
NODE_WITHOUT_OUTPUT = Sentence("The node {node!r} has no output in this run.", "{cure}")
CHOOSE_OUTPUT = Sentence("The node {node!r} has other outputs.", "Choose one of {outputs}.")
NO_MODEL = Sentence(
    "Run {run} has no model here.", "Name a node that makes a model.", key="script_no_model"
)
SEVERAL_MODELS = Sentence("Run {run} has several models.", "Name one of the nodes {nodes}.")
NO_TABLE = Sentence("An output of type {type} has no default table.", "Name a table: {tables}.")
NO_MATRIX = Sentence(
    "An output of type {type} has no confusion matrix.", "Use an output of Evaluate Model."
)
RUN_FAILED = Sentence("Run {run} failed: {why}", "{fix}", key="script_run_failed")
RUN_ENDED = Sentence(
    "Run {run} ended as {status}.", "Run the pipeline again.", key="script_run_ended"
)
RUN_CONTINUES = Sentence(
    "Run {run} has not ended in time.", "It continues. Wait again, or cancel it."
)
NO_KEY = Sentence(
    "An app at an address needs its key.",
    "Pass key= or set {variable} to the content of the file token in its workspace.",
)
ONLY_FOLDERS = Sentence(
    "The session of an app at an address cannot be opened.", "Use the folder of the workspace."
)
REMOTE_AWAY = Sentence(
    "The app at {address} does not respond: {error}.", "Check the address, and start the app."
)
REMOTE_OTHER = Sentence(
    "The answer of {address} is not that of a designer.", "Check the address of the app."
)
REMOTE_STATUS = Sentence(
    "The app at {address} rejected the request with status {status}.", "Check address and key."
)

name_sentences(globals())
