"""The table of changed messages, from the tables of two commits."""

from __future__ import annotations

from tests.project.changed_messages import changes, messages_in, summary, table

BEFORE = """
GONE = Sentence("gone", "Old.")
SAME = Sentence("same", "Same.", "Fix it.")
FULL = Sentence("full", "The disk is " "full.", "Free {size:MB|GB}.")
RENAMED = Sentence("old_key", "Nothing is called that.")
"""
AFTER = """
SAME = Sentence("same", "Same.", "Fix it.")
CURE = "Free disk space."
FULL = Sentence("full", "The disk is full.", CURE)
RENAMED = Sentence("new_key", "Not found.")
FIRST = Sentence("first", "New.")
OTHER = compute("first")
"""


def test_messages_are_compared_by_key_then_by_name() -> None:
    before = list(messages_in("modules/sentences/files.py", BEFORE))
    after = list(messages_in("modules/sentences/files.py", AFTER))
    pairs = list(changes(before, after))
    assert table(pairs).splitlines()[2:] == [
        r"| full | The disk is full. Free {size:MB\|GB}. | The disk is full. Free disk space. |",
        "| new_key (was old_key) | Nothing is called that. | Not found. |",
    ]
    counted = "2 of 4 messages changed; 2 keys are new, 2 were deleted."
    assert summary(before, after, len(pairs)) == counted


def test_the_same_tables_have_no_changes() -> None:
    messages = list(messages_in("modules/sentences/files.py", BEFORE))
    assert list(changes(messages, messages)) == []
