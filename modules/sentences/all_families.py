"""Messages that several families use."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

SUMMARY = Sentence("summary", "{parts}")
NO_NORMALISATION = Sentence(
    "no_normalisation",
    "The model does not say how its images are normalised.",
    "Run Train PyTorch Model again.",
)
