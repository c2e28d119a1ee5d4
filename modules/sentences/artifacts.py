"""Messages about inputs that a port does not accept."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_DATASET = Sentence(
    "input_no_dataset",
    "The input is not a dataset.",
    "Connect Import Images, or create the output with AnyDirectory.write.",
)
DATA_GONE = Sentence(
    "data_gone",
    "{location} no longer exists.",
    "Restore it, or choose another source in Import Images.",
)
IN_SHARDS = Sentence(
    "in_shards",
    "The images are stored in tar shards, not as separate files.",
    "Read them with `read_bytes()` of `modules.image_loading.image_files.ImageFiles`, or import "
    "the folder that the shards were created from.",
)
NO_IMAGE_DIRECTORY = Sentence(
    "no_image_directory",
    "The input does not contain converted images.",
    "Add Convert to Image Directory before this node.",
)
NO_TRANSFORMATION = Sentence(
    "no_transformation",
    "The input is not an image transformation.",
    "Connect the output of Init Image Transformation.",
)
NO_MODEL = Sentence("input_no_model", "The input is not an image model.")
NO_UNTRAINED_MODEL = Sentence(
    "input_no_untrained_model",
    "The input is not an untrained image model.",
    "Connect DenseNet, ResNet or Image Model.",
)
NO_TRAINED_MODEL = Sentence(
    "input_no_trained_model",
    "The input is not a trained image model.",
    "Connect Train PyTorch Model.",
)
NO_FOREIGN_MODEL = Sentence(
    "input_no_foreign_model",
    "The input is not a model written by a script.",
    "Connect the output Model of Run Training Script.",
)
NO_RECIPE = Sentence("no_recipe", "The model's description contains no recipe.", "{input.cure}")
NO_SCORED_DATASET = Sentence(
    "no_scored_dataset",
    "The input is not a scored dataset.",
    "Connect the output of Score Image Model.",
)
