"""The tables of README.md, made from the files in ``results/``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.harness import StoredCheck, StoredReport, StoredScenario, StoredSpread
from benchmarks.machine import MachineFacts
from modules.files.whole_files import replacing

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"
START, END = "<!-- results: written by make bench -->", "<!-- end of results -->"


class Results(StoredReport):
    """A file of results."""

    date: str
    rounds: int
    small: bool
    machine: MachineFacts


def write_tables(readme: Path = FOLDER / "README.md", results: Path = RESULTS) -> None:
    """Replace what stands between the two marks by tables of all full-size results."""
    text = readme.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    documents: list[Results] = [
        json.loads(path.read_text()) for path in sorted(results.glob("*.json"))
    ]
    tables = "\n".join(line for document in documents for line in _section(document))
    body = tables or "None yet: run `make bench`.\n"
    with replacing(readme) as temporary:
        temporary.write_text(f"{before}{START}\n\n{body}\n{END}{after}", encoding="utf-8")


def _section(document: Results) -> Iterator[str]:
    machine = document["machine"]
    gpus = "".join(f"{name}, " for name in machine.get("gpus", []))
    yield f"### {document['id']} {document['title']}\n"
    yield (
        f"{document['work']} {document['date']}, {_rounds(document['rounds'])}, "
        f"{gpus}{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"Python {machine['python']}. Medians, lowest and highest in brackets.\n"
    )
    for scenario in document["scenarios"]:
        yield from _scenario(scenario, document["rounds"])
    yield from _checks(document["checks"])
    versions = ", ".join(f"{name} {number}" for name, number in document["versions"].items())
    yield f"Versions: {versions}.\n"


def _rounds(num_rounds: int) -> str:
    return "1 round" if num_rounds == 1 else f"{num_rounds} rounds"


def _scenario(scenario: StoredScenario, num_rounds: int) -> Iterator[str]:
    contenders = scenario["contenders"]
    columns = list(dict.fromkeys(name for found in contenders.values() for name in found))
    yield (
        f"| {scenario['name']} | "
        + " | ".join(f"{column}, {scenario['unit']}" for column in columns)
        + " |"
    )
    yield "| --- |" + " ---: |" * len(columns)
    for name, found in contenders.items():
        mark = " (what the machine allows)" if name == scenario["denominator"] else ""
        cells = " | ".join(_cell(found.get(column), num_rounds) for column in columns)
        yield f"| {name}{mark} | {cells} |"
    yield ""


def _cell(spread: StoredSpread | None, num_rounds: int) -> str:
    """The median and its spread; how often it was measured, where others were more often."""
    if spread is None:
        return "-"
    median, num_samples = _short(spread["median"]), len(spread["samples"])
    if num_samples == 1:
        return f"{median} (once)"
    often = f", {_rounds(num_samples)}" if num_samples < num_rounds else ""
    return f"{median} ({_short(spread['low'])} - {_short(spread['high'])}{often})"


def _checks(checks: Sequence[StoredCheck]) -> Iterator[str]:
    for check in checks:
        verdict = check.get("verdict", "reached" if check["holds"] else "not reached")
        told = verdict if check["holds"] else f"**{verdict}**"
        yield f"- {check['claim']}: {_short(check['found'])}, to reach {check['bound']:g}: {told}"
    if checks:
        yield ""


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}"
