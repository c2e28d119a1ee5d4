"""Cells of the guide *From a notebook*, and a way to run them as a notebook does."""

from __future__ import annotations

import ast
import re
from typing import Any

from tests.project.source import ROOT

GUIDE = ROOT / "docs" / "how-to" / "notebook.md"


def cells_of_guide() -> list[str]:
    """Return the Python cells of the guide in order."""
    return re.findall(r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


class Cells:
    """Namespace of a notebook: runs cells, and returns what the last line of each shows."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, cell: str) -> Any:
        """Run a cell; return the value of a last line that is an expression."""
        tree = ast.parse(cell)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), self.names)  # noqa: S102 - our own guide
        if not isinstance(last, ast.Expr):
            return None
        return eval(compile(ast.Expression(last.value), "cell", "eval"), self.names)  # noqa: S307
