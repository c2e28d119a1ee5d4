"""Error messages for requests that are rejected before routing."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NOT_LET_IN = Sentence(
    "This browser is not signed in.",
    "Open the start page in another tab and enter the code from the terminal. Scripts send the "
    "workspace's token.",
)
WRONG_HOST = Sentence(
    "This server is not available under that name.",
    "Use the address in the terminal, or set DESIGNER_ALLOWED_HOSTS.",
)
WRONG_ORIGIN = Sentence("The request comes from another site.", "Use the page of this server.")
WRONG_TOKEN = Sentence(
    "The request carries no token of this workspace.",
    "Reload the page. The server now serves another workspace.",
)
WRONG_CALLER_KEY = Sentence(
    "The key is not one of this published pipeline.", "Send the header Authorization: Bearer KEY."
)
WRONG_CONTENT_TYPE = Sentence(
    "Unsupported content type: {given}.", "Send JSON with Content-Type: {wanted}."
)
NO_CONTENT_TYPE = Sentence("none")
REQUEST_TOO_LARGE = Sentence(
    "The request is larger than {most:,} bytes.", "Send less, or split it into several."
)
NOTHING_HERE = Sentence("Page not found.", "Open the start page.")

name_sentences(globals())
