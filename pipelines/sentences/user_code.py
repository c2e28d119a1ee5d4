"""Messages about module files of users that hang, crash or end their process."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

HANGS = Sentence(
    "It did not finish within {seconds:g} seconds.",
    "Move slow or blocking code into the module's function.",
)
CRASHES = Sentence(
    "It crashed the process that imports it ({signal}).", "Fix the file or its imports."
)
ENDS = Sentence(
    "It ended the process that imports it with exit code {exit_code}.",
    "Remove the call that ends the process.",
)
GARBLED = Sentence(
    "Its response cannot be read.",
    "Do not change the process's file descriptors or the standard library.",
)
STARTS_A_THREAD = Sentence(
    "It starts a thread during import.", "Start the thread in the module's function."
)
REPLACES_STANDARD = Sentence(
    "It replaces {name} of the standard library for all code.", "Call a separate function instead."
)
NOT_NOW = Sentence("It cannot be read now.", "Try again.")

# listing of module files

NOT_READABLE = Sentence("{error}", "Make the file readable or remove it.")
TOO_LARGE = Sentence("It is larger than {mebibytes} MiB.", "Keep data in separate files.")
NO_REGULAR_FILE = Sentence(
    "It is not a regular file.", "Replace it with a Python file or remove it."
)
GARBLED_BY = Sentence(
    "Its response cannot be read. ({error})",
    "Do not change the process's file descriptors or the standard library.",
)
RAISES_WHEN_LISTED = Sentence("{error}", "Fix the file. It runs when modules are listed.")
CHANGED_WHILE_READ = Sentence("It changed while it was being read.", "List the modules again.")
NOT_ANSWERED = Sentence("The {what} of {module!r} in {file}: {why.message}", "{why.cure}")
RAISES_WHEN_ASKED = Sentence(
    "The {what} of {module!r} in {file} raised {error}.", "Fix the module's code."
)
NOT_LISTED_SO = Sentence("{location}: {why}", "List the modules again.")
NOT_WHAT_IT_WAS = Sentence("It has changed.")

name_sentences(globals(), prefix="code_")
