"""Catalogs of translations: extracted, updated, compiled and checked.

``make catalogs`` (``python -m tests.project.catalogs``) writes for each package
``locale/<package>.pot`` from the texts in the code, merges it into every
``locale/<language>/LC_MESSAGES/<package>.po``, and compiles these: ``.mo`` for Python, and
``designer_app.json`` with the texts of the browser. The ``.pot`` files are for translators and are
not committed. ``--check`` reports files that are out of date and translations with wrong
placeholders. ``--add cs`` begins the catalogs of a language.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import json
import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from babel.numbers import get_decimal_symbol, get_group_symbol
from babel.plural import to_gettext

from designer_app.command import designer
from designer_app.schemas.sentences import SENTENCES
from modules.catalog import builtin_modules
from modules.module_texts import texts_of
from modules.sentences.sentence import Sentence
from modules.sentences.translation import FRACTION_FORM, NUMBER_FORMAT, recorder
from pipelines.cli.help_texts import help_texts
from pipelines.lessons.lesson import lessons
from pipelines.lessons.lesson_texts import guide_with_texts, with_texts
from pipelines.problems import error_kinds
from tests.project import source
from tests.project.source import ROOT

COMMAND = "make catalogs"
PACKAGES = ("modules", "pipelines", "designer_app")
APP = "designer_app"
SCRIPTS = "pipeline_designer"
"""Package whose texts are in the catalog of ``pipelines``."""
BROWSER_FILES = (
    "designer_app/frontend/src/**/*.ts",
    "designer_app/frontend/src/**/*.tsx",
    "designer_app/elements/*.js",
    "designer_app/serving/page/*.js",
    "designer_app/editor/loader.js",
)
PAGE_FILES = (
    "designer_app/elements/*.html",
    "designer_app/security/*.html",
    "designer_app/serving/page/*.html",
)
LITERAL = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`)"""
BROWSER_CALL = re.compile(rf"(?<![\w.$])(?:t|rich|filled)\(\s*({LITERAL}(?:\s*\+\s*{LITERAL})*)")
PAGE_TEXT = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
FORMS = ("zero", "one", "two", "few", "many", "other")
SEPARATOR = "\x04"
"""Between context and text in compiled catalogs, as gettext has it."""
VOLATILE = re.compile(
    r'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Report-Msgid-Bugs-To):.*\n', re.MULTILINE
)
FORMAT = re.compile(r"[,.\d]*[a-z%]?")
"""Formats of placeholders that ``str.format`` knows, as far as texts use them."""
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""Compiled files are the same whenever they are made."""
WIDTH = 100

Text = tuple[str, str, str]
"""Text, its context, and the file that contains it."""


def texts(package: str) -> Iterator[Text]:
    """All texts of a package that can be translated."""
    for path, sentence in tables(package).values():
        yield sentence.message, sentence.key, path
        if sentence.cure:
            yield sentence.cure, f"{sentence.key}.cure", path
    folders = (package, SCRIPTS) if package == "pipelines" else (package,)
    for file in source.python_files(*folders):
        for text in _python_texts(source.parsed(file)):
            yield text, "", file.as_posix()
    if package == "modules":
        yield from module_texts()
    if package == "pipelines":
        yield from lesson_texts()
        yield from ((kind.when, "", "pipelines/problems.py") for kind in error_kinds())
    yield from help_of_commands(package)
    if package == APP:
        yield from browser_texts()
        for path, text in _texts_of_pages():
            yield text, "", path


def module_texts() -> Iterator[Text]:
    """The titles, help, ports and parameters of the built-in modules."""
    for module in builtin_modules():
        path = f"{module.function.__module__.replace('.', '/')}.py"
        for text, context in texts_of(module):
            yield text, context, path


def help_of_commands(package: str) -> Iterator[Text]:
    """The help of the commands, arguments and options of a package."""
    path = {"pipelines": "pipelines/cli/__init__.py", APP: "designer_app/command.py"}
    for text, owner in help_texts(designer):
        if owner == package:
            yield text, "", path[package]


def lesson_texts() -> Iterator[Text]:
    """The titles, notes and steps of the lessons."""
    for lesson in lessons():
        document: list[tuple[str, str]] = []
        with_texts(lesson.document, recorder(document))
        guide: list[tuple[str, str]] = []
        guide_with_texts(lesson.guide, recorder(guide))
        for folder, texts in (("", document), ("guides/", guide)):
            for text, context in texts:
                yield text, context, f"pipelines/lessons/library/{folder}{lesson.slug}.json"


def tables(*packages: str) -> dict[str, tuple[str, Sentence]]:
    """The sentences of the tables, with their files, by ``package.table.NAME``."""
    sentences = {}
    for path in source.python_files(*packages):
        if path.stem != "sentences" and (
            path.parent.name != "sentences" or path.stem == "sentence"
        ):
            continue
        table = ".".join(path.with_suffix("").parts)
        for name, value in vars(importlib.import_module(table)).items():
            if isinstance(value, Sentence):
                sentences[f"{table}.{name}"] = (path.as_posix(), value)
    return sentences


def _python_texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("_"), args=[ast.Constant(str(text)), *_]):
                yield text


def browser_texts() -> Iterator[Text]:
    """The texts of the browser's scripts: literals in ``t("...")`` and ``filled("...")``."""
    for pattern in BROWSER_FILES:
        for path in sorted(ROOT.glob(pattern)):
            script = path.read_text("utf-8")
            for call in BROWSER_CALL.finditer(script):
                literals = re.findall(LITERAL, call[1])
                text = "".join(map(_unquoted, literals))
                yield text, "", path.relative_to(ROOT).as_posix()


def _unquoted(literal: str) -> str:
    inner = literal[1:-1]
    escapes = {"n": "\n", "t": "\t"}
    inner = re.sub(r"\\u\{?([0-9a-fA-F]+)\}?", lambda code: chr(int(code[1], 16)), inner)
    return re.sub(r"\\(.)", lambda escape: escapes.get(escape[1], escape[1]), inner)


def _texts_of_pages() -> Iterator[tuple[str, str]]:
    for pattern in PAGE_FILES:
        for path in sorted(ROOT.glob(pattern)):
            for text in PAGE_TEXT.findall(path.read_text("utf-8")):
                yield path.relative_to(ROOT).as_posix(), text


def template(package: str) -> Catalog:
    """The catalog without translations."""
    catalog = Catalog(project="Pipeline Designer", header_comment="")
    for text, context, path in texts(package):
        catalog.add(text, locations=[(path, 0)], context=context or None)
    return catalog


def po_text(catalog: Catalog) -> str:
    """The file of a catalog, without dates and line numbers, which would make it stale at once."""
    for message in catalog:
        if message.id and not all(map(FORMAT.fullmatch, _formats(str(message.id)))):
            message.flags.discard("python-brace-format")  # other tools would call it invalid
    written = io.BytesIO()
    write_po(written, catalog, width=WIDTH, include_lineno=False, sort_by_file=True)
    return VOLATILE.sub("", written.getvalue().decode("utf-8"))


def languages() -> list[str]:
    """All languages with a catalog, which is none as long as the app is in English only."""
    folders = ROOT.glob("*/locale/*/LC_MESSAGES")
    return sorted({folder.parent.name for folder in folders if folder.parents[2].name in PACKAGES})


def updated(package: str, language: str, template: Catalog) -> Catalog:
    """The catalog of a language with the texts of the template and the language's plural rule."""
    path = po_path(package, language)
    translations = Catalog(locale=language)
    if path.is_file():
        with path.open("rb") as file:
            translations = read_po(file, locale=language)
    translations.update(template)
    translations.obsolete.clear()
    translations.fuzzy = False  # the header needs no confirmation
    translations.header_comment = ""
    rule = Locale.parse(language).plural_form
    translations.mime_headers = [("Plural-Forms", to_gettext(rule))]
    return translations


def is_translated(message: Message) -> bool:
    """False too for translations of an earlier text, which a translator has yet to confirm."""
    return bool(message.id and message.string) and not message.fuzzy


def po_path(package: str, language: str) -> Path:
    """The translations of a package into a language."""
    return ROOT / package / "locale" / language / "LC_MESSAGES" / f"{package}.po"


def mo_content(catalog: Catalog) -> bytes:
    """The catalog compiled for Python, with the form for fractions and a number."""
    compiled = Catalog(locale=catalog.locale, header_comment="", creation_date=NO_DATE)
    compiled.mime_headers = [("Plural-Forms", catalog.plural_forms)]
    for message in catalog:
        if is_translated(message):
            compiled.add(message.id, message.string, context=message.context)
    context, fraction = FRACTION_FORM
    compiled.add(fraction, str(_fraction_form(str(catalog.locale))), context=context)
    context, number = NUMBER_FORMAT
    group, decimal = separators(str(catalog.locale))
    compiled.add(number, f"1{group}234{decimal}5", context=context)
    written = io.BytesIO()
    write_mo(written, compiled)
    return written.getvalue()


def _fraction_form(language: str) -> int:
    rule = Locale.parse(language).plural_form
    return _forms(language).index(rule(Decimal("1.5")))


def separators(language: str) -> tuple[str, str]:
    """The separator of thousands and the decimal separator of a language."""
    locale = Locale.parse(language)
    return get_group_symbol(locale), get_decimal_symbol(locale)


def _forms(language: str) -> list[str]:
    tags = {*Locale.parse(language).plural_form.tags, "other"}
    return [form for form in FORMS if form in tags]


def json_text(language: str, catalogs: dict[str, Catalog]) -> str:
    """The catalog of the browser: texts of its scripts, and what it shares with Python."""
    shared = {sentence.key for sentences in SENTENCES.values() for sentence in sentences}
    shown = {text for text, _, _ in browser_texts()}
    found = {}
    for message in (message for catalog in catalogs.values() for message in catalog):
        context = message.context or ""
        is_shown = context.removesuffix(".cure") in shared if context else message.id in shown
        is_shown |= context == "type"
        if is_shown and is_translated(message):
            found[f"{context}{SEPARATOR}{message.id}" if context else str(message.id)] = str(
                message.string
            )
    content = {
        "language": language.replace("_", "-"),
        "separators": separators(language),
        "texts": dict(sorted(found.items())),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def wrong_translations(catalog: Catalog) -> Iterator[str]:
    """Sentences about translations whose placeholders or plural forms are wrong."""
    for message in catalog:
        if is_translated(message):
            yield from _faults(message, str(catalog.locale))


def _faults(message: Message, language: str) -> Iterator[str]:
    number = len(_forms(language))
    where = f"{language}: {message.string!r}"
    try:
        known = {name for name, _ in placeholders(str(message.id))}
        used = list(placeholders(str(message.string)))
    except ValueError as error:
        yield f"{where} has invalid placeholders: {error}."
        return
    for name, spec in used:
        if name not in known:
            yield f"{where} has the unknown placeholder {name!r}."
        if "|" in spec and spec.count("|") + 1 != number:
            yield f"{where} has {spec.count('|') + 1} forms of {name!r}, but needs {number}."
    missing = known - {name for name, _ in used}
    if missing:
        yield f"{where} lacks the placeholders {', '.join(sorted(missing))}."


def placeholders(text: str) -> Iterator[tuple[str, str]]:
    """Names and formats of the placeholders of a text, also of those within formats."""
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            yield re.split(r"[.[]", name)[0], spec or ""
            if spec and "{" in spec:
                yield from placeholders(spec)


def _formats(text: str) -> Iterator[str]:
    return (spec for _, spec in placeholders(text))


def outputs() -> dict[Path, bytes]:
    """Every generated file and its content."""
    templates = {package: template(package) for package in PACKAGES}
    files = {
        ROOT / package / "locale" / f"{package}.pot": po_text(catalog).encode("utf-8")
        for package, catalog in templates.items()
    }
    for language in languages():
        catalogs = {package: updated(package, language, templates[package]) for package in PACKAGES}
        for package, catalog in catalogs.items():
            path = po_path(package, language)
            files[path] = po_text(catalog).encode("utf-8")
            files[path.with_suffix(".mo")] = mo_content(catalog)
        path = po_path(APP, language).with_suffix(".json")
        files[path] = json_text(language, catalogs).encode("utf-8")
    return files


def problems() -> list[str]:
    """Sentences about stale files and wrong translations."""
    stale = [
        f"{path.relative_to(ROOT)} is out of date: run `{COMMAND}`."
        for path, content in outputs().items()
        if path.suffix != ".pot" and (not path.is_file() or path.read_bytes() != content)
    ]
    wrong = [
        fault
        for language in languages()
        for package in PACKAGES
        for fault in wrong_translations(updated(package, language, template(package)))
    ]
    return [*stale, *wrong]


def _progress(language: str) -> str:
    catalogs = [updated(package, language, template(package)) for package in PACKAGES]
    texts = [message for catalog in catalogs for message in catalog if message.id]
    return f"{sum(map(is_translated, texts)):,} of {len(texts):,} texts are translated"


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.project.catalogs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only report what is out of date")
    parser.add_argument("--add", metavar="LANGUAGE", help="begin the catalogs of a language")
    options = parser.parse_args(arguments)
    if options.add:
        for package in PACKAGES:
            po_path(package, options.add).parent.mkdir(parents=True, exist_ok=True)
    if not options.check:
        for path, content in outputs().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for language in languages():
            print(f"{language}: {_progress(language)}")
    reasons = problems() if options.check else []
    for reason in reasons:
        print(reason, file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    raise SystemExit(main())
