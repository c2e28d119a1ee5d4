"""Generated TypeScript files with the sentences that the editor shows without the server.

One file per part of the editor, so that code loaded later includes its sentences. Placeholders
follow ``modules.sentences.sentence``, as far as ``graph/sentences/sentence.ts`` supports them;
``designer_app.api.typescript`` is the command.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from designer_app.schemas.typescript import COMMAND, SOURCES_DIR
from modules.files.whole_files import replacing
from modules.sentences.sentence import Sentence
from pipelines.sentences import documents, sub_pipelines, values, wiring

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "edits": (
        wiring.NO_NODE,
        wiring.NO_MODULE,
        wiring.NO_PART_DRAWN,
        wiring.DID_YOU_MEAN,
        wiring.CHOOSE_ONE,
        wiring.THERE_IS_NONE,
        wiring.NO_NODE_DRAWN,
        wiring.MODULE_NOT_INSTALLED,
        wiring.NO_OUTPUT_OF_MODULE,
        wiring.NO_INPUT_OF_MODULE,
        wiring.FEEDS_ITSELF,
        wiring.CONNECTED_ALREADY,
        wiring.WOULD_CLOSE_CIRCLE,
        wiring.BRIDGED_TYPES,
        wiring.OTHER_OUTPUT_FITS,
        wiring.NOTHING_FITS,
        wiring.A_TYPE,
        wiring.AN_TYPE,
    ),
    "insertions": (
        wiring.PORT_OF,
        wiring.NO_LINK_ENDS,
        wiring.NO_BRIDGE,
        wiring.DOES_NOT_FIT_BETWEEN,
        wiring.NONE_FITS_ON_LINK,
    ),
    "subPipelines": (
        sub_pipelines.NOTHING_CHOSEN,
        sub_pipelines.NO_SUB_PIPELINE,
        sub_pipelines.HOLDS_ITSELF,
        sub_pipelines.LIES_BETWEEN,
        sub_pipelines.NAMED_INSIDE,
    ),
    "checks": (
        wiring.NO_MODULE_OF_NODE,
        wiring.OLDER_VERSION,
        wiring.NEWER_VERSION,
        wiring.NOTHING_TO_RUN,
        wiring.NOT_CONNECTED,
        wiring.GETS_NOTHING,
        wiring.TWO_LINKS,
        wiring.LINK_FROM_NO_NODE,
        wiring.LINK_TO_NO_NODE,
        wiring.LINK_NO_OUTPUT,
        wiring.LINK_NO_INPUT,
        wiring.CIRCLE,
        wiring.NO_COMPUTE_TARGET,
        wiring.ONE_PROCESS,
        wiring.ONE_PROCESS_LAUNCHED,
        wiring.NOT_LAUNCHING,
        wiring.PARAMETER_SERVERS,
        wiring.RESERVED_VARIABLES,
        wiring.TOO_MANY_NODES,
        wiring.TOO_MANY_PROCESSES,
    ),
    "values": (
        values.NO_PARAMETER,
        values.EMPTY,
        values.EMPTY_WITH_DEFAULT,
        values.NO_CHOICE,
        values.OUT_OF_RANGE,
        values.OUT_OF_TWO_BOUNDS,
        values.TOO_LONG,
        values.WRONG_TYPE,
        values.GREATER_THAN,
        values.AT_LEAST,
        values.LESS_THAN,
        values.AT_MOST,
        values.WHOLE_NUMBER,
        values.NUMBER,
        values.TRUE_OR_FALSE,
        values.TEXT,
        values.LIST,
        values.OBJECT,
    ),
    "parts": (
        documents.PART_TOO_DEEP,
        documents.PART_TOO_LARGE,
        documents.PART_NOT_FINITE,
        documents.PART_NOT_UNICODE,
        documents.PART_MISSING,
        documents.PART_UNKNOWN,
        documents.PART_TEXT,
        documents.PART_WHOLE,
        documents.PART_NUMBER,
        documents.PART_BOOLEAN,
        documents.PART_OBJECT,
        documents.PART_LIST,
        documents.PART_GREATER,
        documents.PART_AT_LEAST,
        documents.PART_AT_MOST,
        documents.PART_TOO_LONG,
        documents.PART_TOO_MANY,
        documents.PART_NO_ID,
        documents.PART_NO_BIND,
        documents.PART_WRONG,
        documents.THE_DOCUMENT,
    ),
    "documents": (
        documents.NOT_A_DOCUMENT,
        documents.NOT_JSON,
        documents.NO_OBJECT,
        documents.NO_FORMAT,
        documents.OTHER_FORMAT,
        documents.NEWER_FORMAT,
        documents.SAME_ID,
        documents.MORE_PROBLEMS,
        documents.IN_DEFINITION,
    ),
}
"""Sentences by file in ``graph/sentences``; knip reports those that the editor does not use."""
_TABLES = (documents, sub_pipelines, values, wiring)
_NAMES = {
    id(value): name
    for table in _TABLES
    for name, value in vars(table).items()
    if isinstance(value, Sentence)
}
_WIDTH = 100


@dataclass(frozen=True)
class SentencesFile:
    """Generated file with its sentences."""

    path: Path
    sentences: tuple[Sentence, ...]

    def text(self) -> str:
        """Return the required content of the file, formatted like prettier."""
        note = f"// Made by `{COMMAND}` from the tables of Python: do not edit."
        imported = 'import type { Sentence } from "./sentence";'
        entries = "\n".join(_entry(sentence) for sentence in self.sentences)
        return f"{note}\n{imported}\n\n{entries}\n"

    def stale_reason(self) -> str | None:
        """Return why the file is out of date and what to do; None if it is up to date."""
        if not self.path.is_file():
            return f"{self.path.name} is missing: run `{COMMAND}`."
        if self.path.read_text(encoding="utf-8") != self.text():
            return f"{self.path.name} is not what the tables say: run `{COMMAND}`."
        return None

    def write(self) -> None:
        """Generate the file."""
        with replacing(self.path) as temporary:
            temporary.write_text(self.text(), encoding="utf-8")


def sentences_files() -> tuple[SentencesFile, ...]:
    """Return all generated files of ``graph/sentences``."""
    folder = SOURCES_DIR / "graph" / "sentences"
    return tuple(
        SentencesFile(folder / f"{name}.gen.ts", sentences) for name, sentences in SENTENCES.items()
    )


def _entry(sentence: Sentence) -> str:
    names = " | ".join(f'"{name}"' for name in _places(sentence)) or "never"
    head = f"export const {_NAMES[id(sentence)]}: Sentence<{names}> = ["
    parts = [sentence.key, sentence.message, *([sentence.cure] if sentence.cure else [])]
    texts = [_quoted(part) for part in parts]
    line = f"{head}{', '.join(texts)}];"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([head, *(f"  {text}," for text in texts), "];"])


def _places(sentence: Sentence) -> list[str]:
    """Return the placeholders of a sentence; raises ``ValueError`` for unsupported ones."""
    names: dict[str, None] = {}
    for _, name, rule, conversion in string.Formatter().parse(sentence.message + sentence.cure):
        if name is None:
            continue
        known = not rule or rule == "," or re.fullmatch(r"[^|]*\|[^|]*", rule)
        if not known or conversion not in (None, "r") or not name.isidentifier():
            raise ValueError(f"{sentence.key}: sentence.ts has no rule for {{{name}:{rule}}}.")
        names[name] = None
    return list(names)


def _quoted(text: str) -> str:
    """Return the string literal of a text; single quotes if these need fewer escapes."""
    literal = json.dumps(text, ensure_ascii=False)
    if text.count('"') <= text.count("'"):
        return literal
    return "'" + literal[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
