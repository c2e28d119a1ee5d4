"""What authors are told of a module that cannot be loaded, or is declared in a wrong way."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_ANNOTATION = Sentence(
    "no_annotation",
    "argument {argument!r} has no annotation.",
    "Annotate it with a port type, a Parameters class or Context.",
)
STARS = Sentence(
    "stars", "argument {argument!r} has stars.", "Give each port an argument of its own."
)
UNRESOLVED = Sentence(
    "unresolved",
    "an annotation cannot be resolved ({error}).",
    "Import the name at the top of the file, outside `if TYPE_CHECKING`.",
)
NO_PORT_TYPE = Sentence(
    "no_port_type",
    "{argument!r} is annotated with {hint}, which is no port type.",
    "Use a port type such as ImageDirectory, a subclass of Parameters, or Context.",
)
NO_RETURN = Sentence(
    "no_return",
    "the function does not say what it returns.",
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
    "Say what the palette should show.",
)
VERSION_BELOW_1 = Sentence("version_below_1", "the version is below 1.", "Count versions from 1.")
RESULTS_VERSION_BELOW_1 = Sentence(
    "results_version_below_1", "the version of its results is below 1.", "Count versions from 1."
)
NO_PARAMETERS_CLASS = Sentence(
    "no_parameters_class",
    "{name} is not a Parameters class.",
    "Derive it from modules.Parameters.",
)
NOT_DESCRIBED = Sentence(
    "not_described",
    "parameter {name!r} has no title or no description.",
    "Give both to Field(..., title=, description=).",
)
SHOWN_WHEN_NOTHING = Sentence(
    "shown_when_nothing",
    "parameter {name!r} is shown when {other!r} is set: no such name.",
    "Name a parameter of the same class.",
)

NO_MODULE = Sentence(
    "declares_no_module",
    "It declares no module.",
    "Decorate a function with @module, or begin the file's name with an underscore.",
)
ID_TAKEN = Sentence(
    "id_taken",
    "The module id {module!r} is taken by {other}.",
    "Rename the function: its name is the module's id.",
)
PORT_TYPE_TAKEN = Sentence(
    "port_type_taken",
    "Module {module!r} uses a port type {port_type!r}, and another one has that name.",
    "Rename the class, or import the one that is there.",
)
MISDECLARED = Sentence("misdeclared", "{error}: {module}: {why.message}", "{why.cure}")
SYNTAX = Sentence("syntax", "SyntaxError: {text}", "Correct the line.")
IMPORT_FAILED = Sentence(
    "import_failed", "{error}: {text}", "Install what is missing, or remove the import."
)
ENDS_PROCESS = Sentence("ends_process", "{error}: {text}", "Remove the call that ends the process.")
UNREADABLE_CODE = Sentence(
    "unreadable_code", "{error}: {text}", "Make the file readable, or remove it."
)
RAISES = Sentence(
    "raises", "{error}: {text}", "Correct the file; it runs when the modules are listed."
)
NO_LONGER_DECLARED = Sentence(
    "no_longer_declared",
    "{location} no longer declares {module!r}.",
    "Put it back, then run again.",
)
CODE_CHANGED = Sentence(
    "code_changed",
    "{location} changed after the run began.",
    "Run it again.",
)
