"""Translations: texts of the interface are marked, and a translated catalog works in Python."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from designer_app.schemas.sentences import SENTENCES
from modules.sentences import translation
from modules.sentences.sentence import Sentence, filled
from tests.languages import in_czech
from tests.project import catalogs, source
from tests.project.source import ROOT

CASES = json.loads((ROOT / "tests/cases/translations.json").read_text("utf-8"))
SHOWN_FOLDERS = ("screens", "elements", "viewers", "ui")
SHOWING = re.compile(
    r"badge|button|caption|checkbox|download_button|error|expander|form_submit_button|header|"
    r"heading|info|link_button|markdown|multiselect|nothing_here|number_input|popover|radio|"
    r"segmented_control|selectbox|spinner|subheader|success|tab_title|tabs|text_area|text_input|"
    r"title|toggle|warning|write"
)
"""Functions whose first argument is shown."""
SHOWN_NAMES = frozenset({"help", "label", "title", "text", "action", "figure_name"})
PROPER = frozenset({"Pipeline Designer", "CSV", "Parquet", "Python"})
"""Names that are the same in every language."""
WORDS = re.compile(r"[A-Za-z]{2}")
OUTPUT = re.compile(r"^\W*[A-Z][a-z]+(?![\w])|[a-z]{2,}\s|\s[a-z]{2,}")
"""A text in the output of a command: a word with a capital letter, or several words."""
WORDS_IN_OUTPUT = re.compile(r"[A-Za-z]{2,}\s|\s[A-Za-z]{2,}")
COMMAND = re.compile(r"(designer|python -m|chmod) |(Python|psycopg)\s*$|(Table|Arguments)$")
"""Commands, versions and names of types."""
CHECK_NAMES = frozenset({"object stores", "shared memory"})
NOT_OUTPUT = frozenset({"help", "style", "metavar"})
MARKUP = re.compile(r":material/\w+:|:\w+\[|<[^>]*>|%[a-zA-Z]|var\(--[\w-]+\)|[\w-]+\.\w+")


def test_texts_of_pages_are_marked_for_translation() -> None:
    found = [
        f"{path}:{line} {text}"
        for path in source.python_files("designer_app")
        if path.parts[1] in SHOWN_FOLDERS
        for line, text in _unmarked(source.nodes(path))
    ]
    assert found == []


def _unmarked(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Literals that are arguments of what draws on the page."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        shown = [word.value for word in node.keywords if word.arg in SHOWN_NAMES]
        shown += node.args[:1] if SHOWING.fullmatch(name) else []
        for value in shown:
            if (text := _literal(value)) and WORDS.search(MARKUP.sub("", text)):
                yield node.lineno, text


def _literal(node: ast.expr) -> str:
    """The fixed words of a text, unless the whole is a name or code."""
    match node:
        case ast.Constant(str(text)):
            return "" if text in PROPER else text
        case ast.JoinedStr(parts):
            return " ".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
        case ast.IfExp(body=body, orelse=orelse):
            return f"{_literal(body)} {_literal(orelse)}".strip()
    return ""


def test_texts_are_literals_with_known_placeholders() -> None:
    """A text that is not a literal is in no catalog; mypy does not know names of placeholders."""
    wrong = []
    for path in source.python_files(*catalogs.PACKAGES):
        for node in source.nodes(path):
            match node:
                case ast.Call(func=ast.Name("_"), args=[ast.Constant(str(text))], keywords=facts):
                    known = {name for name, _ in catalogs.placeholders(text)}
                    given = {fact.arg for fact in facts}
                    if None not in given and known != given:
                        wrong.append(
                            f"{path}:{node.lineno} {sorted(known)} {sorted(map(str, given))}"
                        )
                case ast.Call(func=ast.Name("_")):
                    wrong.append(f"{path}:{node.lineno} is no literal")
    assert wrong == []


def test_output_of_commands_is_marked_for_translation() -> None:
    files = [
        *source.python_files("pipelines/cli"),
        *source.python_files("pipelines/reference"),
        Path("pipelines/doctor.py"),
    ]
    found = [
        f"{path}:{line} {text}"
        for path in files
        for line, text in _unmarked_prose(source.parsed(path))
    ]
    assert found == []


def _unmarked_prose(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts outside ``_("...")``, docstrings and help, which typer reads."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Name("_"), keywords=facts):
            children: list[ast.AST] = [fact.value for fact in facts]
        case ast.Call(func=function, args=arguments, keywords=options):
            shown = [option.value for option in options if option.arg not in NOT_OUTPUT]
            children = [function, *arguments, *shown]
        case ast.JoinedStr(values=parts):
            children = [part for part in parts if isinstance(part, ast.FormattedValue)]
            text = MARKUP.sub("", " ".join(_literal(part) for part in parts))
            if WORDS_IN_OUTPUT.search(text) and not COMMAND.match(text):
                yield node.lineno, ast.unparse(node)
        case ast.Constant(str(text)):
            children = []
            if OUTPUT.search(text) and not COMMAND.match(text) and text not in CHECK_NAMES:
                yield node.lineno, text
        case _:
            children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _unmarked_prose(child)


def test_every_text_of_scripts_is_extracted() -> None:
    calls = re.compile(r"(?<![\w.$])(?:t|rich)\(\s*(?!\))")
    missed = []
    for pattern in catalogs.BROWSER_FILES:
        for path in sorted(ROOT.glob(pattern)):
            script = path.read_text("utf-8")
            known = {call.start() for call in catalogs.BROWSER_CALL.finditer(script)}
            missed += [
                f"{path.relative_to(ROOT)}: {script[call.start() : call.start() + 60]}"
                for call in calls.finditer(script)
                if call.start() not in known
            ]
    assert missed == []


@pytest.fixture
def czech(tmp_path: Path) -> Iterator[Catalog]:
    """A catalog of some texts, in the language of this process."""
    entries = [(e["text"], e.get("context", ""), e["translation"]) for e in CASES["texts"]]
    with in_czech(tmp_path, entries) as catalog:
        yield catalog


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["expected"])
@pytest.mark.usefixtures("czech")
def test_translated_texts_have_the_forms_of_their_language(case: dict[str, Any]) -> None:
    entry = CASES["texts"][case["text"]]
    context = entry.get("context", "")
    assert filled(entry["text"], case["facts"], context) == case["expected"]


@pytest.mark.usefixtures("czech")
def test_untranslated_texts_are_english() -> None:
    case = CASES["untranslated"]
    assert filled(case["text"], case["facts"]) == case["expected"]


@pytest.mark.usefixtures("czech")
def test_a_sentence_is_translated_by_its_key() -> None:
    message, cure = CASES["texts"][1]["text"], CASES["texts"][2]["text"]
    said = Sentence(message, cure, key="full").about({"num_bytes": 5})
    assert str(said) == "Disk je plný. Uvolněte 5 bajtů."
    assert said.to_json() == {"reason": "full", "facts": {"num_bytes": 5}}
    assert str(Sentence(message, key="other").about({})) == message


def test_english_needs_no_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in ("en_US.UTF-8", "C", "en:cs", ""):
        monkeypatch.setenv("LANGUAGE", chosen)
        translation.translations.cache_clear()
        assert translation.translations() is None
    translation.translations.cache_clear()


def test_a_catalog_is_read_as_it_was_written(czech: Catalog) -> None:
    written = catalogs.po_text(czech)
    assert "nplurals=4" in written
    assert "Date" not in written
    again = read_po(io.BytesIO(written.encode("utf-8")), locale="cs")
    assert catalogs.po_text(again) == written


@pytest.mark.parametrize(
    ("translated", "fault"),
    [
        ("{anzahl} Bilder", "unknown placeholder 'anzahl'"),
        ("Bilder", "lacks the placeholders count"),
        ("{count:Bild|Bilder|Bildern}", "3 forms of 'count', but needs 2"),
        ("{count", "invalid placeholders"),
    ],
)
def test_wrong_placeholders_are_found(translated: str, fault: str) -> None:
    catalog = Catalog(locale="de")
    catalog.add("{count} {count:image|images}", translated)
    assert fault in " ".join(catalogs.wrong_translations(catalog))


def test_a_changed_text_keeps_its_translation_for_review() -> None:
    before, after = "Delete all of these runs?", "Delete all of the runs?"
    catalog = Catalog(locale="cs")
    catalog.add(before, "Smazat všechny tyto běhy?")
    template = Catalog()
    template.add(after)
    catalog.update(template)
    assert catalog[after].string == "Smazat všechny tyto běhy?"
    assert not catalogs.is_translated(catalog[after])
    assert f'#, fuzzy\nmsgid "{after}"' in catalogs.po_text(catalog)


def test_the_browser_has_its_texts_and_shared_sentences() -> None:
    catalog = Catalog(locale="cs")
    text, _, _ = next(catalogs.browser_texts())
    sentence = SENTENCES["edits"][0]
    catalog.add(text, "A")
    catalog.add(sentence.message, "B", context=sentence.key)
    catalog.add("Only on pages of Python", "C")
    content = json.loads(catalogs.json_text("cs", {"designer_app": catalog}))
    assert content == {
        "language": "cs",
        "separators": ["\u00a0", ","],
        "texts": {text: "A", f"{sentence.key}\x04{sentence.message}": "B"},
    }
