"""Parser of requirement lists that accepts only names, versions and conditions.

Installers also accept options, addresses, paths and other files, some of which run code or read
files during resolution; those never reach them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from modules.sentences.sentence import Sentence, Statement
from pipelines.errors import RefusedError
from pipelines.sentences import environments as say

MAX_REQUIREMENTS = 500
MAX_LINE = 500
MAX_LISTED = 100
"""Limit of rejected lines in one response."""
COMMENT = re.compile(r"(^|\s)#[^\n]*")
ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://|^(git|hg|svn|bzr)\+|\s@\s|@\s*[a-z+]+:", re.IGNORECASE)
PATH = re.compile(r"^[./~\\]|[\\/]|\.(whl|zip|tar\.gz|txt|toml)$", re.IGNORECASE)


@dataclass(frozen=True)
class LineFinding:
    """Rejected line and the reason."""

    line: int
    text: str
    statement: Statement


class RequirementsRefusedError(RefusedError):
    """Lines of a list are rejected; ``findings`` has them all."""

    code = "requirements"

    def __init__(self, findings: list[LineFinding]) -> None:
        reasons = [finding.statement.message for finding in findings]
        super().__init__(say.LINES_REFUSED, reasons=reasons)
        self.findings = findings

    @property
    def beside(self) -> Mapping[str, Any]:
        findings = [
            {
                "line": finding.line,
                "text": finding.text,
                "message": finding.statement.message,
                "cure": finding.statement.cure,
            }
            for finding in self.findings
        ]
        return {"findings": findings}


def parse_requirements(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the requirements of a list in canonical form.

    Raises ``RequirementsRefusedError`` with every line that is not a name with versions.
    """
    requirements, findings = list[str](), list[LineFinding]()
    for number, line in enumerate(lines, start=1):
        text = COMMENT.sub("", line.lstrip("\ufeff")).strip()
        if not text:
            continue
        refused = _refusal(text)
        if refused is None and len(requirements) == MAX_REQUIREMENTS:
            refused = say.TOO_MANY_REQUIREMENTS
        if refused is None:
            requirements.append(str(Requirement(text)))
        else:
            findings.append(_finding(number, text, refused))
    if findings:
        raise RequirementsRefusedError(_listed(findings))
    return tuple(requirements)


def _listed(findings: list[LineFinding]) -> list[LineFinding]:
    """Return the first findings; the last one counts the others."""
    count = len(findings) - MAX_LISTED
    if count <= 0:
        return findings
    more = LineFinding(findings[MAX_LISTED].line, "", say.MORE_LINES.about({"count": count}))
    return [*findings[:MAX_LISTED], more]


def _finding(number: int, text: str, refused: Sentence) -> LineFinding:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    statement = refused.about({"line": number, "text": shown, "most": MAX_REQUIREMENTS})
    return LineFinding(number, shown, statement)


def _refusal(text: str) -> Sentence | None:
    """Return what is wrong with a line; None for a name with versions."""
    if text.startswith("-") or " --" in text:
        return say.LINE_IS_OPTION
    if len(text) > MAX_LINE or not text.isprintable():
        return say.LINE_UNREADABLE
    before_condition = text.partition(";")[0].strip()
    if ADDRESS.search(before_condition):
        return say.LINE_IS_ADDRESS
    if PATH.search(before_condition):
        return say.LINE_IS_PATH
    try:
        return say.LINE_IS_ADDRESS if Requirement(text).url else None
    except InvalidRequirement:
        return say.LINE_UNREADABLE
