"""Messages to authors about modules that cannot be loaded or have an invalid declaration."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_ANNOTATION = Sentence(
    "argument {argument!r} has no annotation.",
    "Annotate it with a port type, a Parameters class or Context.",
)
STARS = Sentence(
    "argument {argument!r} is variadic (* or **).", "Declare a separate argument for each port."
)
UNRESOLVED = Sentence(
    "an annotation cannot be resolved ({error}).",
    "Import the name at the top of the file, outside `if TYPE_CHECKING`.",
)
NO_PORT_TYPE = Sentence(
    "argument {argument!r} is annotated with {hint}, which is not a port type.",
    "Use a port type such as ImageDirectory, a subclass of Parameters, or Context.",
)
NO_RETURN = Sentence(
    "the function has no return annotation.",
    "Annotate it: `-> None`, a port type, or a NamedTuple of them.",
)
BARE_TUPLE = Sentence(
    "the outputs are a bare tuple.", "Return a NamedTuple: its fields name the ports."
)
NOT_SNAKE_CASE = Sentence("the name is not snake_case.", "Rename the function.")
NOT_PRESENTED = Sentence(
    "title, category or summary is empty.", "Set the text that the palette shows."
)
VERSION_BELOW_1 = Sentence("version is below 1.", "Start versions at 1.")
RESULTS_VERSION_BELOW_1 = Sentence("results_version is below 1.", "Start versions at 1.")
NO_PARAMETERS_CLASS = Sentence(
    "{name} is not a Parameters class.", "Derive it from modules.Parameters."
)
NOT_DESCRIBED = Sentence(
    "parameter {name!r} has no description.", "Pass it to Field(..., description=)."
)
SHOWN_WHEN_NOTHING = Sentence(
    "parameter {name!r} depends on {other!r}, which does not exist.",
    "Use the name of a parameter of the same class.",
)

NO_MODULE = Sentence(
    "The file declares no module.",
    "Decorate a function with @module, or start the file name with an underscore.",
    key="declares_no_module",
)
ID_TAKEN = Sentence(
    "The module ID {module!r} is already used by {other}.",
    "Rename the function. Its name is the module ID.",
)
PORT_TYPE_TAKEN = Sentence(
    "Module {module!r} uses a port type {port_type!r}, but another port type has the same name.",
    "Rename the class, or import the existing one.",
)
MISDECLARED = Sentence("{error}: {module}: {why.message}", "{why.cure}")
SYNTAX = Sentence("SyntaxError: {text}", "Correct the syntax error.")
IMPORT_FAILED = Sentence("{error}: {text}", "Install the missing package, or remove the import.")
ENDS_PROCESS = Sentence("{error}: {text}", "Remove the call that exits the process.")
UNREADABLE_CODE = Sentence("{error}: {text}", "Make the file readable, or remove it.")
RAISES = Sentence("{error}: {text}", "Correct the file. It runs whenever the modules are listed.")
NO_LONGER_DECLARED = Sentence(
    "{location} no longer declares {module!r}.", "Restore the module, then run again."
)
CODE_CHANGED = Sentence("{location} changed after the run started.", "Run again.")

name_sentences(globals())
