"""First look at code from elsewhere: only the words and signs of a pipeline, within limits.

The rest of the reader, and Python's parser, never see code that nests deeply, that is huge, or that
has operators. Memory stays in proportion to the limits, whatever the text is.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator

from modules.sentences.sentence import Sentence, Statement
from pipelines.problems import PYTHON_CODE_INVALID, PipelineError, Problem
from pipelines.sentences import python_code

MAX_BYTES = 5_000_000
MAX_TOKENS = 500_000
MAX_BRACKETS = 80
MAX_DOTS = 3
"""Limit of attributes of attributes."""
MAIN = "if"
"""First word of the block that only a script runs; the reader ignores what follows."""
_KEYWORDS = frozenset({"from", "import", "as", "with", "pass", "None", "True", "False"})
_SIGNS = frozenset("()[]{},:=.-")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_BEFORE_MINUS = frozenset("([{,=:")
"""Signs before a negative number; elsewhere a minus subtracts."""
_LAYOUT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
        tokenize.INDENT,
        tokenize.NL,
    }
)


class CodeFault(Exception):
    """Problem of a line of code."""

    def __init__(self, line: int, statement: Sentence | Statement, **facts: object) -> None:
        self.line = line
        about = statement.about(facts) if isinstance(statement, Sentence) else statement
        self.statement = about
        super().__init__(str(about))

    @property
    def problem(self) -> Problem:
        why, fix = self.statement.message, self.statement.cure
        return Problem.of(
            PYTHON_CODE_INVALID, python_code.AT_LINE, line=self.line, why=why, fix=fix
        )


def decoded(code: str | bytes) -> str:
    """Return the text of a file; raises ``PipelineError`` if it is too large or not text."""
    if len(code) > MAX_BYTES:
        facts = {"num_bytes": len(code), "most": MAX_BYTES}
        raise PipelineError.of(PYTHON_CODE_INVALID, python_code.CODE_TOO_LARGE, **facts)
    if isinstance(code, str):
        return code.removeprefix("\ufeff")
    try:
        return code.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = code[: error.start].count(b"\n") + 1
        raise PipelineError([CodeFault(line, python_code.CODE_NOT_UTF8).problem]) from None


def scanned(text: str) -> str:
    """Return the part of the text that describes the pipeline; raises ``CodeFault``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as Python does, also in texts
    if "\0" in text:
        raise CodeFault(text[: text.index("\0")].count("\n") + 1, python_code.CODE_NULL)
    if not _is_unicode(text):
        raise CodeFault(1, python_code.CODE_NOT_UTF8)
    check = _Check()
    for token in _tokens(text, check):
        if token.type == tokenize.NAME and token.string == MAIN and token.start[1] == 0:
            return "\n".join(text.split("\n")[: token.start[0] - 1])
        if token.type not in _LAYOUT:
            check.add(token)
    return text


class _Check:
    """Number and nesting of the tokens so far."""

    def __init__(self) -> None:
        self.num_tokens = self.num_dots = 0
        self.before = ""
        self.open_brackets: list[tuple[str, int]] = []
        """Each with its line."""

    def add(self, token: tokenize.TokenInfo) -> None:
        text, line = token.string, token.start[0]
        self.num_tokens += 1
        if self.num_tokens > MAX_TOKENS:
            raise CodeFault(line, python_code.CODE_TOO_LONG, most=MAX_TOKENS)
        if token.type == tokenize.OP and text in _SIGNS:
            self._add_sign(text, line)
        elif token.type == tokenize.NAME:
            if keyword.iskeyword(text) and text not in _KEYWORDS:
                raise CodeFault(line, python_code.CODE_SIGN, sign=text)
            self.num_dots = self.num_dots if self.before == "." else 0
        elif token.type == tokenize.NUMBER or (token.type == tokenize.STRING and _is_plain(text)):
            self.num_dots = 0
        elif token.type != tokenize.NEWLINE:
            raise CodeFault(line, python_code.CODE_SIGN, sign=text[:20])
        self.before = text if len(text) == 1 else "x"

    def _add_sign(self, sign: str, line: int) -> None:
        if sign in _OPENING:
            self.open_brackets.append((sign, line))
        elif sign in _CLOSING and self.open_brackets:
            self.open_brackets.pop()
        self.num_dots = self.num_dots + 1 if sign == "." else 0
        if len(self.open_brackets) > MAX_BRACKETS:
            raise CodeFault(line, python_code.CODE_TOO_DEEP, most=MAX_BRACKETS)
        # Each of these could repeat without brackets, and Python would nest it.
        is_operator = sign == "-" and self.before not in _BEFORE_MINUS
        is_chained = sign in "([." and self.before in _CLOSING
        if is_operator or is_chained or self.num_dots > MAX_DOTS:
            raise CodeFault(line, python_code.CODE_SIGN, sign=sign)


def _tokens(text: str, check: _Check) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens; raises ``CodeFault`` for what is not Python."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except tokenize.TokenError as error:
        fault, (line, _) = error.args
        if check.open_brackets and "string" not in fault:
            # Where the file ends helps nobody, and versions of Python disagree on its last line.
            bracket, line = check.open_brackets[-1]
            fault = f"'{bracket}' was never closed"
        raise CodeFault(line, python_code.CODE_SYNTAX, fault=fault) from None
    except SyntaxError as error:
        raise _syntax_fault(error) from None


def _syntax_fault(error: SyntaxError) -> CodeFault:
    return CodeFault(error.lineno or 1, python_code.CODE_SYNTAX, fault=error.msg)


def _is_plain(literal: str) -> bool:
    """Return True for a text literal without bytes or replacement fields."""
    prefix = literal.partition('"')[0].partition("'")[0]
    return prefix.lower() in ("", "r", "u")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
