"""Messages to authors about modules that cannot be loaded or have an invalid declaration."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_ANNOTATION = Sentence(
    "no_annotation",
    "argument {argument!r} has no annotation.",
    "Annotate it with a port type, a Parameters class or Context.",
)
STARS = Sentence(
    "stars",
    "argument {argument!r} is variadic (* or **).",
    "Declare a separate argument for each port.",
)
UNRESOLVED = Sentence(
    "unresolved",
    "an annotation cannot be resolved ({error}).",
    "Import the name at the top of the file, outside `if TYPE_CHECKING`.",
)
NO_PORT_TYPE = Sentence(
    "no_port_type",
    "argument {argument!r} is annotated with {hint}, which is not a port type.",
    "Use a port type such as ImageDirectory, a subclass of Parameters, or Context.",
)
NO_RETURN = Sentence(
    "no_return",
    "the function has no return annotation.",
    "Annotate it: `-> None`, a port type, or a NamedTuple of them.",
)
BARE_TUPLE = Sentence(
    "bare_tuple",
    "the outputs are a bare tuple.",
    "Return a NamedTuple: its fields name the ports.",
)
NOT_SNAKE_CASE = Sentence("not_snake_case", "the name is not snake_case.", "Rename the function.")
NOT_PRESENTED = Sentence(
    "not_presented",
    "title, category or summary is empty.",
    "Set the text that the palette shows.",
)
VERSION_BELOW_1 = Sentence("version_below_1", "version is below 1.", "Start versions at 1.")
RESULTS_VERSION_BELOW_1 = Sentence(
    "results_version_below_1", "results_version is below 1.", "Start versions at 1."
)
NO_PARAMETERS_CLASS = Sentence(
    "no_parameters_class",
    "{name} is not a Parameters class.",
    "Derive it from modules.Parameters.",
)
NOT_DESCRIBED = Sentence(
    "not_described",
    "parameter {name!r} has no title or no description.",
    "Pass both to Field(..., title=, description=).",
)
SHOWN_WHEN_NOTHING = Sentence(
    "shown_when_nothing",
    "parameter {name!r} depends on {other!r}, which does not exist.",
    "Use the name of a parameter of the same class.",
)

NO_MODULE = Sentence(
    "declares_no_module",
    "The file declares no module.",
    "Decorate a function with @module, or start the file name with an underscore.",
)
ID_TAKEN = Sentence(
    "id_taken",
    "The module ID {module!r} is already used by {other}.",
    "Rename the function. Its name is the module ID.",
)
PORT_TYPE_TAKEN = Sentence(
    "port_type_taken",
    "Module {module!r} uses a port type {port_type!r}, but another port type has the same name.",
    "Rename the class, or import the existing one.",
)
MISDECLARED = Sentence("misdeclared", "{error}: {module}: {why.message}", "{why.cure}")
SYNTAX = Sentence("syntax", "SyntaxError: {text}", "Correct the syntax error.")
IMPORT_FAILED = Sentence(
    "import_failed", "{error}: {text}", "Install the missing package, or remove the import."
)
ENDS_PROCESS = Sentence(
    "ends_process", "{error}: {text}", "Remove the call that exits the process."
)
UNREADABLE_CODE = Sentence(
    "unreadable_code", "{error}: {text}", "Make the file readable, or remove it."
)
RAISES = Sentence(
    "raises", "{error}: {text}", "Correct the file. It runs whenever the modules are listed."
)
NO_LONGER_DECLARED = Sentence(
    "no_longer_declared",
    "{location} no longer declares {module!r}.",
    "Restore the module, then run again.",
)
CODE_CHANGED = Sentence(
    "code_changed",
    "{location} changed after the run started.",
    "Run again.",
)
