"""A file of modules is told from a script by its text alone."""

from __future__ import annotations

import pytest

from modules.scripts.declared_modules import declared_modules

BODY = "def first(images, parameters, context): ...\n"


@pytest.mark.parametrize(
    ("source", "titles"),
    [
        (f'from modules import module\n@module(title="First", category="C")\n{BODY}', ["First"]),
        (f"from modules.declare import module as m\n@m(category='C')\n{BODY}", ["first"]),
        (f"import modules\n@modules.module(title='A')\n{BODY}", ["A"]),
        (f"from other import module\n@module(title='A')\n{BODY}", []),
        (f"from modules import ImageDirectory\n{BODY}", []),
        ("import argparse\n", []),
        ("def", []),
        ("\0", []),
        ("(" * 20_000, []),
    ],
)
def test_only_functions_below_the_decorator_of_this_package_count(
    source: str, titles: list[str]
) -> None:
    assert declared_modules(source) == titles
