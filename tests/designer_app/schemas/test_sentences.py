"""Sentences that the editor has too: made from the tables, filled by the same rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from designer_app.schemas.sentences import SENTENCES, SentencesFile
from modules.sentences.sentence import Sentence, Statement
from pipelines.sentences import refusals, steps, wiring
from tests.pipelines.document import cases


def test_a_change_of_a_table_or_by_hand_is_noticed(tmp_path: Path) -> None:
    file = SentencesFile(tmp_path / "edits.gen.ts", SENTENCES["edits"])
    assert "missing" in (file.stale_reason() or "")
    file.write()
    assert file.stale_reason() is None
    assert "the tables" in (replace(file, sentences=file.sentences[1:]).stale_reason() or "")
    file.path.write_text(file.path.read_text("utf-8").replace("node", "nodes"), "utf-8")
    assert "the tables" in (file.stale_reason() or "")


def test_facts_are_named_so_that_typescript_asks_for_them() -> None:
    text = SentencesFile(Path("x.gen.ts"), (wiring.NO_NODE, wiring.FEEDS_ITSELF)).text()
    assert 'export const NO_NODE: Sentence<"name" | "help"> = [' in text
    assert "export const FEEDS_ITSELF: Sentence<never> = [" in text


def test_quotes_are_those_that_prettier_would_write() -> None:
    """Single ones around a text with more double quotes inside than single ones."""
    text = SentencesFile(Path("x.gen.ts"), (wiring.NOT_CONNECTED,)).text()
    assert f"\n  '{wiring.NOT_CONNECTED.message}',\n  \"Connect" in text


@pytest.mark.parametrize("sentence", [steps.TIME_LIMIT, refusals.RELAYED])
def test_rules_that_the_editor_does_not_have_are_refused(sentence: Sentence) -> None:
    broken = replace(sentence, message="{minutes:g} {why.message}")
    with pytest.raises(ValueError, match=r"sentence\.ts has no rule"):
        SentencesFile(Path("x.gen.ts"), (broken,)).text()


@pytest.mark.parametrize("case", cases.named(cases.load("sentences.json")))
def test_shared_cases(case: dict[str, Any]) -> None:
    statement = _statement(case)
    assert str(statement) == case["text"]
    assert statement.to_json()["facts"] == case["told"]


def _statement(content: dict[str, Any]) -> Statement:
    facts = {
        name: _statement(fact) if isinstance(fact, dict) else fact
        for name, fact in content["facts"].items()
    }
    key = content.get("key", "case")
    return Sentence(content["message"], content["cure"], key=key).about(facts)
