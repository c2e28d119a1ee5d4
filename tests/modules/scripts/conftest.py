"""Steps that run scripts for real, each in folders of its own, and what they left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import Artifact
from modules.context import Context, Report
from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import ScriptOutputs, run_training_script


@dataclass
class ScriptStep:
    """One attempt of Run Training Script, called as its host does."""

    root: Path
    events: list[Report] = field(default_factory=list)
    num_runs: int = 0

    @property
    def node_dir(self) -> Path:
        return self.root / "node"

    @property
    def work(self) -> Path:
        return self.node_dir / "attempt-1" / "working"

    def context(self, **settings: Any) -> Context:
        self.num_runs += 1
        (self.node_dir / "attempt-1").mkdir(parents=True, exist_ok=True)
        return Context(
            self.root / "store" / f"step-{self.num_runs}",
            cache_dir=self.root / "cache",
            datasets_dir=self.root / "datasets",
            node_dir=self.node_dir,
            attempt_dir=self.node_dir / "attempt-1",
            emit=self.events.append,
            **settings,
        )

    def run(
        self,
        script: str | None,
        /,
        *,
        inputs: Mapping[str, Artifact] | None = None,
        settings: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> ScriptOutputs:
        """Run a typed script, or with None what the parameters say."""
        given = {"typed_script": script, "model_file": None, **parameters}
        context = self.context(**(settings or {}))
        outputs: ScriptOutputs = run_training_script(
            ScriptParameters(**given), context, **(inputs or {})
        )
        return outputs

    def log(self, rank: int = 0) -> str:
        return (self.node_dir / f"70_driver_log_{rank}.txt").read_text("utf-8")

    @property
    def launcher_log(self) -> str:
        return (self.node_dir / "70_launcher_log.txt").read_text("utf-8")

    @property
    def warnings(self) -> list[str]:
        return [event["message"] for event in self.events if event["kind"] == "warning"]


@pytest.fixture
def step(tmp_path: Path) -> ScriptStep:
    return ScriptStep(tmp_path / "step")


@pytest.fixture
def source(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Make a source folder of texts by path."""

    def make(files: Mapping[str, str]) -> Path:
        for path, text in files.items():
            place = tmp_path / "source" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return tmp_path / "source"

    return make
