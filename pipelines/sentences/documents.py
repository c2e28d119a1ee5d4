"""Messages about documents that cannot be read and values that JSON cannot represent."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NOT_A_DOCUMENT = Sentence(
    "Not a pipeline document. {why}", "Open a file that was saved by Pipeline Designer."
)
NOT_JSON = Sentence(
    "Not a pipeline document: invalid JSON. {why}",
    "Open a file that was saved by Pipeline Designer, or fix the JSON.",
)
NO_OBJECT = Sentence("The content is not a JSON object.")
NO_FORMAT = Sentence("The key 'format' is missing.")
OTHER_FORMAT = Sentence("The format is {written!r} instead of {current!r}.")
NEWER_FORMAT = Sentence(
    "The document has format {written!r}, but this version supports formats up to {current!r}.",
    "Update Pipeline Designer or save the pipeline in the older format.",
)
NOT_UTF8 = Sentence("The content is not UTF-8 text.")
JSON_FAULT = Sentence("Line {line}, column {column}: {fault}.")
JSON_TOO_DEEP = Sentence("The JSON is nested deeper than {most} levels.")
JSON_LONG_NUMBER = Sentence("The JSON contains a number with thousands of digits.")
JSON_KEY_TWICE = Sentence("The key {key!r} occurs twice in one object.")
JSON_NO_NUMBER = Sentence("{text} is not a valid number.")
DOCUMENT_UNREADABLE = Sentence(
    "Cannot read {file}: {error}.",
    "Enter the path of a pipeline document (JSON), or - for standard input.",
)
NO_FILE_OR_LESSON = Sentence(
    "File or lesson {name!r} not found.",
    "Enter the path of a pipeline document (JSON) or the name of a lesson: {lessons}.",
)
DOCUMENT_TOO_LARGE = Sentence(
    "The document has {num_bytes:,} bytes, but at most {most:,} are allowed.",
    "Shorten the texts in parameters, notes and comments.",
)
TOO_MANY_VALUES = Sentence(
    "The document contains more than {most:,} values.", "Split the pipeline into several pipelines."
)
SAME_ID = Sentence("{count} {what}s{where} have the id {id!r}.", "Use a unique id for each {what}.")
MORE_PROBLEMS = Sentence(
    "The document has {count:,} more {count:problem|problems}.",
    "Fix the listed problems, then validate again.",
)
IN_DEFINITION = Sentence(" in the definition {id!r}")

# parts of a document; ``place`` is a path in it

_VALUE = "Correct or remove the value."
PART_TOO_DEEP = Sentence("{place} is nested deeper than {most} levels.", _VALUE)
PART_TOO_LARGE = Sentence(
    "{place} exceeds 2^53, the largest whole number that browsers do not round.", _VALUE
)
PART_NOT_FINITE = Sentence("{place} must be a finite number.", _VALUE)
PART_NOT_UNICODE = Sentence("{place} contains an incomplete Unicode character.", _VALUE)
PART_NOT_JSON = Sentence("{place} has type {type}, which JSON does not support.", _VALUE)
KEY_NOT_TEXT = Sentence("{place} has a key that is not text.", _VALUE)

PART_MISSING = Sentence("{place} is missing.", "Add it.")
PART_UNKNOWN = Sentence("{place} is not part of the format.", "Remove it.")
PART_TEXT = Sentence("{place} must be text.", "Enclose it in quotation marks.")
PART_WHOLE = Sentence("{place} must be a whole number.", "Enter a whole number.")
PART_NUMBER = Sentence("{place} must be a number.", "Enter a number.")
PART_BOOLEAN = Sentence("{place} must be true or false.", "Enter true or false.")
PART_OBJECT = Sentence("{place} must be an object.", "Enclose it in braces.")
PART_LIST = Sentence("{place} must be a list.", "Enclose it in square brackets.")
PART_GREATER = Sentence("{place} must be greater than {bound}.", "Enter a larger number.")
PART_AT_LEAST = Sentence("{place} must be at least {bound}.", "Enter a larger number.")
PART_LESS = Sentence("{place} must be less than {bound}.", "Enter a smaller number.")
PART_AT_MOST = Sentence("{place} must be at most {bound}.", "Enter a smaller number.")
PART_TOO_LONG = Sentence("{place} has more than {bound} characters.", "Shorten it.")
PART_TOO_MANY = Sentence("{place} has more than {bound} entries.", "Remove some.")
PART_NO_ID = Sentence(
    "{place} is not a valid id.",
    "Use up to 64 lowercase letters, digits, _ and -. Start with a letter or digit.",
)
PART_NO_BIND = Sentence(
    "{place} is not a parameter of a node.",
    "Enter NODE.PARAMETER for a node of the same pipeline, or NODE/INNER.PARAMETER for a "
    "node in a sub-pipeline.",
)
PART_WRONG = Sentence("{place} is invalid: {fault}.", "Correct the value.")
THE_DOCUMENT = Sentence("The document")

# --set NODE.PARAMETER=VALUE

NO_ASSIGNMENT = Sentence(
    "Invalid option --set {text!r}.",
    "Use the form NODE.PARAMETER=VALUE, for example train.epochs=3.",
)
ASSIGNMENT_NO_NODE = Sentence("Invalid option --set {text!r}: node {name!r} not found.", "{help}")
ASSIGNMENT_INSIDE = Sentence(
    "Invalid option --set {text!r}: node {name!r} is in a sub-pipeline, which can be used "
    "several times.",
    "Add a parameter to the sub-pipeline, then set that parameter of {outer}.",
)
ASSIGNMENT_BOUND = Sentence(
    "The value of {node}.{name} is set by the pipeline parameter {title}.",
    "Use --param {id}=VALUE.",
)
ASSIGNMENT_NO_VALUE = Sentence(
    "Invalid value {text!r} for {name!r}.", "Enter a number, true, false, null or JSON."
)

name_sentences(globals())
