"""One set of colours: the pages use those of the editor, and text can be read on all of them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

import pytest

from designer_app.screens.compare.metrics import DARK, LIGHT
from tests.browser.served import ROOT
from tests.designer_app.stylesheets import SOURCES, TOKENS, Rule, contrast, rules, tokens

APP = ROOT / "designer_app"
READABLE = 4.5
THEMES = ("light", "dark")
GROUNDS = ("panel", "bg", "hover")
TEXTS = ("text", "dim", "faint", "accent-text", "ok", "run", "fail", "warn", "reuse", "wait")
ON_SOFT = [(name, f"{name}-soft") for name in ("ok", "run", "fail", "warn", "reuse", "wait")]
THEIRS = {
    "primaryColor": "accent",
    "backgroundColor": "panel",
    "secondaryBackgroundColor": "bg",
    "textColor": "text",
    "linkColor": "accent",
    "borderColor": "line-strong",
    "dataframeBorderColor": "line",
    "dataframeHeaderBackgroundColor": "bg",
    "codeBackgroundColor": "hover",
    "greenColor": "ok",
    "redColor": "fail",
    "orangeColor": "warn",
    "blueColor": "accent",
    "violetColor": "reuse",
    "grayColor": "dim",
}
"""What Streamlit calls the editor's colours."""
TYPES = [f"type-{name}" for name in ("blue", "amber", "green", "violet", "red", "grey")]
FAINT_MARKS = ("data-fits", "data-muted", "data-overview", "data-stored")
FAINT = (":disabled", *FAINT_MARKS, ".pd-drag-preview", ".pd-icon", ".pd-tiny")
"""Who may be seen through: what cannot be used, wires and signs, and what a hand holds."""
NOT_OURS = {"#0e8fa3", "#b4418e", "#6aa5dd", "#08519c", "#000000"}
"""More curves than there are types, the ends of the scales of a confusion matrix and of trials, and
letters that are read on half-filled cells."""


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_every_ground(theme: str) -> None:
    colours = tokens(theme)
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS]
    pairs += [*ON_SOFT, ("on-accent", "accent"), ("accent-text", "accent-soft")]
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in found.items() if ratio < READABLE} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_every_rule_with_a_ground_has_text_that_can_be_read(theme: str) -> None:
    colours = tokens(theme)
    meanings = [rule.aliases for rule in rules() if rule.aliases]
    assert meanings
    faint = []
    for rule in rules():
        text, ground = rule.token("color"), rule.token("background")
        if not (text and ground):
            continue
        known = [aliases for aliases in meanings if {text, ground} & aliases.keys()] or [{}]
        for aliases in known:
            on = contrast(*(colours[aliases.get(name, name)] for name in (text, ground)))
            if on < READABLE:
                faint.append((rule.file, rule.selector, aliases))
    assert faint == []


@pytest.mark.parametrize("theme", THEMES)
def test_a_node_that_will_not_run_can_be_read(theme: str) -> None:
    """Disabled, or to be reused: its title, its ports, its last line."""
    colours = tokens(theme)
    about = [rule for rule in rules() if re.search("data-disabled|data-will-reuse", rule.selector)]
    [ground] = [rule.token("background") for rule in about if "background" in rule.settings]
    [title] = [rule.token("color") for rule in about if rule.selector.endswith(".pd-node-title")]
    texts = [title, *(rule.token("color") for rule in rules() if is_of_node(rule))]
    assert len(texts) == 4
    assert ground is not None
    assert [each for each in texts if contrast(colours[each or ""], colours[ground]) < 4.5] == []


def is_of_node(rule: Rule) -> bool:
    return rule.selector in (".pd-port-row", ".pd-node-foot", ".pd-live")


@pytest.mark.parametrize("theme", THEMES)
def test_the_number_of_the_fullest_cell_of_a_matrix_can_be_read(theme: str) -> None:
    colours = tokens(theme)
    [cell] = [rule for rule in rules() if rule.selector == ".pd-matrix-cell" and rule.settings]
    least, more = map(int, re.findall(r"(\d+)%", cell.settings["background"]))
    for tone in ("type-green", "type-red"):
        assert contrast(colours["text"], mixed(colours[tone], colours["panel"], least + more)) > 4.5


def mixed(tone: str, ground: str, percent: int) -> str:
    """A colour of so much of the tone, the rest of the ground."""
    first, second = ([int(each[at : at + 2], 16) for at in (1, 3, 5)] for each in (tone, ground))
    pairs = zip(first, second, strict=True)
    return "#" + "".join(
        f"{round((a * percent + b * (100 - percent)) / 100):02x}" for a, b in pairs
    )


def test_no_text_is_seen_through() -> None:
    through = [rule for rule in rules() if 0 < float(rule.settings.get("opacity", 1)) < 1]
    assert through
    assert [each for each in through if not any(name in each.selector for name in FAINT)] == []


@pytest.mark.parametrize("theme", THEMES)
def test_streamlit_has_the_colours_of_the_editor(theme: str) -> None:
    given = tomllib.loads((APP / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    colours = tokens(theme)
    assert given[theme] == {theirs: colours[ours] for theirs, ours in THEIRS.items()}
    if theme == "light":
        assert given["chartCategoricalColors"][: len(TYPES)] == [colours[name] for name in TYPES]


def test_colours_for_both_themes_are_one_of_the_editor() -> None:
    light, dark = tokens("light"), tokens("dark")
    ours = {(light[name], dark[name]) for name in light}
    found = {
        pair
        for path in APP.rglob("*.py")
        if "node_modules" not in path.parts
        for pair in re.findall(r"light-dark\((#\w+), (#\w+)\)", path.read_text("utf-8"))
    }
    assert len(found) > 4
    assert found - ours == set()


def test_there_are_no_other_colours() -> None:
    ours = {value for theme in THEMES for value in tokens(theme).values()}
    strange = {
        (path.relative_to(APP).as_posix(), colour)
        for path in [*APP.rglob("*.py"), *APP.rglob("*.toml"), *APP.rglob("*.ts*")]
        if not {"node_modules", "static"} & set(path.parts)
        for colour in re.findall(r"#[0-9a-f]{6}\b", path.read_text("utf-8"))
    }
    assert {each for each in strange if each[1] not in ours | NOT_OURS} == set()


@pytest.mark.parametrize(("theme", "given"), [("light", LIGHT), ("dark", DARK)])
def test_better_and_worse_runs_have_the_colours_of_success_and_failure(
    theme: str, given: tuple[str, str]
) -> None:
    colours = tokens(theme)
    assert given == (colours["ok"], colours["fail"])
    assert min(contrast(colour, colours["panel"]) for colour in given) >= READABLE


def test_a_class_has_its_rule_in_one_style_sheet() -> None:
    """Two parts with a class of one name take over the rules of each other."""
    names = [
        name
        for path in SOURCES.rglob("*.css")
        for name in set(re.findall(r"^(\.pd-[\w-]+) \{", path.read_text("utf-8"), re.MULTILINE))
        if path != TOKENS
    ]
    assert [name for name, times in Counter(names).items() if times > 1] == []
