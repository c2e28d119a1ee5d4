"""Messages that several families use."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

SUMMARY = Sentence("{parts}")
NO_NORMALISATION = Sentence(
    "The model does not say how its images are normalised.", "Run Train PyTorch Model again."
)

name_sentences(globals())
