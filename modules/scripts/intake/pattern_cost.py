"""Upper bound of the time of a regular expression, as Python's engine may backtrack forever.

Supported are single characters, classes, groups, alternatives, repetitions, and lookarounds of one
character. A repetition whose characters cannot start what follows it has one way to match; each
other one multiplies the ways by its length. A repetition within a repetition, which makes them
exponential, is not supported, nor are references to earlier groups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

MAX_LENGTH = 300
"""Maximum characters of a line that are searched, and of an expression."""
MAX_STEPS = 1e8
"""Maximum steps of the engine for one line: under a second."""
ALPHABET = frozenset(map(chr, [9, *range(32, 127), 0xE9, 0x4E00]))
CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
ATOM = rf"(?:\\[^A-Zbxu0-9]|\\[SDW]|{CLASS}|[^\\()\[\]{{}}|*+?^$])"
TOKEN = re.compile(
    rf"(?P<nothing>\\b|\\B|\^|\$|\(\?<?[!=]{ATOM}\))|(?P<atom>{ATOM})"
    r"|(?P<open>\((?:\?:|\?P<\w+>|(?!\?)))|(?P<close>\))|(?P<bar>\|)"
)
REPEAT = re.compile(r"(?:(?P<sign>[*+?])|\{(?P<least>\d{1,3})(?P<comma>,(?P<most>\d{1,3})?)?\})\??")


class PatternRefused(ValueError):
    """An expression that is rejected, with the reason as a sentence."""

    def __init__(self, statement: Statement) -> None:
        super().__init__(statement)
        self.statement = statement


@dataclass
class _Part:
    """One character of a set, or a group of alternatives, repeated."""

    chars: frozenset[str] = frozenset()
    branches: list[list[_Part]] | None = None
    least: int = 1
    most: int = 1

    @property
    def is_repeated(self) -> bool:
        return (self.least, self.most) != (1, 1)

    def first(self) -> tuple[frozenset[str], bool]:
        """Return the characters that it can start with, and whether it can be empty."""
        if self.branches is None:
            return self.chars, self.least == 0
        firsts = [_first(branch) for branch in self.branches]
        chars = frozenset().union(*(characters for characters, _ in firsts))
        return chars, self.least == 0 or any(empty for _, empty in firsts)

    def ways(self, follow: frozenset[str]) -> float:
        """Return the number of ways it can match one line before something of ``follow``."""
        own, _ = self.first()
        repeated = self.most - self.least + 1 if own & follow else 1
        if self.branches is None:
            return repeated
        if self.most > 1 and (len(self.branches) > 1 or _has_choices(self.branches[0])):
            raise PatternRefused(say.PATTERN_NESTED.about({}))
        return repeated * _ways_of(self.branches, follow)


def check_cost(expression: str) -> None:
    """Raise ``PatternRefused`` if matching one line could take long."""
    if len(expression) > MAX_LENGTH:
        raise PatternRefused(say.PATTERN_LONG.about({"most": MAX_LENGTH}))
    branches, place = _alternatives(expression, 0)
    if place < len(expression):
        raise _not_taken(expression, place)
    ways = _ways_of(branches, frozenset())
    if ways * MAX_LENGTH**2 > MAX_STEPS:  # from every position, and over every character
        raise PatternRefused(say.PATTERN_SLOW.about({}))


def _ways_of(branches: list[list[_Part]], follow: frozenset[str]) -> float:
    """Return the number of ways to match one of the branches."""
    ways = [_ways(branch, follow) for branch in branches]
    begins = [_first(branch) for branch in branches]
    num_chars = len(frozenset().union(*(chars for chars, _ in begins)))
    can_be_nothing = any(empty for _, empty in begins)
    is_one = num_chars == sum(len(chars) for chars, _ in begins) and not can_be_nothing
    return max(ways) if is_one else sum(ways)


def _ways(branch: list[_Part], follow: frozenset[str]) -> float:
    ways = 1.0
    for part in reversed(branch):
        ways *= part.ways(follow)
        chars, can_be_nothing = part.first()
        follow = chars | follow if can_be_nothing else chars
    return ways


def _first(branch: list[_Part]) -> tuple[frozenset[str], bool]:
    chars: frozenset[str] = frozenset()
    for part in branch:
        own, can_be_nothing = part.first()
        chars |= own
        if not can_be_nothing:
            return chars, False
    return chars, True


def _has_choices(branch: list[_Part]) -> bool:
    return any(part.is_repeated or part.branches is not None for part in branch)


def _alternatives(text: str, place: int) -> tuple[list[list[_Part]], int]:
    """Return the alternatives from a position on, and the position of their end."""
    branches: list[list[_Part]] = [[]]
    while token := TOKEN.match(text, place):
        if token["close"]:
            break
        place = token.end()
        if token["bar"]:
            branches.append([])
        elif not token["nothing"]:
            part, place = _part(text, token, place)
            branches[-1].append(part)
    return branches, place


def _part(text: str, token: re.Match[str], place: int) -> tuple[_Part, int]:
    if token["atom"]:
        part = _Part(_chars(token["atom"]))
    else:
        branches, place = _alternatives(text, place)
        if text[place : place + 1] != ")":
            raise _not_taken(text, place)
        part, place = _Part(branches=branches), place + 1
    repeat = REPEAT.match(text, place)
    if repeat is None:
        return part, place
    part.least, part.most = _times(repeat)
    return part, repeat.end()


def _times(repeat: re.Match[str]) -> tuple[int, int]:
    if sign := repeat["sign"]:
        return int(sign == "+"), 1 if sign == "?" else MAX_LENGTH
    least = int(repeat["least"])
    if not repeat["comma"]:
        return least, least
    return least, int(repeat["most"]) if repeat["most"] else MAX_LENGTH


def _chars(atom: str) -> frozenset[str]:
    try:
        one = re.compile(atom)
    except re.error:
        return ALPHABET
    return frozenset(character for character in ALPHABET if one.fullmatch(character))


def _not_taken(text: str, place: int) -> PatternRefused:
    return PatternRefused(say.PATTERN_NOT_TAKEN.about({"part": text[place : place + 8]}))
