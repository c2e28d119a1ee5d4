"""Sentences and facts: each is named once, filled wherever it is used; trees are drawn whole."""

from __future__ import annotations

import ast
import importlib
import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from modules.sentences.sentence import RecordedStatement, Sentence, Statement
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
    for path in source.python_files("modules", "pipelines", "designer_app", "pipeline_designer"):
        if path.parent.name == "sentences" or path.stem == "sentences":
            module = importlib.import_module(".".join(path.with_suffix("").parts))
            for name, value in vars(module).items():
                if isinstance(value, Sentence) and path.stem != "sentence":
                    found[f"{'.'.join(path.with_suffix('').parts)}.{name}"] = value
    return found


def wanted(sentence: Sentence) -> set[str]:
    """The names of the facts that it has places for."""
    parsed = string.Formatter().parse(sentence.message + sentence.cure)
    return {re.split(r"[.[]", name)[0] for _, name, _, _ in parsed if name}


@cache
def files() -> list[tuple[Path, tuple[ast.AST, ...], dict[str, str]]]:
    """Every file, all its nodes, and what it imports by the names that it gives it."""
    found = []
    for path in source.python_files("modules", "pipelines", "designer_app", "pipeline_designer"):
        nodes = source.nodes(path)
        imports = {
            each.asname or each.name: f"{node.module}.{each.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        }
        found.append((path, nodes, imports))
    return found


def sentence_named(node: ast.AST, imports: dict[str, str]) -> str | None:
    """The full name that ``table.NAME`` has."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{imports.get(node.value.id)}.{node.attr}"
    return None


def calls() -> Iterator[tuple[str, set[str | None], Sentence]]:
    """Every call that a sentence is given with facts, their names, and the sentence."""
    known = tables()
    for path, nodes, imports in files():
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            about = isinstance(node.func, ast.Attribute) and node.func.attr == "about"
            candidates = [node.func.value] if about else node.args  # type: ignore[attr-defined]
            for each in candidates:
                sentence = known.get(sentence_named(each, imports) or "")
                if sentence is not None:
                    yield f"{path}:{node.lineno}", given(node, is_about=about), sentence


def given(call: ast.Call, *, is_about: bool) -> set[str | None]:
    """The names of the facts in a call; None among them where they come from elsewhere."""
    if not is_about:
        named = {each.arg for each in call.keywords}
        finds = isinstance(call.func, ast.Attribute) and call.func.attr == "of"
        return named if named or finds or len(call.args) == 1 else {None}
    facts = call.args[0]
    keys = facts.keys if isinstance(facts, ast.Dict) else [None]
    return {each.value if isinstance(each, ast.Constant) else None for each in keys}  # type: ignore[misc]


def test_every_sentence_has_a_key_of_its_own_and_is_used() -> None:
    known = tables()
    twice = [key for key, count in Counter(s.key for s in known.values()).items() if count > 1]
    assert not twice
    keys = [name for name, s in known.items() if re.fullmatch(r"[a-z]+(_[a-z]+)+", s.message)]
    assert keys == [], "the message comes first"
    used = {sentence_named(node, imports) for _, nodes, imports in files() for node in nodes}
    assert known.keys() - used == set()


def test_sentences_are_given_the_facts_that_they_have_places_for() -> None:
    missing = {}
    for place, names, sentence in calls():
        if None in names:  # handed on
            continue
        facts = {name for name in names if name and name not in NO_FACTS}
        if facts - PLACES != wanted(sentence) - PLACES:
            missing[place] = (sorted(facts), sorted(wanted(sentence)))
    assert missing == {}


def ready(call: ast.Call, imports: dict[str, str]) -> bool:
    """True where a call gives a user a text that no table has."""
    match call.func:
        case ast.Name(name):
            tells = imports.get(name, "").startswith("modules.errors.") and name.endswith("Error")
            told = call.args[:1]
            if name in ("ParameterFinding", "DeclarationError", "CatalogFailure"):
                tells, told = True, call.args
        case ast.Attribute(value=ast.Name("warnings")):
            return False
        case ast.Attribute(attr="warn" | "summary"):
            tells, told = True, call.args
        case _:
            return False
    ready_made = ast.Constant | ast.JoinedStr | ast.BinOp | ast.Starred
    texts = any(isinstance(each, ready_made) for each in told)
    return tells and (texts or any(each.arg == "cure" for each in call.keywords))


def test_modules_and_pipelines_take_what_they_tell_from_tables() -> None:
    found = {
        path.as_posix()
        for path, nodes, imports in files()
        if path.parts[0] in ("modules", "pipelines")
        for node in nodes
        if isinstance(node, ast.Call) and ready(node, imports)
    }
    assert found == set()


def test_what_is_told_as_ready_text_does_not_grow() -> None:
    """mypy refuses text where a sentence belongs; ``RELAYED`` is the way round it, for these."""
    text = {str(path): (ROOT / path).read_text("utf-8") for path, _, _ in files()}
    relaying = {path for path, content in text.items() if "refusals.RELAYED" in content}
    assert relaying == {
        "pipelines/cli/output.py",
        "pipelines/problems.py",
    }


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
    sentence = Sentence("{count} {count:file|files}: {names}.", "Look at {why}.", key="files")
    names = [f"{number}.png" for number in range(12)]
    why = Sentence("{name!r}", key="why").about({"name": "a"})
    statement = sentence.about({"count": 12, "names": names, "why": why})
    assert statement.message.startswith("12 files: 0.png, 1.png")
    assert "and 2 more" in str(statement)
    assert statement.cure == "Look at 'a'."
    told = statement.to_json()
    assert told["facts"]["names"] == {"first": names[:10], "count": 12}
    assert told["facts"]["why"] == {"reason": "why", "facts": {"name": "a"}}
    assert Statement(sentence, {**statement.facts, "count": 1}).message.startswith("1 file:")


def test_what_was_told_elsewhere_keeps_its_reason_and_its_text() -> None:
    sentence = Sentence("Attempt {number} failed: {why} Trying again.", key="again")
    problem = Sentence("The disk is full.", "Free {num_bytes:,} bytes.", key="full")
    said = problem.about({"num_bytes": 1000})
    told = {"message": said.message, "cure": said.cure, **said.to_json()}
    again = sentence.about({"number": 1, "why": RecordedStatement.of(told).alone})
    assert again.message == "Attempt 1 failed: The disk is full. Trying again."
    assert again.to_json()["facts"]["why"] == said.to_json()
    assert str(RecordedStatement.of(told)) == str(said)


def test_what_an_author_said_is_a_text_among_facts() -> None:
    older = {"message": "It failed.", "cure": "Look."}
    again = Sentence("{why}", key="again").about({"why": RecordedStatement.of(older)})
    assert again.to_json()["facts"] == {"why": "It failed. Look."}
