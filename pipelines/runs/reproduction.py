"""Rerun: execute a saved pipeline again without the cache, and report the differences."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, JsonValue

from modules.artifacts import ImageDirectory, read_json
from modules.files.hashing import hash_file
from modules.json_model import JsonModel
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import RunNotFoundError
from pipelines.events import RunEnvironment, RunState
from pipelines.runs.run_request import RunRequest
from pipelines.sentences import _
from pipelines.store.artifacts.file_diff import ARTIFACT_COLUMN, differences
from pipelines.store.artifacts.manifest import MANIFEST
from pipelines.store.database.lineage import environment_of

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService

Verdict = Literal["identical", "different", "missing"]

NOT_COMPUTED = ("not started", "skipped")
"""Statuses of steps that used no random seed."""


class FileVerdict(JsonModel):
    """File of an output whose bytes differ."""

    file: str
    is_same: bool = Field(description="True if only times or names of artifacts differ.")
    details: list[str]


class OutputVerdict(JsonModel):
    """Recomputed output."""

    node: str
    port: str
    type: str
    verdict: Verdict
    files: list[FileVerdict]


class Change(JsonModel):
    """Version, hardware or setting that has changed."""

    name: str
    was: JsonValue
    now: JsonValue


class RerunReport(JsonModel):
    """Result of a rerun."""

    original: str
    run_id: str
    status: str
    is_identical: bool = Field(description="True if all compared outputs are identical.")
    outputs: list[OutputVerdict] = Field(description="Compared outputs: none of pinned nodes.")
    pinned: list[str] = Field(description="Nodes with stored results instead of computed ones.")
    warnings: list[str]
    environment: list[Change]
    seeds: dict[str, int] = Field(description="Random seed of each computed node in both runs.")


@dataclass(frozen=True)
class ReproducedOutput:
    """Original output: the hashes of its files, and the files if they still exist."""

    node: str
    port: str
    type: str
    artifact_id: str
    content: dict[str, str]
    folder: Path | None


@dataclass(frozen=True)
class Original:
    """Run to repeat and to compare with."""

    name: str
    document: PipelineDocument
    to_node: str | None
    allowed_roots: tuple[str, ...] | None
    environment: RunEnvironment
    outputs: list[ReproducedOutput]
    run_id: str | None = None


def original_of_run(runs: RunService, run_id: str) -> Original:
    """Return a run of this workspace. Raises ``RunNotFoundError`` for an unknown one."""
    record = runs.store.record(run_id)
    if record is None:
        raise RunNotFoundError(run_id)
    return Original(
        name=f"run {run_id}",
        document=parse_document(record.document),
        to_node=record.options.to_node,
        allowed_roots=record.options.allowed_roots,
        environment=environment_of(runs.database, run_id) or {},
        outputs=list(_outputs(runs, run_id)),
        run_id=run_id,
    )


def rerun(runs: RunService, original: Original, *, owner: Mapping[str, Any] | None = None) -> str:
    """Submit it again with every node recomputed; return the id of the run."""
    document = original.document
    return runs.submit(
        RunRequest(
            document,
            name=f"Rerun of {original.name}"[:200],
            to_node=original.to_node,
            owner=owner,
            allowed_roots=original.allowed_roots,
            from_run=original.run_id,
            forced=tuple(node.id for node in document.nodes if not node.disabled),
        )
    )


def rerun_report(runs: RunService, original: Original, run_id: str) -> RerunReport:
    """Return the comparison for an ended rerun, output by output.

    Pinned nodes are not compared: both runs have the same stored result of them.
    """
    new_outputs = {(output.node, output.port): output for output in _outputs(runs, run_id)}
    renamed = {
        f"{new.artifact_id}/{new.port}": f"{old.artifact_id}/{old.port}"
        for old in original.outputs
        if (new := new_outputs.get((old.node, old.port)))
    }
    document = expanded(original.document)
    state = runs.store.state(run_id)
    reused = {node for node, step in state.steps.items() if step.status == "reused"}
    pinned = [node.id for node in document.nodes if node.is_pinned and node.id in reused]
    verdicts = [
        _verdict(old, new_outputs.get((old.node, old.port)), renamed)
        for old in original.outputs
        if old.node not in pinned
    ]
    computed = {
        node
        for node, step in state.steps.items()
        if node not in pinned and step.status not in NOT_COMPUTED
    }
    now = environment_of(runs.database, run_id) or {}
    return RerunReport(
        original=original.name,
        run_id=run_id,
        status=state.status,
        is_identical=bool(verdicts) and all(verdict.verdict == "identical" for verdict in verdicts),
        outputs=verdicts,
        pinned=pinned,
        warnings=list(_warnings(pinned, state)),
        environment=list(_changes(original.environment, now, "")),
        seeds=_seeds(runs, document, computed),
    )


def _warnings(pinned: list[str], state: RunState) -> Iterator[str]:
    """Yield texts about pinned nodes: that they are not compared, and which may be outdated."""
    if pinned:
        yield _(
            "Pinned, so not compared: {nodes}. Results after them depend on stored results.",
            nodes=", ".join(pinned),
        )
    for node in pinned:
        yield from (f"{node}: {warning}" for warning in state.steps[node].warnings)


def _outputs(runs: RunService, run_id: str) -> Iterator[ReproducedOutput]:
    for node, step in runs.store.state(run_id).steps.items():
        for port, path in runs.artifacts.outputs(step).items():
            folder = Path(path)
            manifest = read_json(folder / MANIFEST)
            content = manifest["content"]
            yield ReproducedOutput(
                node, port, manifest["type"], str(step.artifact_id), content, folder
            )


def _verdict(
    old: ReproducedOutput, new: ReproducedOutput | None, renamed: dict[str, str]
) -> OutputVerdict:
    if new is None or new.folder is None:
        return OutputVerdict(
            node=old.node, port=old.port, type=old.type, verdict="missing", files=[]
        )
    files = list(_files(old, new, renamed))
    same = all(file.is_same for file in files)
    return OutputVerdict(
        node=old.node,
        port=old.port,
        type=old.type,
        verdict="identical" if same else "different",
        files=files,
    )


def _files(
    old: ReproducedOutput, new: ReproducedOutput, renamed: dict[str, str]
) -> Iterator[FileVerdict]:
    assert new.folder is not None
    for name in sorted({*old.content, *new.content}):
        if old.content.get(name) == new.content.get(name):
            continue
        if name not in new.content or name not in old.content:
            word = _("is new") if name in new.content else _("is missing")
            yield FileVerdict(file=name, is_same=False, details=[word])
        elif old.folder is not None and (old.folder / name).exists():
            changes = differences(old.folder / name, new.folder / name)
            yield FileVerdict(file=name, is_same=not changes, details=changes)
        else:
            same = _hash_under_old_names(new, name, renamed) == old.content[name]
            text = _("the hash differs, and the original file is not available")
            details = [] if same else [text]
            yield FileVerdict(file=name, is_same=same, details=details)


def _hash_under_old_names(new: ReproducedOutput, name: str, renamed: dict[str, str]) -> str | None:
    """Return the hash of an image manifest with the artifacts' original names."""
    if new.type != ImageDirectory.__name__ or name != "images.parquet" or new.folder is None:
        return None
    import pandas as pd

    rows = pd.read_parquet(new.folder / name)
    rows[ARTIFACT_COLUMN] = rows[ARTIFACT_COLUMN].replace(renamed)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / name
        rows.to_parquet(path, index=False)
        return hash_file(path)


def _changes(was: RunEnvironment, now: RunEnvironment, prefix: str) -> Iterator[Change]:
    """Return what both recorded with different values."""
    for name in was.keys() & now.keys():
        old, new = was[name], now[name]
        if isinstance(old, dict) and isinstance(new, dict):
            yield from sorted(_changes(old, new, f"{name} "), key=lambda change: change.name)
        elif old != new:
            yield Change(name=f"{prefix}{name}", was=old, now=new)


def _seeds(
    runs: RunService, document: PipelineDocument, computed: Collection[str]
) -> dict[str, int]:
    seeds = {}
    for node in document.nodes:
        module = runs.catalog.get(node.module)
        if module is not None and not node.disabled and node.id in computed:
            values = parameters_of(node, module, document).model_dump()
            if isinstance(values.get("random_seed"), int):
                seeds[node.id] = values["random_seed"]
    return seeds
