"""Messages about classes show where a name ends."""

from __future__ import annotations

import pytest

from modules.errors import InvalidDatasetError
from modules.training.input_checks import check_classes
from tests.modules.conftest import Workplace
from tests.modules.training.noise import noise_squares


def test_names_with_blanks_at_their_ends_are_in_quotes(workplace: Workplace) -> None:
    store = workplace.root / "store"
    training = noise_squares(store / "a/out", ["cat", "dog"], per_class=1)
    validation = noise_squares(store / "b/out", ["cat ", "dog"], per_class=1)
    with pytest.raises(InvalidDatasetError) as caught:
        check_classes(training, validation, workplace.context())
    assert "training dataset has cat;" in caught.value.message
    assert "validation dataset has 'cat '." in caught.value.message
