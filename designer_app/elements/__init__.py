"""Small elements of our own on the pages, and how their files are read."""

from __future__ import annotations

from pathlib import Path


def text_of(name: str) -> str:
    """The text of a script, style or page beside this file."""
    return (Path(__file__).resolve().parent / name).read_text(encoding="utf-8")
