"""Error messages of the API."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

# server

BODY_NOT_JSON = Sentence(
    "body_not_json", "The body cannot be read as JSON.", "Send one JSON object."
)
NO_CODE_HASH = Sentence(
    "no_code_hash",
    "Invalid code hash {text!r}.",
    "Use the hashes that POST /api/code/look returns: 64 hexadecimal digits each.",
)
SERVER_DISK_FULL = Sentence(
    "server_disk_full", "The disk is full.", "Free some space, then try again."
)
UPLOAD_NOT_WRITTEN = Sentence(
    "upload_not_written", "The upload could not be written.", "Try again."
)
SERVER_FAILED = Sentence(
    "server_failed",
    "Something went wrong on the server.",
    "Try again. The terminal of the server shows details.",
)

# addresses

NO_ROUTE = Sentence("no_route", "Unknown address {method} {path}.", "See /api/openapi.json.")
NO_VALID_PART = Sentence("no_valid_part", "{text!r} is not a valid {name}.", "Correct the address.")
NO_WHOLE_NUMBER = Sentence(
    "no_whole_number",
    "{name} is not a whole number up to {most:,}.",
    "Correct or leave it out.",
)
NO_TIME = Sentence(
    "no_time", "Invalid time {text!r}.", "Give seconds since the epoch, or leave it out."
)

# pipelines

OTHER_ID = Sentence(
    "other_id",
    "The document's id is {given!r}, not {wanted!r}.",
    "Send it to its own address, or create a new pipeline.",
)
REVISION_NEEDED = Sentence(
    "revision_needed",
    "The header If-Match is missing.",
    'Send the ETag of the opened document as If-Match, for example If-Match: "7".',
)
NO_REVISION_NAMED = Sentence(
    "no_revision_named", "If-Match is not a valid revision.", 'Send it as "7".'
)
HALF_AN_AUTHOR = Sentence(
    "half_an_author",
    "X-Designer-Client and X-Designer-Seq must be sent together.",
    "Send an id of up to 64 letters, digits, - and _, and a count of 0 or more; or neither.",
)
ENVIRONMENT_NEEDED = Sentence(
    "environment_needed",
    "Environment {environment} is used by {users}.",
    "Select another one there, or remove it with even_if_used=1.",
)
TARGET_NEEDED = Sentence(
    "target_needed",
    "Compute target {target!r} is used by {users}.",
    "Select another target there, or remove it with even_if_used=1.",
)

# runs and outputs

ALREADY_ENDED = Sentence(
    "already_ended", "The run has already ended.", "Open the run to see its results."
)
RUNS_TO_COMPARE = Sentence(
    "runs_to_compare",
    "{count} different runs were given.",
    "Name {fewest} to {most}: ?run=A&run=B.",
)
NO_PYTHON_SCRIPT = Sentence(
    "no_python_script",
    "The script cannot be read as Python: {fault} in line {line}.",
    "Correct that line, or select another script.",
)
NO_LOG = Sentence("no_log", "Log {log} does not exist yet.", "See the list of logs.")
LOG_ENDS = Sentence("log_ends", "The log has {num_bytes:,} bytes.", "Request a smaller range.")
SEARCHED_LENGTH = Sentence(
    "searched_length", "The text to search has {count:,} characters.", "Give 1 to {most}."
)
NO_FILE_WRITTEN = Sentence(
    "no_file_written", "The node has no file {file!r}.", "See the list of its files."
)
NO_MANIFEST = Sentence(
    "no_manifest",
    "The output has no manifest.",
    "Run `designer artifacts verify` and run it again.",
)
NO_FILE_OF_OUTPUT = Sentence(
    "no_file_of_output", "The output has no such file.", "See the list of its files."
)
OUTPUT_SWEPT = Sentence(
    "output_swept",
    "Output {output} not found.",
    "The output was removed by garbage collection. Run the node again.",
)
NO_INDICES = Sentence(
    "no_indices",
    "indices are not up to {most} numbers of rows below {count:,}.",
    "Correct them, or request a group.",
)
CELL_NEEDS_BOTH = Sentence("cell_needs_both", "Actual or predicted class is missing.", "Give both.")
NO_UNTRAINED_MODEL = Sentence(
    "no_untrained_model", "The node has no untrained model.", "Run the node, then try again."
)
NO_IMAGES_TO_VARY = Sentence(
    "no_images_to_vary",
    "This run has no images yet.",
    "Run the pipeline as far as Convert to Image Directory.",
)
NO_SUCH_VARIATION = Sentence(
    "no_such_variation",
    "A parameter of the transformation is out of range.",
    "Set it within the range shown at its field.",
)
NO_FORM = Sentence("no_form", "Unknown format.", "Use zip, safetensors or file.")
