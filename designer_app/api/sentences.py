"""What the API answers to requests that it does not take."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

# the server and its door

NOT_LET_IN = Sentence(
    "not_let_in",
    "The server does not know this browser.",
    "Open the start page in another tab and type the code from the terminal: what is open "
    "here then goes on. Scripts send the workspace's token.",
)
WRONG_HOST = Sentence(
    "wrong_host",
    "This server does not answer under that name.",
    "Open it at the address it printed, or set DESIGNER_ALLOWED_HOSTS.",
)
WRONG_ORIGIN = Sentence(
    "wrong_origin", "The request comes from another site.", "Use the page that this server opened."
)
WRONG_TOKEN = Sentence(
    "wrong_token",
    "The request carries no token of this workspace.",
    "Reload the page: another workspace is served here now.",
)
WRONG_CONTENT_TYPE = Sentence(
    "wrong_content_type", "The body is {given}.", "Send JSON with Content-Type: {wanted}."
)
NO_CONTENT_TYPE = Sentence("no_content_type", "of no content type")
REQUEST_TOO_LARGE = Sentence(
    "request_too_large",
    "The request is larger than {most:,} bytes.",
    "Send less, or split it into several.",
)
BODY_NOT_JSON = Sentence(
    "body_not_json", "The body cannot be read as JSON.", "Send one JSON object."
)
NO_CODE_HASH = Sentence(
    "no_code_hash",
    "{text!r} is no hash of code.",
    "Take the hashes that POST /api/code/look gives: 64 digits and letters a-f each.",
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
    "Try again; the server's terminal says what it was.",
)

# addresses

NOTHING_HERE = Sentence("nothing_here", "There is nothing here.", "Open the start page.")
NO_ROUTE = Sentence("no_route", "There is no {method} {path}.", "See /api/openapi.json.")
NO_VALID_PART = Sentence("no_valid_part", "{text!r} is not a valid {name}.", "Correct the address.")
NO_WHOLE_NUMBER = Sentence(
    "no_whole_number",
    "{name} is not a whole number up to {most:,}.",
    "Correct or leave it out.",
)
NO_TIME = Sentence(
    "no_time", "{text!r} is no time.", "Give seconds since the epoch, or leave it out."
)

# pipelines

OTHER_ID = Sentence(
    "other_id",
    "The document's id is {given!r}, not {wanted!r}.",
    "Send it to its own address, or create a new pipeline.",
)
REVISION_NEEDED = Sentence(
    "revision_needed",
    "A commit must say which revision it was made from.",
    'Send the ETag of the document you opened as If-Match, say If-Match: "7".',
)
NO_REVISION_NAMED = Sentence("no_revision_named", "If-Match is no revision.", 'Send it as "7".')
HALF_AN_AUTHOR = Sentence(
    "half_an_author",
    "X-Designer-Client and X-Designer-Seq name a commit only together.",
    "Send an id of up to 64 letters, digits, - and _, and a count from 0 on; or neither.",
)
ENVIRONMENT_NEEDED = Sentence(
    "environment_needed",
    "{environment} is the environment of {users}.",
    "Choose another one there, or remove it with even_if_used=1.",
)
TARGET_NEEDED = Sentence(
    "target_needed",
    "{target!r} is the target of {users}.",
    "Choose another target there, or remove it with even_if_used=1.",
)

# runs and outputs

ALREADY_ENDED = Sentence("already_ended", "The run has already ended.", "See what came of it.")
RUNS_TO_COMPARE = Sentence(
    "runs_to_compare",
    "{count} different runs were named.",
    "Name {fewest} to {most}: ?run=A&run=B.",
)
NO_PYTHON_SCRIPT = Sentence(
    "no_python_script",
    "The script cannot be read as Python: {fault} in line {line}.",
    "Correct that line, or choose the script that is meant.",
)
NO_LOG = Sentence("no_log", "There is no log {log} yet.", "See the list of logs.")
LOG_ENDS = Sentence("log_ends", "The log has {num_bytes:,} bytes.", "Ask for less.")
SEARCHED_LENGTH = Sentence(
    "searched_length", "The text to search has {count:,} characters.", "Give 1 to {most}."
)
NO_FILE_WRITTEN = Sentence(
    "no_file_written", "The node has written no file {file!r}.", "See the list of its files."
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
    "output_swept", "There is no output {output}.", "It was swept away: run the node again."
)
NO_INDICES = Sentence(
    "no_indices",
    "indices are not up to {most} numbers of rows below {count:,}.",
    "Correct them, or ask for a group.",
)
CELL_NEEDS_BOTH = Sentence(
    "cell_needs_both", "A cell has an actual and a predicted class.", "Name both."
)
NO_UNTRAINED_MODEL = Sentence(
    "no_untrained_model", "The node gave no untrained model.", "Run it, then look again."
)
NO_IMAGES_TO_VARY = Sentence(
    "no_images_to_vary",
    "This run has no images yet.",
    "Run the pipeline as far as Convert to Image Directory.",
)
NO_SUCH_VARIATION = Sentence(
    "no_such_variation",
    "A parameter of the transformation is out of its range.",
    "Set it as its field says.",
)
NO_FORM = Sentence("no_form", "There is no such form.", "Choose zip, safetensors, file.")
