"""Moves of aliases by rule: the new version is compared with the current one on golden images."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.datasets.sources import DatasetSource, FileSource, parse_source
from modules.errors import ModuleError
from modules.sentences.sentence import Statement
from pipelines.errors import DesignerError, RefusedError
from pipelines.inspection.client import Inspector
from pipelines.inspection.questions import GOLDEN, GoldenAnswer
from pipelines.registry.models import GOLDEN_SET, ModelRegistry, Mover, RegisteredVersion
from pipelines.sentences import refusals
from pipelines.store.database.models import AliasComparison, AliasRule, RegisteredModel
from pipelines.workspace import Workspace

Via = Literal["app", "api", "cli", "python"]
Compare = Callable[[Path, Path | None, Path], GoldenAnswer]
"""Function that compares the models in two folders on a folder of golden images."""


def mover(via: Via, reason: str = "") -> Mover:
    """Return the user of this process, who changes an alias this way for this reason."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        user = "unknown"
    return Mover(user[:120], via, reason.strip())


@dataclass(frozen=True)
class AliasMoves:
    """Aliases of a workspace, moved by hand as far as their rules permit."""

    registry: ModelRegistry
    workspace: Workspace
    compare: Compare

    @classmethod
    def asking(
        cls, registry: ModelRegistry, workspace: Workspace, inspector: Inspector
    ) -> AliasMoves:
        """Return them with comparisons in the process of an inspector."""

        def compare(model: Path, current: Path | None, golden: Path) -> GoldenAnswer:
            before = None if current is None else str(current)
            # answers are cached, but golden images can change
            facts = {"golden": str(golden), "asked": time.time_ns()}
            return inspector.ask(GOLDEN, model=str(model), current=before, **facts)

        return cls(registry, workspace, compare)

    def move(
        self, name: str, alias: str, version: int | None, by: Mover, *, force: bool = False
    ) -> RegisteredModel:
        """Set an alias to a version, or remove it with None.

        Args:
            name: The model.
            alias: Its alias.
            version: The version.
            by: Who moves it, and why.
            force: True to move it against its rule, which is recorded.

        Raises:
            RefusedError: The version is worse than the current one, or cannot be compared.
        """
        model = self.registry.find(name if version is None else f"{name}@{version}").model
        rule, current = model.rules.get(alias), model.aliases.get(alias)
        if rule is None or version in (None, current):
            return self.registry.set_alias(name, alias, version, by, forced=force)
        comparison = self._comparison(model, alias, version, rule, force=force)
        is_forced = force and not comparison.get("is_as_good")
        return self.registry.set_alias(
            name, alias, version, by, comparison=comparison, forced=is_forced
        )

    def set_rule(self, name: str, alias: str, golden: str | None, by: Mover) -> RegisteredModel:
        """Set the golden images of an alias; None removes its rule.

        Raises ``RefusedError`` if it has no such images.
        """
        if golden is None:
            return self.registry.set_rule(name, alias, None, by)
        folder = self._folder(golden)
        text = golden if golden.startswith("dataset:") else str(folder)
        if not _has_class_folders(folder):
            raise RefusedError(refusals.NOT_A_GOLDEN_SET, source=golden[:300])
        return self.registry.set_rule(name, alias, {GOLDEN_SET: text}, by)

    def _comparison(
        self,
        model: RegisteredModel,
        alias: str,
        version: int,
        rule: AliasRule,
        *,
        force: bool,
    ) -> AliasComparison:
        """Return the figures of both versions; raise if the rule does not permit the move."""
        current = model.aliases[alias]
        golden = str(rule.get(GOLDEN_SET))
        try:
            figures = self._figures(
                self.registry.find(f"{model.name}@{version}"),
                self.registry.find(f"{model.name}@{current}"),
                golden,
            )
        except (DesignerError, ModuleError) as error:
            if not force:
                raise RefusedError(
                    refusals.ALIAS_NOT_COMPARED, alias=alias, why=error.message[:400]
                ) from error
            return {"golden": golden, "current": current, "error": error.message[:400]}
        if not figures["is_as_good"] and not force:
            raise RefusedError(_worse(model.name, version, current, figures))
        return {
            "golden": golden,
            "current": current,
            "images": figures["images"],
            "right": figures["right"],
            "before": figures["before"],
            "low": figures["low"],
            "is_as_good": figures["is_as_good"],
        }

    def _figures(
        self, candidate: RegisteredVersion, current: RegisteredVersion, golden: str
    ) -> GoldenAnswer:
        for place in (candidate, current):
            if not isinstance(place.artifact, TrainedModel):
                raise RefusedError(refusals.SCRIPT_NOT_COMPARED, model=place.reference)
        folder = self._folder(golden)
        figures = self.compare(candidate.artifact.path, current.artifact.path, folder)
        if not figures["images"]:
            raise RefusedError(
                refusals.NO_GOLDEN_IMAGES, source=golden[:300], model=candidate.reference
            )
        return figures

    def _folder(self, golden: str) -> Path:
        """Return the folder of golden images; raise ``RefusedError`` if there is none."""
        text = golden if golden.startswith("dataset:") else f"file:{golden}"
        context = Context(self.workspace.root, datasets_dir=self.workspace.datasets_dir)
        try:
            source = parse_source(text)
            assert isinstance(source, DatasetSource | FileSource)
            folder = source.location(context)
        except ModuleError as error:
            raise RefusedError(refusals.NOT_A_GOLDEN_SET, source=golden[:300]) from error
        if not folder.is_dir():
            raise RefusedError(refusals.NOT_A_GOLDEN_SET, source=golden[:300])
        return folder


def compare_here(model: Path, current: Path | None, golden: Path) -> GoldenAnswer:
    """Compare in this process, which imports torch."""
    from modules.scoring.golden_comparison import compare_on_golden

    with TemporaryDirectory(prefix="designer-golden-") as scratch:
        before = None if current is None else TrainedModel(current)
        figures = compare_on_golden(TrainedModel(model), before, golden, Context(Path(scratch)))
    if figures is None:
        return GoldenAnswer(images=0, right=0, before=None, low=None, is_as_good=False)
    return GoldenAnswer(
        images=figures.images,
        right=figures.right,
        before=figures.before,
        low=figures.low,
        is_as_good=figures.is_as_good,
    )


def _has_class_folders(folder: Path) -> bool:
    from modules.scoring.golden_comparison import golden_images

    return bool(golden_images(folder))


def _worse(name: str, version: int, current: int, figures: GoldenAnswer) -> Statement:
    images, before = figures["images"], figures["before"] or 0
    return refusals.ALIAS_WORSE.about(
        {
            "model": f"{name}@{version}",
            "current": f"{name}@{current}",
            "right": figures["right"],
            "images": images,
            "share": 100 * figures["right"] / images,
            "before": before,
            "before_share": 100 * before / images,
            "low": 100 * (figures["low"] or 0.0),
        }
    )
