"""What is said of documents that cannot be read, and of values in them that JSON cannot hold."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NOT_A_DOCUMENT = Sentence(
    "not_a_document",
    "This is not a pipeline document. {why}",
    "Open a file that Pipeline Designer saved.",
)
NOT_JSON = Sentence(
    "not_json",
    "This is not a pipeline document: it cannot be read as JSON. {why}",
    "Open a file that Pipeline Designer saved, or correct the place.",
)
NO_OBJECT = Sentence("no_object", "It holds no JSON object.")
NO_FORMAT = Sentence("no_format", "It has no format.")
OTHER_FORMAT = Sentence("other_format", "Its format is {written!r}, not {current!r}.")
NEWER_FORMAT = Sentence(
    "newer_format",
    "The document has the format {written!r}; this version reads up to {current!r}.",
    "Update Pipeline Designer, or save the pipeline in the older format.",
)
NOT_UTF8 = Sentence("not_utf8", "It is not UTF-8 text.")
JSON_FAULT = Sentence("json_fault", "Line {line}, column {column}: {fault}.")
JSON_TOO_DEEP = Sentence("json_too_deep", "It is nested deeper than {most} levels.")
JSON_LONG_NUMBER = Sentence("json_long_number", "It holds a number with thousands of digits.")
JSON_KEY_TWICE = Sentence("json_key_twice", "The key {key!r} stands twice in one object.")
JSON_NO_NUMBER = Sentence("json_no_number", "{text} is not a JSON number.")
DOCUMENT_UNREADABLE = Sentence(
    "document_unreadable",
    "{file} cannot be read: {error}.",
    "Give the path of a pipeline document (JSON).",
)
NO_FILE_OR_LESSON = Sentence(
    "no_file_or_lesson",
    "No file and no lesson has the name {name!r}.",
    "Give the path of a pipeline document (JSON) or the name of a lesson: {lessons}.",
)
DOCUMENT_TOO_LARGE = Sentence(
    "document_too_large",
    "The document has {num_bytes:,} bytes, more than {most:,}.",
    "Remove large texts from parameters, notes and comments.",
)
TOO_MANY_VALUES = Sentence(
    "too_many_values",
    "The document holds more than {most:,} values.",
    "Split the pipeline into several.",
)
SAME_ID = Sentence(
    "same_id", "{count} {what}s{where} have the id {id!r}.", "Give each {what} an id of its own."
)
MORE_PROBLEMS = Sentence(
    "more_problems",
    "The document has {count:,} more {count:problem|problems}.",
    "Fix the listed problems, then validate again.",
)
IN_DEFINITION = Sentence("in_definition", " in the definition {id!r}")

# a part of it; place is a path in the document

_VALUE = "Correct or remove the value."
PART_TOO_DEEP = Sentence("part_too_deep", "{place} is nested deeper than {most} levels.", _VALUE)
PART_TOO_LARGE = Sentence(
    "part_too_large",
    "{place} is a whole number beyond 2^53, which browsers round.",
    _VALUE,
)
PART_NOT_FINITE = Sentence("part_not_finite", "{place} is not a finite number.", _VALUE)
PART_NOT_UNICODE = Sentence(
    "part_not_unicode", "{place} is text with half a Unicode character.", _VALUE
)
PART_NOT_JSON = Sentence("part_not_json", "{place} is a {type}, which JSON does not have.", _VALUE)
KEY_NOT_TEXT = Sentence("key_not_text", "{place} has a key that is not text.", _VALUE)

PART_MISSING = Sentence("part_missing", "{place} is missing.", "Add it.")
PART_UNKNOWN = Sentence("part_unknown", "{place} is no part of the format.", "Remove it.")
PART_TEXT = Sentence("part_text", "{place} must be text.", "Put it in quotation marks.")
PART_WHOLE = Sentence("part_whole", "{place} must be a whole number.", "Write a whole number.")
PART_NUMBER = Sentence("part_number", "{place} must be a number.", "Write a number.")
PART_BOOLEAN = Sentence("part_boolean", "{place} must be true or false.", "Write true or false.")
PART_OBJECT = Sentence("part_object", "{place} must be an object.", "Write it in braces.")
PART_LIST = Sentence("part_list", "{place} must be a list.", "Write it in square brackets.")
PART_GREATER = Sentence(
    "part_greater", "{place} must be greater than {bound}.", "Write a larger number."
)
PART_AT_LEAST = Sentence(
    "part_at_least", "{place} must be at least {bound}.", "Write a larger number."
)
PART_LESS = Sentence("part_less", "{place} must be less than {bound}.", "Write a smaller number.")
PART_AT_MOST = Sentence(
    "part_at_most", "{place} must be at most {bound}.", "Write a smaller number."
)
PART_TOO_LONG = Sentence(
    "part_too_long", "{place} has more than {bound} characters.", "Shorten it."
)
PART_TOO_MANY = Sentence("part_too_many", "{place} has more than {bound} entries.", "Remove some.")
PART_NO_ID = Sentence(
    "part_no_id",
    "{place} is not a valid id.",
    "Use up to 64 small letters, digits, _ and -, beginning with a letter or digit.",
)
PART_NO_BIND = Sentence(
    "part_no_bind",
    "{place} does not name a parameter of a node.",
    "Write NODE.PARAMETER of a node beside it, or NODE/INNER.PARAMETER of one inside that.",
)
PART_WRONG = Sentence("part_wrong", "{place} is wrong: {fault}.", "Correct it.")
THE_DOCUMENT = Sentence("the_document", "The document")

# --set NODE.PARAMETER=VALUE

NO_ASSIGNMENT = Sentence(
    "no_assignment",
    "--set {text!r} cannot be read.",
    "Write NODE.PARAMETER=VALUE, for example train.epochs=3.",
)
ASSIGNMENT_NO_NODE = Sentence(
    "assignment_no_node", "--set {text!r}: there is no node {name!r}.", "{help}"
)
ASSIGNMENT_INSIDE = Sentence(
    "assignment_inside",
    "--set {text!r}: the node {name!r} is inside a sub-pipeline, which may stand elsewhere too.",
    "Give the sub-pipeline a parameter for it, and set that at {outer}.",
)
ASSIGNMENT_BOUND = Sentence(
    "assignment_bound",
    "{node}.{name} has the value that the pipeline's parameter {title} gives it.",
    "Write --param {id}=VALUE.",
)
ASSIGNMENT_NO_VALUE = Sentence(
    "assignment_no_value",
    "{text!r} is no value for {name!r}.",
    "Write a number, true, false, null or JSON.",
)
