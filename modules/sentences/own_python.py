"""Messages about the users' Python: models written by scripts, and code in pipelines."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_MODEL_FILE = Sentence(
    "The model has no file {file!r}. Available files: {files}.",
    "Choose one of them as State dict, or leave it empty for the script's own model file.",
)
EMPTY_MODEL = Sentence(
    "The script did not write a model.",
    "Write a model, for example with torch.save(model.state_dict(), 'outputs/model.pt').",
)
UNUSABLE_STATE_DICT = Sentence(
    "{file} contains no readable tensors: {why}.",
    "Save only the tensors: torch.save(model.state_dict(), 'outputs/model.pt'), or a safetensors "
    "file. This file is kept and can be downloaded.",
)
STATE_DICT_DOES_NOT_FIT = Sentence(
    "The tensors in {file} do not match {architecture}: {how}: {names}. {compared}.",
    "Connect the network that the script trained.",
)
OTHER_HEAD = Sentence(
    "The model in {file} has {outputs} classes, but the images have {count}: {classes}.",
    "Connect the images that the script was trained on, with all their classes.",
)
NO_CLASSES = Sentence(
    "The images have no classes, so the outputs of the model cannot be named.",
    "Connect the labelled images that the script was trained on.",
)
NO_CHANNELS = Sentence(
    "{name} is {text!r}, but must be three numbers for red, green and blue.",
    "Separate the numbers with commas, for example 0.5, 0.5, 0.5.",
)
NO_DEVIATION = Sentence(
    "Standard deviation is {text!r}, but each number must be greater than 0.",
    "Enter three numbers above 0, for example 0.5, 0.5, 0.5.",
)
MADE = Sentence(
    "{classes} classes, {parameters:,} parameters, {width} x {height} pixels",
    key="made_trained_model",
)

NO_PYTHON = Sentence("Syntax error in line {line}, column {column}: {error}.", "Correct this line.")
RAISED = Sentence(
    "Line {line} raised {error}",
    "Correct this line. The log contains the whole traceback.",
    key="typed_code_raised",
)
ENDED_ITSELF = Sentence(
    "Line {line} ended the script with sys.exit({code}) before it returned a result.",
    "Return the result instead.",
    key="script_ended_itself",
)
NO_MAIN = Sentence(
    "The script defines neither designer_main nor azureml_main.",
    "Define designer_main(images1=None, images2=None, table1=None, table2=None, model=None).",
)
LEFT_NO_RESULT = Sentence(
    "The script ended its process before it returned a result.",
    "Return the result instead of ending the process, for example with os._exit.",
    key="script_left_no_result",
)
UNKNOWN_OUTPUTS = Sentence(
    "The script returned {names}, but its outputs are {known}.",
    "Return a mapping with these names.",
    key="unknown_script_outputs",
)
NO_OUTPUT_TYPE = Sentence(
    "The script returned an object of type {type} for {output}.",
    "Return a pandas DataFrame or Table as table, an ImageDirectory or its rows as images. Return "
    "a torch module, state dict, file path or model as model.",
)
NO_RESULT_TYPE = Sentence(
    "The script returned an object of type {type}.",
    "Return a mapping with images, table and model, or one of them.",
)
TWO_OF_A_KIND = Sentence(
    "The script returned two values for {output}.",
    "Return one value of each type, or a mapping with the names of the outputs.",
)
NO_IMAGE_ROWS = Sentence(
    "The rows returned as images lack {columns}.",
    "Return rows of images1.images or images2.images. You may filter them or change their labels.",
)
NO_LABEL = Sentence(
    "The script returned a label that is neither text nor a whole number: {label}.",
    "Use a class name as text, a whole number, or None for images without a label.",
)
LABELS_CALLED_MISSING = Sentence(
    "{count:,} {count:image|images} returned by the script {count:has|have} the text {label!r} as "
    "label, which is treated as a class.",
    "If these labels are missing, return None. astype(str) turns missing labels into such texts.",
)
EMPTY_MODEL_FILE = Sentence(
    "The model file {file} returned by the script is empty (0 bytes).",
    "Close the file before the script returns, or save the model again.",
    key="empty_model_file_given",
)
NO_COLUMN_TYPE = Sentence(
    "The table returned by the script cannot be saved: {error}.",
    "Use values of one type in each column, and texts as column names.",
)
SECOND_TABLE_LEFT_OUT = Sentence(
    "azureml_main returned two tables. The second one is ignored.",
    "Join the tables, or add a second Execute Python Script.",
)
GAVE_TABLE = Sentence("{rows:,} rows, {columns} columns")
GAVE_IMAGES = Sentence("{images:,} images")
GAVE_MODEL = Sentence("a model")
GAVE_NOTHING = Sentence("no outputs")

name_sentences(globals())
