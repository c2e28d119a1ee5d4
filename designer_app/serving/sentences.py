"""Error messages of endpoints."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

ENDPOINT_BUSY = Sentence(
    "The endpoint's queue is full.", "Send the request again after the time in Retry-After."
)
ENDPOINT_TIMED_OUT = Sentence(
    "The request was not scored within {seconds:.0f} seconds.",
    "Send it again, or send fewer requests at a time.",
)
ENDPOINT_LOADING = Sentence("The model is being loaded.", "Send the request again in a moment.")
ENDPOINT_BROKEN = Sentence(
    "The model cannot be served: {why}", "Register or choose another version of the model."
)
ENDPOINT_KEY = Sentence(
    "The key is missing or wrong.", "Send the header Authorization: Bearer KEY."
)
ENDPOINT_HOST = Sentence(
    "This endpoint is not available under that name.", "Use the address in its output."
)
ENDPOINT_ORIGIN = Sentence(
    "The request comes from a page of another site.", "Call the endpoint from a program."
)
ENDPOINT_ROUTE = Sentence("Unknown address {method} {path}.", "See /openapi.json.")
NO_PICTURE_SENT = Sentence(
    "The request contains no image.",
    "Send an image file, or JSON with the base64 text of one in image.",
)
TOO_MANY_IMAGES_SENT = Sentence(
    "The request contains {count} images, more than {most}.", "Split it into several requests."
)
BODY_TYPE = Sentence(
    "Unsupported content type {given}.",
    "Send image/jpeg or another image type, multipart/form-data or application/json.",
)
BODY_JSON = Sentence(
    "The body is not the JSON that this address expects: {why}.", "See /openapi.json."
)
BODY_MULTIPART = Sentence(
    "The multipart body cannot be read.", "Send it with a boundary, one file for each image."
)
NOT_BASE64 = Sentence("Image {number} is not base64 text.", "Encode the image file in base64.")
NO_TENSOR = Sentence(
    "The input tensor is not readable: {why}.",
    "Send BYTES (image files) or UINT8 of height x width x 3.",
)
OTHER_MODEL = Sentence(
    "This endpoint serves {served!r}, not {model!r}.", "Use the name of the served model."
)
ENDPOINT_FAILED = Sentence(
    "Scoring failed: {why}.", "Try again. The endpoint's output shows details."
)
NEEDS_TLS = Sentence(
    "Other machines may call {host} only with a key and TLS.",
    "Create a key with `designer endpoints rotate NAME 1` or add --key KEY. Add --certificate and "
    "--private-key.",
)
PORT_TAKEN = Sentence("Cannot listen on {host}:{port}: {why}.", "Choose another port with --port.")
NO_CERTIFICATE = Sentence(
    "The certificate or its private key cannot be read: {why}.", "Name both files in PEM form."
)
TWO_KEYS = Sentence("More than two keys were given.", "Give --key once or twice.")

name_sentences(globals())
