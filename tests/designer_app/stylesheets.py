"""The editor's style sheets as data: the variables of each theme, and the rules that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.browser.served import ROOT

SOURCES = ROOT / "designer_app" / "frontend" / "src"
TOKENS = SOURCES / "styles" / "tokens.css"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE = re.compile(r"var\(--([a-z-]+)\)")
FALLBACK = re.compile(r"var\(--st-[a-z-]+,\s*(.+)\)")


@dataclass(frozen=True)
class Rule:
    """A rule of a style sheet: whom it is about, and what it sets."""

    file: str
    selector: str
    settings: dict[str, str]

    def token(self, setting: str) -> str | None:
        """The name of the variable that a setting is, and nothing beside it."""
        found = VARIABLE.fullmatch(self.settings.get(setting, ""))
        return found.group(1) if found else None

    @property
    def aliases(self) -> dict[str, str]:
        """Own variables that stand for variables of the theme."""
        own = {name.removeprefix("--"): self.token(name) for name in self.settings if "--" in name}
        return {name: token for name, token in own.items() if token}


def rules() -> Iterator[Rule]:
    """Every rule of every style sheet but that of the variables."""
    for path in sorted(SOURCES.rglob("*.css")):
        if path != TOKENS:
            yield from _rules(path)


def tokens(theme: str) -> dict[str, str]:
    """The variables of a theme; those that Streamlit's theme may set, as they are without it."""
    light, dark = (each.settings for each in _rules(TOKENS) if "--panel" in each.settings)
    both = light if theme == "light" else {**light, **dark}
    return {
        name.removeprefix("--"): found.group(1) if (found := FALLBACK.fullmatch(value)) else value
        for name, value in both.items()
    }


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (``#rrggbb``) as WCAG 2.2 defines it: 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rules(path: Path) -> Iterator[Rule]:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for selector, body in RULE.findall(text):
        pairs = (each.split(":", 1) for each in body.split(";") if ":" in each)
        settings = {name.strip(): value.strip() for name, value in pairs}
        yield Rule(path.name, " ".join(selector.split()), settings)
