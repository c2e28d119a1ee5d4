"""Pipelines of toy modules that are run in the browser."""

from __future__ import annotations

from typing import Any

from tests.designer_app.documents import document, link, node

BUSY = document(
    "busy",
    name="A busy pipeline",
    nodes=[
        node("two", "constant", value=41),
        {**node("bad", "fail", message="Nothing fits."), "position": {"x": 320, "y": 0}},
    ],
    links=[link("two", "bad", "a")],
)


def napping(value: float, *seconds: float) -> dict[str, Any]:
    """A Constant of its own value, so that nothing is reused, then Sleeps: nap0, nap1 ..."""
    naps = [f"nap{place}" for place in range(len(seconds))]
    made = [node("two", "constant", value=value)]
    made += [node(name, "sleep", seconds=each) for name, each in zip(naps, seconds, strict=True)]
    for place, each in enumerate(made):
        each["position"] = {"x": 280 * place, "y": 0}
    links = [link(one, other, "a") for one, other in zip(["two", *naps], naps, strict=False)]
    return document("naps", nodes=made, links=links)
