"""The card of what went wrong on a run's page."""

from __future__ import annotations

import pytest

from designer_app.screens.run.failure import headline_and_lines


@pytest.mark.parametrize(
    ("message", "headline", "lines"),
    [
        ("The disk is full.", "The disk is full.", ""),
        ("Rank 1 failed:\nTraceback\n  boom", "Rank 1 failed.", "Traceback\n  boom"),
        ("It ended: 3 of 4 are left.\n", "It ended: 3 of 4 are left.", ""),
    ],
)
def test_the_lines_of_a_log_are_no_part_of_the_sentence(
    message: str, headline: str, lines: str
) -> None:
    assert headline_and_lines(message) == (headline, lines)
