"""Progress of a run in the terminal: bars with epoch, images/s and time left."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from modules.formatting import format_rate, format_seconds
from pipelines.cli.output import console
from pipelines.cli.reports import stalled_text
from pipelines.sentences import _
from pipelines.sentences.status_words import status_words

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from pipelines.events import Event, EventData
    from pipelines.runs.run_service import RunService

ENDS = {
    "StepFinished": ("completed", "green"),
    "StepReused": ("reused", "cyan"),
    "StepFailed": ("failed", "red"),
    "StepCancelled": ("cancelled", "yellow"),
    "StepPaused": ("paused", "yellow"),
}
"""Status and style of each event that ends a step."""


def watch(
    runs: RunService, run_id: str, *, quiet: bool, leave: Callable[[], bool] = lambda: False
) -> bool:
    """Follow a run on standard error, so that standard output is reserved for results.

    Return True when the run ends and False when ``leave`` returns True.
    """
    if quiet and not sys.stderr.isatty():
        return not any(leave() for _ in runs.follow(run_id))
    with _progress() as progress:
        view = _View(progress)
        for batch in runs.follow(run_id):
            for event in batch:
                view.take(event)
            if leave():
                return False
    return True


def _progress() -> Progress:
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[facts]}"),
        console=console(error=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


class _View:
    """One progress bar per running node, and a line when it ends."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._bars: dict[str, TaskID] = {}
        self._began: dict[str, float] = {}

    def take(self, event: Event) -> None:
        node = event.node
        if node is None:
            return
        if event.kind in ("StepStarted", "StepLooking") and node not in self._bars:
            self._bars[node] = self._progress.add_task(node, total=None, facts=_("starting"))
        if event.kind == "StepLooking":
            self._advance(node, event.data)
        elif event.kind == "StepStarted":
            self._began[node] = event.time
            self._progress.update(self._bars[node], completed=0, total=None, facts=_("starting"))
        elif event.kind == "StepProgress" and node in self._bars:
            if event.data.get("rank", 0) != 0:
                return  # the first rank reports the progress of the node
            self._advance(node, event.data)
        elif event.kind == "StepStalled":
            self._say(node, stalled_text(event.data["since"], event.data["ranks"]))
        elif event.kind == "StepWentOn":
            self._say(node, _("continues"))
        elif event.kind == "StepWarning":
            self._say(node, event.data["message"])
        elif event.kind in ENDS:
            self._end(node, event)

    def _say(self, node: str, words: str) -> None:
        self._progress.console.print(f"[yellow]{node}[/] ", end="")
        self._progress.console.print(words, markup=False)

    def _advance(self, node: str, data: EventData) -> None:
        self._progress.update(
            self._bars[node],
            completed=data["done"],
            total=data["total"] or None,
            facts=progress_text(data),
        )

    def _end(self, node: str, event: Event) -> None:
        if node in self._bars:
            self._progress.remove_task(self._bars.pop(node))
        status, style = ENDS[event.kind]
        status = "pinned" if event.data.get("pinned") else status
        began = self._began.get(node)
        took = "" if began is None else _(" in {time}", time=format_seconds(event.time - began))
        self._progress.console.print(f"[{style}]{status_words(status):9}[/] {node}{took}")


def progress_text(data: EventData) -> str:
    """Return ``epoch 3 / 5, 212 images/s, loss 0.31, 20 s left``, as far as known."""
    parts = []
    is_search = data["unit"] == "trials"
    if is_search:
        trial = min(data["total"], int(data["done"]) + 1)
        parts.append(_("trial {trial} / {trials}", trial=trial, trials=data["total"]))
    if data.get("epoch") is not None:
        epochs = data.get("epochs", "?")
        parts.append(_("epoch {epoch} / {epochs}", epoch=data["epoch"], epochs=epochs))
    elif not is_search:
        total = f" / {data['total']:,}" if data["total"] else ""
        parts.append(f"{data['done']:,}{total} {data['unit']}")
    if data.get("per_second") is not None:
        parts.append(format_rate(data["per_second"], data["unit"].split()[0]))
    if data.get("images_per_second"):
        parts.append(format_rate(data["images_per_second"], "images"))
    if data.get("loss") is not None:
        parts.append(_("loss {loss:.3f}", loss=data["loss"]))
    if data.get("seconds_left") is not None:
        parts.append(_("{time} left", time=format_seconds(data["seconds_left"])))
    return ", ".join(parts)
