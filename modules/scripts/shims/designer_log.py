"""``designer_log(name, value, step)``: log a point of a curve on the script's node."""

import json
import os
from typing import Any, SupportsFloat


def designer_log(name: str, value: SupportsFloat, step: "int | None" = None) -> None:
    """Log a value of a metric; without ``step`` it is the next one. Does nothing elsewhere.

    Every process may call it, but only the first one's values count. A line is one write, so that
    lines of several processes are not mixed.
    """
    at = None if step is None else int(step)
    _write({"name": str(name), "value": float(value), "step": at})


def log_text(name: str, text: str) -> None:
    """Report a text that was logged as a metric: the designer warns that it is ignored."""
    _write({"name": str(name)[:200], "text": text[:200]})


def _write(entry: "dict[str, Any]") -> None:
    from designer_rank import rank

    path = os.environ.get("DESIGNER_METRICS")
    if path:
        _append(path, json.dumps({**entry, "rank": rank()}).encode() + b"\n")


def report_unregistered_model(name: str, model_path: str) -> None:
    """Let the node warn that the model must be registered there. Does nothing elsewhere."""
    path = os.environ.get("DESIGNER_METRICS")
    if path:
        entry = {"unregistered_model": str(name), "path": str(model_path)}
        _append(path, json.dumps(entry).encode() + b"\n")


def _append(path: str, line: bytes) -> None:
    """Append a line; a full disk must not end a training that could still finish."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)
    except OSError:
        pass
