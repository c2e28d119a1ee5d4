"""Messages about ways to improve the result of a run with frozen layers."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

FINE_TUNE = Sentence("Fine-tune all layers")
FINE_TUNE_HOW = Sentence(
    "Train the whole network for {epochs} epochs from its pretrained weights, on augmented images "
    "of {pixels} x {pixels} pixels."
)
LONGER = Sentence("Fine-tune for longer")
LONGER_HOW = Sentence("The same for {epochs} epochs.")
MORE_EPOCHS = Sentence("Train for more epochs")
MORE_EPOCHS_HOW = Sentence("Train for {epochs} epochs instead of {before}.")
LARGER_NETWORK = Sentence("Use a larger network")
LARGER_NETWORK_HOW = Sentence(
    "Use the features of {network} instead of {before}. Weights: {source}."
)
FROM_SCRATCH = Sentence("Train from scratch")
FROM_SCRATCH_HOW = Sentence(
    "Train {network} from random weights for {epochs} epochs, on images of {pixels} x {pixels} "
    "pixels."
)
FROM_SCRATCH_WHEN = Sentence(
    "It suits drawings, digits and X-rays, with 1,000 images or more; you have {images:,}."
)
EXPECTED = Sentence("Expected: {low:.0f} to {high:.0f} % of the validation images.")
GAIN_UNKNOWN = Sentence(
    "The gain is not known: on {images:,} validation {images:image|images}, {points:.0f} "
    "percentage points can be chance."
)

JUDGED = Sentence(
    "{share:.1f} % of {images:,} validation images are right ({wrong:,} {wrong:mistake|mistakes})."
)
LITTLE_TO_GAIN = Sentence(
    "More training can gain little. More validation and test images would show differences."
)
MUCH_TO_GAIN = Sentence(
    "The frozen layers were trained on photographs and may not suit these images: fine-tune them."
)
SOMETHING_TO_GAIN = Sentence("Fine-tuning can correct some of the mistakes.")

name_sentences(globals(), "improvement_")
