"""What is said of users' module files that hang, crash or end their process."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

HANGS = Sentence(
    "code_hangs",
    "It does not finish within {seconds:g} seconds.",
    "Move what takes long, or waits, into the module's function.",
)
CRASHES = Sentence(
    "code_crashes",
    "It crashes the process that reads it ({signal}).",
    "Correct the file, or what it imports.",
)
ENDS = Sentence(
    "code_ends",
    "It ends the process that reads it, with exit code {exit_code}.",
    "Remove the call that ends the process.",
)
GARBLED = Sentence(
    "code_garbled",
    "What it answers cannot be read.",
    "Leave the process's descriptors and the standard library alone.",
)
NOT_NOW = Sentence("code_not_now", "It cannot be read now.", "Look again.")
