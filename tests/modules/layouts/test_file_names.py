"""Files by the names in a table, however these are spelled."""

from __future__ import annotations

import pytest

from modules.layouts.file_names import FileNames

PATHS = ("a/cat.png", "a/dog.jpg", "b/dog.jpg", "b/bee.png", "b/bee.jpg", "ant")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("CAT.PNG", "a/cat.png"),
        ("Cat", "a/cat.png"),
        ("A/Cat", "a/cat.png"),
        ("A/DOG.JPG", "a/dog.jpg"),
        ("DOG.jpg", None),
        ("BEE", None),
        ("BEE.JPG", "b/bee.jpg"),
        ("ANT", "ant"),
        ("Fox.png", None),
    ],
)
@pytest.mark.parametrize("others", [(), ("c/Fly.PNG",)], ids=["lower case", "both"])
def test_case_does_not_matter(name: str, path: str | None, others: tuple[str, ...]) -> None:
    assert FileNames((*PATHS, *others), ("", "", "")).find(name) == path
