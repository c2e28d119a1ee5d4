"""The field that chooses how images are labelled."""

from __future__ import annotations

import pytest

from designer_app.screens.label_choice import option_text
from modules.sentences import layouts as say
from modules.sentences.sentence import Sentence

FACTS = {"tables": ["labels.csv"], "count": 1, "labelled": 24, "images": 24, "classes": 2}


@pytest.mark.parametrize("sentence", [say.READ_AS_TABLE, say.READ_AS_TABLE_OF_CLASSES])
def test_the_name_of_a_table_stays_as_it_is(sentence: Sentence) -> None:
    reading = sentence.about({**FACTS, "columns": ("image", "label")})
    assert option_text(reading) == "labels.csv labels 24 of 24 images, 2 classes"


def test_other_readings_start_with_a_capital() -> None:
    facts = {"images": 8, "classes": 1, "folder": "images"}
    expected = "All 8 images are in one folder, images, used as their class"
    assert option_text(say.READ_AS_ONE_CLASS.about(facts)) == expected
