"""What is said of users' own Python: the models that scripts write, and code in pipelines."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_MODEL_FILE = Sentence(
    "no_model_file",
    "The model has no file {file!r}; there are: {files}.",
    "Choose one of them as State dict, or leave it empty for the script's own model file.",
)
EMPTY_MODEL = Sentence(
    "empty_model",
    "The script wrote no model.",
    "Let it write one, say by torch.save(model.state_dict(), 'outputs/model.pt').",
)
UNUSABLE_STATE_DICT = Sentence(
    "unusable_state_dict",
    "No tensors can be read from {file}: {why}.",
    "Save them alone in your script: torch.save(model.state_dict(), 'outputs/model.pt'), or a "
    "safetensors file. This file is kept as it is and can be downloaded.",
)
STATE_DICT_DOES_NOT_FIT = Sentence(
    "state_dict_does_not_fit",
    "The tensors in {file} are not those of {architecture}: {how}: {names}. {compared}.",
    "Connect the very network that the script trained.",
)
OTHER_HEAD = Sentence(
    "other_head",
    "The model in {file} tells {outputs} classes apart, the images have {count}: {classes}.",
    "Connect the images that the script learnt from, with all of their classes.",
)
NO_CLASSES = Sentence(
    "no_classes",
    "The images name no classes, so nothing says what the model's outputs stand for.",
    "Connect labelled images: those that the script learnt from.",
)
NO_CHANNELS = Sentence(
    "no_channels",
    "{name} is {text!r}, which is not three numbers, one for each of red, green and blue.",
    "Write them with commas between, as 0.5, 0.5, 0.5.",
)
NO_DEVIATION = Sentence(
    "no_deviation",
    "Standard deviation is {text!r}: pixels cannot be divided by 0 or less.",
    "Write three numbers above 0, as 0.5, 0.5, 0.5.",
)
MADE = Sentence(
    "made_trained_model",
    "{classes} classes, {parameters:,} parameters, {width} x {height} pixels",
)

NO_PYTHON = Sentence(
    "no_python",
    "Line {line}, column {column} is no Python: {error}.",
    "Correct it there.",
)
RAISED = Sentence(
    "typed_code_raised",
    "Line {line} raised {error}",
    "Correct it there; the log shows the whole traceback.",
)
ENDED_ITSELF = Sentence(
    "script_ended_itself",
    "Line {line} ended the script by sys.exit({code}), so that it gave nothing.",
    "Return what is to go on instead.",
)
NO_MAIN = Sentence(
    "no_main",
    "The script defines neither designer_main nor azureml_main.",
    "Define designer_main(images1=None, images2=None, table1=None, table2=None, model=None).",
)
LEFT_NO_RESULT = Sentence(
    "script_left_no_result",
    "The script ended its process before anything was given.",
    "Return what is to go on instead of ending the process, by os._exit for one.",
)
UNKNOWN_OUTPUTS = Sentence(
    "unknown_script_outputs",
    "The script gave {names}; its outputs are {known}.",
    "Return a mapping with these names.",
)
NO_OUTPUT_TYPE = Sentence(
    "no_output_type",
    "The script gave a {type} for {output}.",
    "Give a pandas DataFrame or a Table as table; an ImageDirectory or rows of one as images; a "
    "torch module, a state dict, the path of a file or a model as model.",
)
TWO_OF_A_KIND = Sentence(
    "two_of_a_kind",
    "The script gave two values for {output}.",
    "Return one of each, or a mapping by the names of the outputs.",
)
NO_IMAGE_ROWS = Sentence(
    "no_image_rows",
    "The rows that the script gave as images lack {columns}.",
    "Give rows of images1.images or images2.images: filter them, or change their labels.",
)
NO_LABEL = Sentence(
    "no_label",
    "The script gave a label that is not a text or whole number: {label}.",
    "Give each image a class name as text, a whole number, or None without a label.",
)
LABELS_CALLED_MISSING = Sentence(
    "labels_called_missing",
    "The script gave {count:,} {count:image|images} the text {label!r} as label, a class now.",
    "If these labels are missing, give None: astype(str) turns missing labels into such texts.",
)
EMPTY_MODEL_FILE = Sentence(
    "empty_model_file_given",
    "The model file {file} that the script gave is empty (0 bytes).",
    "Close the file before the script returns, or save the model again.",
)
NO_COLUMN_TYPE = Sentence(
    "no_column_type",
    "The table that the script gave cannot be kept: {error}.",
    "Give each column values of one type, and texts as names.",
)
SECOND_TABLE_LEFT_OUT = Sentence(
    "second_table_left_out",
    "azureml_main gave two tables: the second is left out.",
    "Join them, or put a second Execute Python Script beside this one.",
)
GAVE_TABLE = Sentence("gave_table", "{rows:,} rows, {columns} columns")
GAVE_IMAGES = Sentence("gave_images", "{images:,} images")
GAVE_MODEL = Sentence("gave_model", "a model")
GAVE_NOTHING = Sentence("gave_nothing", "nothing was given on")
