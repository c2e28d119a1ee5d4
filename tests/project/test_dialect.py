"""Words of the old dialect only become fewer; ``tests/project/dialect.py`` counts them."""

from __future__ import annotations

import json

from tests.project import dialect

RECORD = "Record the lower count: python -m tests.project.dialect --record"


def test_no_folder_has_more_words_of_the_dialect_than_recorded() -> None:
    recorded, counts = json.loads(dialect.COUNTS.read_text("utf-8")), dialect.counts()
    for folder, kinds in counts.items():
        for kind, count in kinds.items():
            allowed = recorded.get(folder, {}).get(kind, 0)
            assert count <= allowed, _explained(folder, kind)
    assert counts == recorded, RECORD


def test_words_are_found_but_not_in_code() -> None:
    assert dialect.words().search("It is computed anew.")
    assert not dialect.words().search(dialect.CODE.sub("`code`", "Call ``tell()`` again."))


def _explained(folder: str, kind: str) -> str:
    return (
        f"New words of the dialect in {folder} ({kind}): python -m tests.project.dialect {folder}"
    )
