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
from pipelines.sentences import sub_pipelines, wiring

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
}
"""Sentences by file in ``graph/sentences``; knip reports those that the editor does not use."""
_TABLES = (sub_pipelines, wiring)
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
