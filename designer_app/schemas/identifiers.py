"""Patterns of identifiers in addresses and requests."""

from __future__ import annotations

from collections.abc import Mapping

PATH_PATTERNS: Mapping[str, str] = {
    "pipeline_id": r"[a-z0-9][a-z0-9_-]{0,63}",
    "revision": r"[1-9][0-9]{0,8}",
    "run_id": r"[0-9]{8}-[0-9]{6}-[0-9a-f]{4}",
    "sweep_id": r"[0-9]{8}-[0-9]{6}-[0-9a-f]{4}",
    "node": r"[a-z0-9][a-z0-9_-]{0,63}(\.[a-z0-9][a-z0-9_-]{0,63}){0,16}",
    "log": r"70_[a-z]+_log(_[0-9]{1,6})?\.txt",
    "artifact_id": r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}",
    "port": r"[A-Za-z_][A-Za-z0-9_]{0,127}",
    "file": r"[^\0\\]{1,1000}",
    "dataset": r"[^\W_][^\x00-\x20/\\@:]{0,99}",
    "recording": r"[^\W_][^\x00-\x20/\\@:]{0,99}",
    "class_id": r"[0-9a-f]{16}",
    "picture": r"[0-9a-f]{24}",
    "model": r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[A-Za-z0-9][A-Za-z0-9._-]{0,99})?",
    "version": r"[1-9][0-9]{0,8}",
    "environment": r"[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?",
    "target": r"[a-z0-9][a-z0-9_-]{0,63}",
    "published": r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
    "replay_id": r"[a-z0-9][a-z0-9-]{0,63}",
}
"""Allowed values of each part of a path; anything else is not found."""
