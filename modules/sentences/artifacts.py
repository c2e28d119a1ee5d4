"""Messages about inputs that a port does not accept."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_DATASET = Sentence(
    "The input is not a dataset.",
    "Connect Import Images, or create the output with AnyDirectory.write.",
    key="input_no_dataset",
)
DATA_GONE = Sentence(
    "{location} no longer exists.", "Restore it, or choose another source in Import Images."
)
IN_SHARDS = Sentence(
    "The images are stored in tar shards, not as separate files.",
    "Read them with `read_bytes()` of `modules.image_loading.image_files.ImageFiles`, or import "
    "the folder that the shards were created from.",
)
NO_IMAGE_DIRECTORY = Sentence(
    "The input does not contain converted images.",
    "Add Convert to Image Directory before this node.",
)
NO_TRANSFORMATION = Sentence(
    "The input is not an image transformation.", "Connect the output of Init Image Transformation."
)
NO_MODEL = Sentence("The input is not an image model.", key="input_no_model")
NO_UNTRAINED_MODEL = Sentence(
    "The input is not an untrained image model.",
    "Connect DenseNet, ResNet or Image Model.",
    key="input_no_untrained_model",
)
NO_TRAINED_MODEL = Sentence(
    "The input is not a trained image model.",
    "Connect Train PyTorch Model.",
    key="input_no_trained_model",
)
DESCRIPTION_DAMAGED = Sentence(
    "The file model.json of the model is damaged: {error}.",
    "Train or import the model again. `designer artifacts verify` finds damaged artifacts.",
)
NO_JSON_OBJECT = Sentence("it contains no JSON object")
VALUE_OF_OTHER_TYPE = Sentence("{name} is missing or has the wrong type")
NO_EXPORTED_MODEL = Sentence(
    "The input is not an exported model.", "Connect the output of Export Model."
)
NO_FOREIGN_MODEL = Sentence(
    "The input is not a model written by a script.",
    "Connect the output Model of Run Training Script.",
    key="input_no_foreign_model",
)
NO_RECIPE = Sentence("The model's description contains no recipe.", "{input.cure}")
NO_SCORED_DATASET = Sentence(
    "The input is not a scored dataset.", "Connect the output of Score Image Model."
)

name_sentences(globals())
