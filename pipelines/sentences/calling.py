"""Messages about endpoints, published pipelines and the keys of their callers."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

WEAK_CALLER_KEY = Sentence(
    "Invalid key.", "Use {fewest} to {most} letters, digits and signs, without spaces."
)
NO_SLOT = Sentence("There is no key {slot}.", "Choose key 1 or 2.")
NOT_SERVABLE = Sentence(
    "{model} contains files of a script or an export instead of a trained model.",
    "Register a model of Train PyTorch Model or Make Trained Model.",
)
NO_OUTPUT_FOLDER = Sentence(
    "Cannot create the folder {folder}: {why}.", "Choose a folder with write permission."
)
GOLDEN_FOLDER_EMPTY = Sentence(
    "{folder} contains no image in a folder of one of the model's classes.",
    "Put known images into folders with the names of the classes.",
)
GOLDEN_WRONG = Sentence(
    "{model} is right on {right} of {images} golden {images:image|images}, fewer than the current "
    "version ({before}).",
    "Compare both versions, or change the golden images.",
)
NOT_FINITE = Sentence(
    "{model} returns probabilities that are not numbers.",
    "Check its weights: `designer models check`.",
)
NOT_LOADED = Sentence("{model} could not be loaded: {why}.", "Choose another version.")
MODEL_FILES_CHANGED = Sentence("the files of {model} are gone or were changed.")
NO_EARLIER_VERSION = Sentence(
    "There is no earlier version to return to.", "Name the version to serve."
)

NO_PUBLISHED = Sentence(
    "Published pipeline {name!r} not found.", "List them: `designer published list`."
)
NO_PUBLISHED_VERSION = Sentence(
    "{name} has no version {version}.", "Show its versions: `designer published show {name}`."
)
NO_PUBLISHED_NAME = Sentence(
    "Invalid name {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
TOO_MANY_CALLS = Sentence(
    "{name} was called {count} times in a minute.", "Wait {seconds} seconds, then call it again."
)
TOO_MANY_WAITING = Sentence(
    "{count} runs of {name} have not ended.",
    "Call it again in {seconds} seconds, when one of them has ended.",
)
KEY_OF_OTHER_CALL = Sentence(
    "The idempotency key {key!r} was used with other parameters.", "Use a new key for a new run."
)
CALL_UNDER_WAY = Sentence(
    "Another process is starting the run of the key {key!r}.", "Send the request again."
)
NO_IDEMPOTENCY_KEY = Sentence(
    "Invalid idempotency key.", "Use 1 to 200 printable ASCII characters."
)
PUBLISHED_RUN_UNKNOWN = Sentence(
    "{name} did not start run {run}.", "Use the address in the answer to the call."
)

NO_ENDPOINT = Sentence(
    "Endpoint {name!r} not found.", "List the deployed ones: `designer endpoints list`."
)
NO_ENDPOINT_NAME = Sentence(
    "Invalid name {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
ENDPOINT_TAKEN = Sentence(
    "Endpoint {name!r} already exists.", "Choose another name, or remove it first."
)
ENDPOINT_PORT_USED = Sentence("Port {port} belongs to endpoint {name}.", "Choose another port.")
NO_FREE_PORT = Sentence("No port from {first} to {last} is free.", "Choose one with --port.")

ONLY_BATCH = Sentence(
    "The pipeline can only score batches: {why}.",
    "Run it as a published pipeline, or derive it again with Create inference pipeline.",
)
NO_SERVICE_NODES = Sentence(
    "it needs Web Service Input, Registered Model, Score Image Model and Web Service Output once"
)
OTHER_STEPS = Sentence("an endpoint cannot run {modules}")
OTHER_OPERATIONS = Sentence(
    "its Apply Image Transformation differs from the transformation stored in {model}"
)

NO_SHARE = Sentence("{percent:g} is not a share of the requests.", "Use a number from 0 to 100.")

name_sentences(globals())
