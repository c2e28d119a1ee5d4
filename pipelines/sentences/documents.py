"""Messages about documents that cannot be read and values that JSON cannot represent."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NOT_A_DOCUMENT = Sentence(
    "not_a_document",
    "Not a pipeline document. {why}",
    "Open a file that was saved by Pipeline Designer.",
)
NOT_JSON = Sentence(
    "not_json",
    "Not a pipeline document: invalid JSON. {why}",
    "Open a file that was saved by Pipeline Designer, or fix the JSON.",
)
NO_OBJECT = Sentence("no_object", "The content is not a JSON object.")
NO_FORMAT = Sentence("no_format", "The key 'format' is missing.")
OTHER_FORMAT = Sentence("other_format", "The format is {written!r} instead of {current!r}.")
NEWER_FORMAT = Sentence(
    "newer_format",
    "The document has format {written!r}, but this version supports formats up to {current!r}.",
    "Update Pipeline Designer or save the pipeline in the older format.",
)
NOT_UTF8 = Sentence("not_utf8", "The content is not UTF-8 text.")
JSON_FAULT = Sentence("json_fault", "Line {line}, column {column}: {fault}.")
JSON_TOO_DEEP = Sentence("json_too_deep", "The JSON is nested deeper than {most} levels.")
JSON_LONG_NUMBER = Sentence(
    "json_long_number", "The JSON contains a number with thousands of digits."
)
JSON_KEY_TWICE = Sentence("json_key_twice", "The key {key!r} occurs twice in one object.")
JSON_NO_NUMBER = Sentence("json_no_number", "{text} is not a valid number.")
DOCUMENT_UNREADABLE = Sentence(
    "document_unreadable",
    "Cannot read {file}: {error}.",
    "Enter the path of a pipeline document (JSON).",
)
NO_FILE_OR_LESSON = Sentence(
    "no_file_or_lesson",
    "File or lesson {name!r} not found.",
    "Enter the path of a pipeline document (JSON) or the name of a lesson: {lessons}.",
)
DOCUMENT_TOO_LARGE = Sentence(
    "document_too_large",
    "The document has {num_bytes:,} bytes, but at most {most:,} are allowed.",
    "Shorten the texts in parameters, notes and comments.",
)
TOO_MANY_VALUES = Sentence(
    "too_many_values",
    "The document contains more than {most:,} values.",
    "Split the pipeline into several pipelines.",
)
SAME_ID = Sentence(
    "same_id", "{count} {what}s{where} have the id {id!r}.", "Use a unique id for each {what}."
)
MORE_PROBLEMS = Sentence(
    "more_problems",
    "The document has {count:,} more {count:problem|problems}.",
    "Fix the listed problems, then validate again.",
)
IN_DEFINITION = Sentence("in_definition", " in the definition {id!r}")

# parts of a document; ``place`` is a path in it

_VALUE = "Correct or remove the value."
PART_TOO_DEEP = Sentence("part_too_deep", "{place} is nested deeper than {most} levels.", _VALUE)
PART_TOO_LARGE = Sentence(
    "part_too_large",
    "{place} exceeds 2^53, the largest whole number that browsers do not round.",
    _VALUE,
)
PART_NOT_FINITE = Sentence("part_not_finite", "{place} must be a finite number.", _VALUE)
PART_NOT_UNICODE = Sentence(
    "part_not_unicode", "{place} contains an incomplete Unicode character.", _VALUE
)
PART_NOT_JSON = Sentence(
    "part_not_json", "{place} has type {type}, which JSON does not support.", _VALUE
)
KEY_NOT_TEXT = Sentence("key_not_text", "{place} has a key that is not text.", _VALUE)

PART_MISSING = Sentence("part_missing", "{place} is missing.", "Add it.")
PART_UNKNOWN = Sentence("part_unknown", "{place} is not part of the format.", "Remove it.")
PART_TEXT = Sentence("part_text", "{place} must be text.", "Enclose it in quotation marks.")
PART_WHOLE = Sentence("part_whole", "{place} must be a whole number.", "Enter a whole number.")
PART_NUMBER = Sentence("part_number", "{place} must be a number.", "Enter a number.")
PART_BOOLEAN = Sentence("part_boolean", "{place} must be true or false.", "Enter true or false.")
PART_OBJECT = Sentence("part_object", "{place} must be an object.", "Enclose it in braces.")
PART_LIST = Sentence("part_list", "{place} must be a list.", "Enclose it in square brackets.")
PART_GREATER = Sentence(
    "part_greater", "{place} must be greater than {bound}.", "Enter a larger number."
)
PART_AT_LEAST = Sentence(
    "part_at_least", "{place} must be at least {bound}.", "Enter a larger number."
)
PART_LESS = Sentence("part_less", "{place} must be less than {bound}.", "Enter a smaller number.")
PART_AT_MOST = Sentence(
    "part_at_most", "{place} must be at most {bound}.", "Enter a smaller number."
)
PART_TOO_LONG = Sentence(
    "part_too_long", "{place} has more than {bound} characters.", "Shorten it."
)
PART_TOO_MANY = Sentence("part_too_many", "{place} has more than {bound} entries.", "Remove some.")
PART_NO_ID = Sentence(
    "part_no_id",
    "{place} is not a valid id.",
    "Use up to 64 lowercase letters, digits, _ and -. Start with a letter or digit.",
)
PART_NO_BIND = Sentence(
    "part_no_bind",
    "{place} is not a parameter of a node.",
    "Enter NODE.PARAMETER for a node of the same pipeline, or NODE/INNER.PARAMETER for a "
    "node in a sub-pipeline.",
)
PART_WRONG = Sentence("part_wrong", "{place} is invalid: {fault}.", "Correct the value.")
THE_DOCUMENT = Sentence("the_document", "The document")

# --set NODE.PARAMETER=VALUE

NO_ASSIGNMENT = Sentence(
    "no_assignment",
    "Invalid option --set {text!r}.",
    "Use the form NODE.PARAMETER=VALUE, for example train.epochs=3.",
)
ASSIGNMENT_NO_NODE = Sentence(
    "assignment_no_node", "Invalid option --set {text!r}: node {name!r} not found.", "{help}"
)
ASSIGNMENT_INSIDE = Sentence(
    "assignment_inside",
    "Invalid option --set {text!r}: node {name!r} is in a sub-pipeline, which can be used "
    "several times.",
    "Add a parameter to the sub-pipeline, then set that parameter of {outer}.",
)
ASSIGNMENT_BOUND = Sentence(
    "assignment_bound",
    "The value of {node}.{name} is set by the pipeline parameter {title}.",
    "Use --param {id}=VALUE.",
)
ASSIGNMENT_NO_VALUE = Sentence(
    "assignment_no_value",
    "Invalid value {text!r} for {name!r}.",
    "Enter a number, true, false, null or JSON.",
)
