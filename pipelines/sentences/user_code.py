"""Messages about module files of users that hang, crash or end their process."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

HANGS = Sentence(
    "code_hangs",
    "It did not finish within {seconds:g} seconds.",
    "Move slow or blocking code into the module's function.",
)
CRASHES = Sentence(
    "code_crashes",
    "It crashed the process that imports it ({signal}).",
    "Fix the file or its imports.",
)
ENDS = Sentence(
    "code_ends",
    "It ended the process that imports it with exit code {exit_code}.",
    "Remove the call that ends the process.",
)
GARBLED = Sentence(
    "code_garbled",
    "Its response cannot be read.",
    "Do not change the process's file descriptors or the standard library.",
)
STARTS_A_THREAD = Sentence(
    "code_starts_a_thread",
    "It starts a thread during import.",
    "Start the thread in the module's function.",
)
REPLACES_STANDARD = Sentence(
    "code_replaces_standard",
    "It replaces {name} of the standard library for all code.",
    "Call a separate function instead.",
)
NOT_NOW = Sentence("code_not_now", "It cannot be read now.", "Try again.")

# listing of module files

NOT_READABLE = Sentence("code_not_readable", "{error}", "Make the file readable or remove it.")
TOO_LARGE = Sentence(
    "code_too_large", "It is larger than {mebibytes} MiB.", "Keep data in separate files."
)
NO_REGULAR_FILE = Sentence(
    "code_no_regular_file",
    "It is not a regular file.",
    "Replace it with a Python file or remove it.",
)
GARBLED_BY = Sentence(
    "code_garbled_by",
    "Its response cannot be read. ({error})",
    "Do not change the process's file descriptors or the standard library.",
)
RAISES_WHEN_LISTED = Sentence(
    "code_raises_when_listed", "{error}", "Fix the file. It runs when modules are listed."
)
CHANGED_WHILE_READ = Sentence(
    "code_changed_while_read", "It changed while it was being read.", "List the modules again."
)
NOT_ANSWERED = Sentence(
    "code_not_answered", "The {what} of {module!r} in {file}: {why.message}", "{why.cure}"
)
RAISES_WHEN_ASKED = Sentence(
    "code_raises_when_asked",
    "The {what} of {module!r} in {file} raised {error}.",
    "Fix the module's code.",
)
NOT_LISTED_SO = Sentence("code_not_listed_so", "{location}: {why}", "List the modules again.")
NOT_WHAT_IT_WAS = Sentence("code_not_what_it_was", "It has changed.")
