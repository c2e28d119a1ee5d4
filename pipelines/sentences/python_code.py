"""Messages about pipelines as Python code, which is read without running it."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

AT_LINE = Sentence("Line {line}: {why}", "{fix}", key="code_at_line")
CODE_TOO_LARGE = Sentence(
    "The Python file has {num_bytes:,} bytes, but at most {most:,} are allowed.",
    "Save the pipeline as a document (JSON).",
    key="code_file_too_large",
)
CODE_TOO_LONG = Sentence(
    "The code has more than {most:,} words and signs.", "Save the pipeline as a document (JSON)."
)
CODE_TOO_DEEP = Sentence(
    "Brackets are nested deeper than {most} levels.", "Write the value with fewer levels."
)
CODE_UNREADABLE = Sentence(
    "Cannot read {file}: {error}.",
    "Enter the path of a Python file with a pipeline, or - for standard input.",
)
CODE_NOT_UTF8 = Sentence("The text is not UTF-8.", "Save the file as UTF-8.")
CODE_NULL = Sentence("A null character is not allowed in code.", "Remove the character.")
CODE_SYNTAX = Sentence("This is not valid Python: {fault}.", "Correct the line.")
CODE_SIGN = Sentence(
    "{sign!r} cannot be read without running the code.",
    "Write the value itself, or run the file with Python.",
)
CODE_STATEMENT = Sentence(
    "This statement cannot be read without running the code.",
    "Add each node by its own line, such as net = m.densenet().",
)
CODE_VALUE = Sentence(
    "This value cannot be read without running the code.",
    "Write a number, text, True, False, None, list or dictionary.",
)
CODE_AFTER = Sentence(
    "Statements after the pipeline cannot be read without running the code.",
    "Put them below if __name__ == '__main__'.",
)
CODE_IMPORT = Sentence(
    "{module} cannot be imported in the code of a pipeline.",
    "Import only Pipeline and modules from pipeline_designer.",
)
CODE_NO_PIPELINE = Sentence(
    "The file contains no pipeline.", "Start it with: with Pipeline('name') as p:"
)
CODE_SECOND_PIPELINE = Sentence(
    "The file contains a second pipeline.", "Put each pipeline into its own file."
)
CODE_NO_NAME = Sentence("The name {name!r} is not defined here.", "{fix}", key="code_no_name")
DEFINE_FIRST = Sentence("Define it in a line above.")
CODE_NO_FUNCTION = Sentence("{name!r} is not a function of pipelines.", "{fix}")
CODE_ARGUMENTS = Sentence("Wrong arguments of {name}: {fault}.", "Correct the arguments.")
ARGUMENT_TWICE = Sentence("The argument {name!r} occurs twice.", "Remove one of them.")
CODE_STAR = Sentence(
    "Arguments with * cannot be read without running the code.", "Write each argument by name."
)
POSITIONAL_ARGUMENT = Sentence(
    "{name} does not accept arguments without a name.", "Write the name, as in epochs=4."
)
NOT_A_PAIR = Sentence("{name} must be two numbers.", "Write them in parentheses, as in (0, 40).")
NOT_AN_END = Sentence(
    "{text!r} is not a port of a node.",
    "Write the node, a dot and the port, as in 'split.dataset'.",
)
NOT_A_NODE = Sentence("{name} must be a node.", "Write the variable of a node.")
NOT_A_MAPPING = Sentence(
    "{name} must be a dictionary with text keys.", "Write it as in {{'name': 1}}."
)
OTHER_LEVEL = Sentence(
    "The node belongs to another pipeline or sub-pipeline.",
    "Connect nodes of the same level. Use ports of the sub-pipeline.",
)
SEVERAL_OUTPUTS = Sentence(
    "{title} has several outputs.", "Choose one with a dot: {outputs}.", key="code_several_outputs"
)
NO_OUTPUTS = Sentence("{title} has no output.", "Connect another node.")
OUTPUT_UNKNOWN = Sentence(
    "The outputs of {title} are unknown, because it is not installed.",
    "Write the output after a dot.",
)
NO_OUTPUT_NAMED = Sentence("{title} has no output {name!r}.", "{cure}", key="code_no_output")
INPUT_NOT_LINKED = Sentence(
    "{name} of {title} is an input, not a parameter.", "Pass a node, or an output of one."
)
NOT_PLACED = Sentence("The layout names {name!r}, but there is no such node.", "{cure}")
TWICE_LAID_OUT = Sentence("The layout is given twice.", "Write one layout for each pipeline.")

name_sentences(globals())
