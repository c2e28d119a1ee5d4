"""One word for one thing, in all that people read. The editor's own texts: words.test.ts."""

from __future__ import annotations

import json
import re
from typing import TypedDict

import pytest

from tests.project.source import ROOT
from tests.project.texts import all_texts


class Entry(TypedDict):
    """A word, what it means, and what is never said for it."""

    word: str
    means: str
    never: str
    wrong: str
    right: str
    unless: list[str]


GLOSSARY: list[Entry] = json.loads((ROOT / "tests/cases/glossary.json").read_text("utf-8"))


def is_against(entry: Entry, words: str) -> bool:
    """Whether the text says it otherwise than the glossary, and nothing excuses it."""
    if not re.search(entry["never"], words):
        return False
    return not any(re.search(excuse, words) for excuse in entry["unless"])


@pytest.mark.parametrize("entry", GLOSSARY, ids=lambda entry: entry["word"])
def test_every_text_has_the_words_of_the_glossary(entry: Entry) -> None:
    assert is_against(entry, entry["wrong"])
    assert not is_against(entry, entry["right"])
    against = [
        f"{text.place}  {text.words}" for text in all_texts() if is_against(entry, text.words)
    ]
    assert not against, f"say {entry['word']!r} ({entry['means']}):\n" + "\n".join(against)


def test_texts_are_found_wherever_they_are_written() -> None:
    places = {text.place.partition(":")[0] for text in all_texts()}
    assert {
        "README.md",
        "pipelines/sentences/wiring.py",
        "modules/sentences/training.py",
        "pipelines/lessons/library/guides/01-digits.json",
        "pipelines/lessons/library/08-why-is-it-wrong.json",
        "designer_app/elements/start.html",
        "designer_app/elements/try_picture.js",
        "designer_app/screens/home.py",
        "pipelines/cli/runs.py",
    } <= places
    assert sum(place.startswith("module ") for place in places) >= 12
