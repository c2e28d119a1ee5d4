"""Patterns of ignore files take linear time, and mean what git means by them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from modules.scripts.ignore_rules import IgnoreRules, linear

PARTS = st.sampled_from(["a", "b", "*", "**", "?", "/", "/**/", "[ab]", "a*b"])
NAMES = st.text("ab", min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "*b", "a" * 255),
        ("?*" * 60 + "b", "a" * 255),
        ("[!b]*" * 60 + "b", "a" * 255),
        ("**/a/" * 40 + "b", "a/" * 2000),
        ("a/**/" * 40 + "b", "a/" * 2000),
        ("**/*a*a*a/" * 10 + "x", ("a" * 50 + "/") * 80),
    ],
)
def test_a_pattern_that_could_try_for_ever_ends(pattern: str, path: str, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(pattern)
    assert not IgnoreRules.of(tmp_path).leave_out(path)


@given(st.lists(PARTS, min_size=1, max_size=8), st.lists(NAMES, min_size=1, max_size=6))
def test_linear_patterns_match_what_the_others_match(parts: list[str], names: list[str]) -> None:
    regex, _ = GitIgnoreSpecPattern.pattern_to_regex("".join(parts))
    if regex is not None:
        for path in ("/".join(names), "/".join(names) + "/"):
            expected = re.match(regex, path)
            matched = re.match(linear(regex), path)
            assert (matched and matched.groupdict()) == (expected and expected.groupdict())


def test_no_negated_set_takes_a_slash(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("a[!x]b")
    rules = IgnoreRules.of(tmp_path)
    assert rules.leave_out("acb")
    assert not rules.leave_out("a/b")
