"""Messages about the users' Python: models written by scripts, and code in pipelines."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_MODEL_FILE = Sentence(
    "no_model_file",
    "The model has no file {file!r}. Available files: {files}.",
    "Choose one of them as State dict, or leave it empty for the script's own model file.",
)
EMPTY_MODEL = Sentence(
    "empty_model",
    "The script did not write a model.",
    "Write a model, for example with torch.save(model.state_dict(), 'outputs/model.pt').",
)
UNUSABLE_STATE_DICT = Sentence(
    "unusable_state_dict",
    "{file} contains no readable tensors: {why}.",
    "Save only the tensors: torch.save(model.state_dict(), 'outputs/model.pt'), or a safetensors "
    "file. This file is kept and can be downloaded.",
)
STATE_DICT_DOES_NOT_FIT = Sentence(
    "state_dict_does_not_fit",
    "The tensors in {file} do not match {architecture}: {how}: {names}. {compared}.",
    "Connect the network that the script trained.",
)
OTHER_HEAD = Sentence(
    "other_head",
    "The model in {file} has {outputs} classes, but the images have {count}: {classes}.",
    "Connect the images that the script was trained on, with all their classes.",
)
NO_CLASSES = Sentence(
    "no_classes",
    "The images have no classes, so the outputs of the model cannot be named.",
    "Connect the labelled images that the script was trained on.",
)
NO_CHANNELS = Sentence(
    "no_channels",
    "{name} is {text!r}, but must be three numbers for red, green and blue.",
    "Separate the numbers with commas, for example 0.5, 0.5, 0.5.",
)
NO_DEVIATION = Sentence(
    "no_deviation",
    "Standard deviation is {text!r}, but each number must be greater than 0.",
    "Enter three numbers above 0, for example 0.5, 0.5, 0.5.",
)
MADE = Sentence(
    "made_trained_model",
    "{classes} classes, {parameters:,} parameters, {width} x {height} pixels",
)

NO_PYTHON = Sentence(
    "no_python",
    "Syntax error in line {line}, column {column}: {error}.",
    "Correct this line.",
)
RAISED = Sentence(
    "typed_code_raised",
    "Line {line} raised {error}",
    "Correct this line. The log contains the whole traceback.",
)
ENDED_ITSELF = Sentence(
    "script_ended_itself",
    "Line {line} ended the script with sys.exit({code}) before it returned a result.",
    "Return the result instead.",
)
NO_MAIN = Sentence(
    "no_main",
    "The script defines neither designer_main nor azureml_main.",
    "Define designer_main(images1=None, images2=None, table1=None, table2=None, model=None).",
)
LEFT_NO_RESULT = Sentence(
    "script_left_no_result",
    "The script ended its process before it returned a result.",
    "Return the result instead of ending the process, for example with os._exit.",
)
UNKNOWN_OUTPUTS = Sentence(
    "unknown_script_outputs",
    "The script returned {names}, but its outputs are {known}.",
    "Return a mapping with these names.",
)
NO_OUTPUT_TYPE = Sentence(
    "no_output_type",
    "The script returned an object of type {type} for {output}.",
    "Return a pandas DataFrame or Table as table, an ImageDirectory or its rows as images. Return "
    "a torch module, state dict, file path or model as model.",
)
TWO_OF_A_KIND = Sentence(
    "two_of_a_kind",
    "The script returned two values for {output}.",
    "Return one value of each type, or a mapping with the names of the outputs.",
)
NO_IMAGE_ROWS = Sentence(
    "no_image_rows",
    "The rows returned as images lack {columns}.",
    "Return rows of images1.images or images2.images. You may filter them or change their labels.",
)
NO_LABEL = Sentence(
    "no_label",
    "The script returned a label that is neither text nor a whole number: {label}.",
    "Use a class name as text, a whole number, or None for images without a label.",
)
LABELS_CALLED_MISSING = Sentence(
    "labels_called_missing",
    "{count:,} {count:image|images} returned by the script {count:has|have} the text {label!r} as "
    "label, which is treated as a class.",
    "If these labels are missing, return None. astype(str) turns missing labels into such texts.",
)
EMPTY_MODEL_FILE = Sentence(
    "empty_model_file_given",
    "The model file {file} returned by the script is empty (0 bytes).",
    "Close the file before the script returns, or save the model again.",
)
NO_COLUMN_TYPE = Sentence(
    "no_column_type",
    "The table returned by the script cannot be saved: {error}.",
    "Use values of one type in each column, and texts as column names.",
)
SECOND_TABLE_LEFT_OUT = Sentence(
    "second_table_left_out",
    "azureml_main returned two tables. The second one is ignored.",
    "Join the tables, or add a second Execute Python Script.",
)
GAVE_TABLE = Sentence("gave_table", "{rows:,} rows, {columns} columns")
GAVE_IMAGES = Sentence("gave_images", "{images:,} images")
GAVE_MODEL = Sentence("gave_model", "a model")
GAVE_NOTHING = Sentence("gave_nothing", "no outputs")
