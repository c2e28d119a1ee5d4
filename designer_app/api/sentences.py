"""Error messages of the API."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# server

BODY_NOT_JSON = Sentence("The body cannot be read as JSON.", "Send one JSON object.")
NO_CODE_HASH = Sentence(
    "Invalid code hash {text!r}.",
    "Use the hashes that POST /api/code/look returns: 64 hexadecimal digits each.",
)
SERVER_DISK_FULL = Sentence("The disk is full.", "Free some space, then try again.")
UPLOAD_NOT_WRITTEN = Sentence("The upload could not be written.", "Try again.")
SERVER_FAILED = Sentence(
    "Something went wrong on the server.", "Try again. The terminal of the server shows details."
)

# addresses

NO_ROUTE = Sentence("Unknown address {method} {path}.", "See /api/openapi.json.")
NO_VALID_PART = Sentence("{text!r} is not a valid {name}.", "Correct the address.")
NO_WHOLE_NUMBER = Sentence(
    "{name} is not a whole number up to {most:,}.", "Correct or leave it out."
)
NO_TIME = Sentence("Invalid time {text!r}.", "Give seconds since the epoch, or leave it out.")

# pipelines

OTHER_ID = Sentence(
    "The document's id is {given!r}, not {wanted!r}.",
    "Send it to its own address, or create a new pipeline.",
)
REVISION_NEEDED = Sentence(
    "The header If-Match is missing.",
    'Send the ETag of the opened document as If-Match, for example If-Match: "7".',
)
NO_REVISION_NAMED = Sentence("If-Match is not a valid revision.", 'Send it as "7".')
HALF_AN_AUTHOR = Sentence(
    "X-Designer-Client and X-Designer-Seq must be sent together.",
    "Send an id of up to 64 letters, digits, - and _, and a count of 0 or more; or neither.",
)
ENVIRONMENT_NEEDED = Sentence(
    "Environment {environment} is used by {users}.",
    "Select another one there, or remove it with even_if_used=1.",
)
TARGET_NEEDED = Sentence(
    "Compute target {target!r} is used by {users}.",
    "Select another target there, or remove it with even_if_used=1.",
)

# runs and outputs

ALREADY_ENDED = Sentence("The run has already ended.", "Open the run to see its results.")
RUNS_TO_COMPARE = Sentence(
    "{count} different runs were given.", "Name {fewest} to {most}: ?run=A&run=B."
)
NO_PYTHON_SCRIPT = Sentence(
    "The script cannot be read as Python: {fault} in line {line}.",
    "Correct that line, or select another script.",
)
NO_LOG = Sentence("Log {log} does not exist yet.", "See the list of logs.")
LOG_ENDS = Sentence("The log has {num_bytes:,} bytes.", "Request a smaller range.")
SEARCHED_LENGTH = Sentence("The text to search has {count:,} characters.", "Give 1 to {most}.")
NO_FILE_WRITTEN = Sentence("The node has no file {file!r}.", "See the list of its files.")
NO_MANIFEST = Sentence(
    "The output has no manifest.", "Run `designer artifacts verify` and run it again."
)
NO_FILE_OF_OUTPUT = Sentence("The output has no such file.", "See the list of its files.")
OUTPUT_SWEPT = Sentence(
    "Output {output} not found.",
    "The output was removed by garbage collection. Run the node again.",
)
NO_INDICES = Sentence(
    "indices are not up to {most} numbers of rows below {count:,}.",
    "Correct them, or request a group.",
)
CELL_NEEDS_BOTH = Sentence("Actual or predicted class is missing.", "Give both.")
NO_MODEL_TO_TRY = Sentence(
    "This node has no model to try.", "Run the pipeline, or use a node that trains or evaluates."
)
NO_TRUE_CLASS = Sentence("The true class is missing.", "Give it as category.")
NO_UNTRAINED_MODEL = Sentence("The node has no untrained model.", "Run the node, then try again.")
NO_IMAGES_TO_VARY = Sentence(
    "This run has no images yet.", "Run the pipeline as far as Convert to Image Directory."
)
NO_IMAGES_TO_COMPARE = Sentence(
    "This run has no trained model, or the output has no images.", "Run the pipeline again."
)
NO_SUCH_VARIATION = Sentence(
    "A parameter of the transformation is out of range.",
    "Set it within the range shown at its field.",
)
NO_FORM = Sentence("Unknown format.", "Use zip, safetensors or file.")

name_sentences(globals())
