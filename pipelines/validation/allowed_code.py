"""Code that pipelines bring: it runs only after somebody here looked at it and allowed it.

What was allowed is kept by what its text hashes to, so that one changed letter is another code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from modules.catalog import Catalog
from modules.files.json_files import read_if_valid
from modules.files.locks import alone
from modules.files.whole_files import replacing
from modules.parameters import Code, metadata
from modules.spec import Module
from pipelines.documents.document import PipelineDocument
from pipelines.documents.expansion import expanded
from pipelines.documents.lessons import lessons
from pipelines.problems import CODE_NOT_ALLOWED, Problem
from pipelines.sentences import wiring
from pipelines.workspace import Workspace


@dataclass(frozen=True)
class BroughtCode:
    """A program in a parameter of a node."""

    node: str
    module: Module
    parameter: str
    text: str

    @property
    def sha256(self) -> str:
        """What tells it from any other."""
        return sha256_of(self.text)


class AllowedCode:
    """The code that may run in a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._path = workspace.allowed_code_path

    def allows(self, sha256: str) -> bool:
        """Whether code that hashes to this was allowed here, or came with the designer."""
        return sha256 in self._stored() or sha256 in shipped_code()

    def allow(self, hashes: Iterable[str]) -> None:
        """Let code with these hashes run from now on; several may be told at once."""
        with alone(self._path.with_suffix(".lock"), lambda: None):
            stored = self._stored()
            new = stored | set(hashes)
            if new != stored:
                _write(self._path, new)

    def _stored(self) -> frozenset[str]:
        found = (read_if_valid(self._path) or {}).get("sha256")
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def sha256_of(text: str) -> str:
    """What a text hashes to, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def brought_code(document: PipelineDocument, catalog: Catalog) -> Iterator[BroughtCode]:
    """The programs in a document's nodes; a module's own default is none of the document's."""
    for node in expanded(document).nodes:
        module = catalog.get(node.module)
        if module is None or node.disabled:
            continue
        for name, info in module.parameters_type.model_fields.items():
            text = node.parameters.get(name)
            if metadata(info, Code) and isinstance(text, str) and text not in ("", info.default):
                yield BroughtCode(node.id, module, name, text)


def code_problems(
    document: PipelineDocument, catalog: Catalog, allowed: AllowedCode
) -> Iterator[Problem]:
    """One problem for each program that nobody allowed here."""
    for code in brought_code(document, catalog):
        if not allowed.allows(code.sha256):
            facts = {"module": code.module.title, "sha256": code.sha256}
            said = wiring.CODE_NOT_ALLOWED.about(facts)
            yield Problem.of(CODE_NOT_ALLOWED, said, node=code.node, parameter=code.parameter)


@cache
def shipped_code() -> frozenset[str]:
    """The hashes of every text in the lessons' parameters: they came with the designer."""
    nodes = (node for lesson in lessons() for node in expanded(lesson.document).nodes)
    values = (value for node in nodes for value in node.parameters.values())
    return frozenset(sha256_of(value) for value in values if isinstance(value, str))


def _write(path: Path, hashes: Iterable[str]) -> None:
    """For the owner's eyes and hands alone: who can write it can run code here."""
    with replacing(path, durably=True) as temporary:
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps({"sha256": sorted(hashes)}, indent=1), encoding="utf-8")
