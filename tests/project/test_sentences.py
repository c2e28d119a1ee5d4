"""Sentences and facts: each is named once, filled wherever it is used; trees are drawn whole."""

from __future__ import annotations

import ast
import importlib
import re
import string
from collections import Counter
from collections.abc import Iterator

from modules.sentences.sentence import Sentence, Statement
from pipelines import errors, problems
from pipelines.user_modules import errors as user_code_errors
from tests.project import source
from tests.project.source import ROOT

PLACES = frozenset({"node", "port", "parameter"})
"""Where a problem is: its sentence may name that, too."""
NO_FACTS = frozenset({"severity", "remedy", "details", "more"})


def tables() -> dict[str, Sentence]:
    """Every sentence by ``table.NAME`` as code names it."""
    found = {}
    for path in source.python_files("modules", "pipelines", "designer_app"):
        if path.parent.name == "sentences" or path.stem == "sentences":
            module = importlib.import_module(".".join(path.with_suffix("").parts))
            for name, value in vars(module).items():
                if isinstance(value, Sentence) and path.stem != "sentence":
                    found[f"{'.'.join(path.with_suffix('').parts)}.{name}"] = value
    return found


def wanted(sentence: Sentence) -> set[str]:
    """The names of the facts that it has places for."""
    parsed = string.Formatter().parse(sentence.message + sentence.cure)
    return {name for _, name, _, _ in parsed if name}


def calls() -> Iterator[tuple[str, ast.Call, Sentence]]:
    """Every call that is given a sentence of a table, and that sentence."""
    known = tables()
    short = {".".join(name.split(".")[-2:]): sentence for name, sentence in known.items()}
    for path in source.python_files("modules", "pipelines", "designer_app"):
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
            if isinstance(node, ast.Call):
                for argument in node.args:
                    sentence = short.get(ast.unparse(argument))
                    if sentence is not None:
                        yield f"{path}:{node.lineno}", node, sentence


def test_every_sentence_has_a_key_of_its_own_and_is_used() -> None:
    known = tables()
    twice = [key for key, count in Counter(s.key for s in known.values()).items() if count > 1]
    assert not twice
    text = "\n".join(
        (ROOT / path).read_text("utf-8")
        for path in source.python_files("modules", "pipelines", "designer_app")
        if "sentences" not in path.parts
    )
    unused = [name for name in known if ".".join(name.split(".")[-2:]) not in text]
    assert not unused


def test_sentences_are_given_the_facts_that_they_have_places_for() -> None:
    missing = {}
    for place, call, sentence in calls():
        names = {each.arg for each in call.keywords}
        if None in names or not names:  # handed on, or written by a constructor of its own
            continue
        given = {name for name in names if name and name not in NO_FACTS}
        if given - PLACES != wanted(sentence) - PLACES:
            missing[place] = (sorted(given), sorted(wanted(sentence)))
    assert missing == {}


def test_the_tree_of_errors_is_drawn_in_full() -> None:
    declared = {
        value.__name__
        for file in (errors, problems, user_code_errors)
        for value in vars(file).values()
        if isinstance(value, type) and issubclass(value, errors.DesignerError)
    }
    drawn = re.findall(r"(?:├──|└──) (\w+)", errors.__doc__ or "")
    assert sorted(drawn) == sorted(declared - {"DesignerError"})


def test_a_statement_is_written_from_its_facts_and_told_as_json() -> None:
    sentence = Sentence("files", "{count} {count:file|files}: {names}.", "Look at {why}.")
    names = [f"{number}.png" for number in range(12)]
    why = Sentence("why", "{name!r}").about({"name": "a"})
    statement = sentence.about({"count": 12, "names": names, "why": why})
    assert statement.message.startswith("12 files: 0.png, 1.png")
    assert "and 2 more" in str(statement)
    assert statement.cure == "Look at 'a'."
    told = statement.to_json()
    assert told["facts"]["names"] == {"first": names[:10], "count": 12}
    assert told["facts"]["why"] == {"reason": "why", "facts": {"name": "a"}}
    assert Statement(sentence, {**statement.facts, "count": 1}).message.startswith("1 file:")
