"""Approval of code in pipelines: it runs only after a review on this machine.

Approvals are stored by hash, so that any change requires a new approval.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

from modules.catalog import Catalog, builtin_catalog
from modules.files.json_files import read_if_valid
from modules.files.locks import alone
from modules.files.whole_files import replacing
from pipelines.document.checks.graph import uncomputed_nodes
from pipelines.document.document import PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.lessons.lesson import lessons
from pipelines.problems import CODE_NOT_ALLOWED, Problem
from pipelines.sentences import wiring
from pipelines.validation.brought_code import BroughtCode, brought_code
from pipelines.workspace import Workspace

Place = tuple[str, str]
"""Node of the expanded document, and a parameter or run setting of it."""
SENTENCES = {
    "program": wiring.CODE_NOT_ALLOWED,
    "call": wiring.CALL_NOT_ALLOWED,
    "variables": wiring.VARIABLES_NOT_ALLOWED,
}


class AllowedCode:
    """Approved code of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._path = workspace.allowed_code_path

    def allows(self, sha256: str) -> bool:
        """Return True if code with this hash was approved here or is included with the designer."""
        return sha256 in self._stored() or sha256 in shipped_code()

    def allow(self, hashes: Iterable[str]) -> None:
        """Approve code with these hashes; several can be approved at once."""
        with alone(self._path.with_suffix(".lock"), lambda: None):
            stored = self._stored()
            new = stored | set(hashes)
            if new != stored:
                _write(self._path, new)

    def _stored(self) -> frozenset[str]:
        hashes = (read_if_valid(self._path) or {}).get("sha256")
        return frozenset(map(str, hashes)) if isinstance(hashes, list) else frozenset()


def code_problems(
    document: PipelineDocument, catalog: Catalog, allowed: AllowedCode
) -> Iterator[Problem]:
    """Return one problem for each unapproved piece of code that a run would execute."""
    left_out = uncomputed_nodes(expanded(document), catalog)
    for code in brought_code(document, catalog):
        if code.node.disabled or code.node.id in left_out:
            continue
        if not allowed.allows(code.sha256):
            title = code.module.title if code.module else code.node.module
            facts = {"module": title, "sha256": code.sha256, "has_settings": bool(code.settings)}
            statement = SENTENCES[code.kind].about(facts)
            yield Problem.of(
                CODE_NOT_ALLOWED,
                statement,
                node=code.node.id,
                parameter=code.parameters[0],
                remedy={"look_at_code": True},
            )


def edited_code(
    before: PipelineDocument | None,
    after: PipelineDocument,
    places: Collection[Place] | None,
    catalog: Catalog,
    allowed: AllowedCode,
) -> Iterator[BroughtCode]:
    """Return the owner's code at some locations: there was none before, or it was approved.

    Without ``places`` all previous code counts. Unapproved code from elsewhere stays unapproved,
    however much of it is changed.
    """
    earlier = {} if before is None else _by_node(before, catalog)
    for node, code in _by_node(after, catalog).items():
        was = earlier.get(node)
        is_named = (
            was is not None if places is None else any(code.is_at(*location) for location in places)
        )
        if is_named and (was is None or allowed.allows(was.sha256)):
            yield code


def _by_node(document: PipelineDocument, catalog: Catalog) -> dict[str, BroughtCode]:
    return {code.node.id: code for code in brought_code(document, catalog)}


@cache
def shipped_code() -> frozenset[str]:
    """Return the hashes of all code in the lessons, with its arguments and variables there."""
    catalog = builtin_catalog()
    pieces = (code for lesson in lessons() for code in brought_code(lesson.document, catalog))
    return frozenset(code.sha256 for code in pieces)


def _write(path: Path, hashes: Iterable[str]) -> None:
    """Write with owner-only permissions: write access means code execution."""
    with replacing(path, durably=True) as temporary:
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps({"sha256": sorted(hashes)}, indent=1), encoding="utf-8")
