"""Results of checking a document before it runs."""

from __future__ import annotations

from designer_app.schemas.editor import ProblemShape
from designer_app.schemas.shape import Shape


class Verdict(Shape):
    """Validity of a document, and all its problems."""

    valid: bool
    problems: list[ProblemShape]
