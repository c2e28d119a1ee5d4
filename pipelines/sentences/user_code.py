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
STARTS_A_THREAD = Sentence(
    "code_starts_a_thread",
    "It starts a thread when it is read.",
    "Start it in the module's function.",
)
REPLACES_STANDARD = Sentence(
    "code_replaces_standard",
    "It replaces {name} of the standard library for everybody.",
    "Call a function of your own instead.",
)
NOT_NOW = Sentence("code_not_now", "It cannot be read now.", "Look again.")

# the files that hold it, when they are listed

NOT_READABLE = Sentence("code_not_readable", "{error}", "Make the file readable, or remove it.")
TOO_LARGE = Sentence(
    "code_too_large", "It has more than {mebibytes} MiB.", "Keep data in files of their own."
)
NO_REGULAR_FILE = Sentence(
    "code_no_regular_file", "It is no regular file.", "Remove it, or put a Python file there."
)
GARBLED_BY = Sentence(
    "code_garbled_by",
    "What it answers cannot be read. ({error})",
    "Leave the process's descriptors and the standard library alone.",
)
RAISES_WHEN_LISTED = Sentence(
    "code_raises_when_listed",
    "{error}",
    "Correct the file; it runs when the modules are listed.",
)
CHANGED_WHILE_READ = Sentence(
    "code_changed_while_read", "It changed while it was read.", "List the modules again."
)
NOT_ANSWERED = Sentence(
    "code_not_answered", "The {what} of {module!r} in {file}: {why.message}", "{why.cure}"
)
RAISES_WHEN_ASKED = Sentence(
    "code_raises_when_asked",
    "The {what} of {module!r} in {file}: it raises {error}.",
    "Correct the module's code.",
)
NOT_LISTED_SO = Sentence("code_not_listed_so", "{location}: {why}", "List the modules again.")
NOT_WHAT_IT_WAS = Sentence("code_not_what_it_was", "It is not what it was.")
