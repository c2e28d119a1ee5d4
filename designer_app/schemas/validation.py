"""What is said of a document before it runs."""

from __future__ import annotations

from designer_app.schemas.editor import ProblemShape
from designer_app.schemas.shape import Shape


class Verdict(Shape):
    """Whether a document can be run, and everything that is wrong with it."""

    valid: bool
    problems: list[ProblemShape]
