"""Pipeline in a script or notebook: built in a ``with`` block, then checked and run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Self

from modules.catalog import builtin_catalog
from pipeline_designer import display
from pipeline_designer.open_pipelines import open_level, pop, push
from pipeline_designer.runs import Run
from pipeline_designer.workspaces import Workspace
from pipelines.document.code.build import CodeError, Node, PipelineBuilder, SubPipeline
from pipelines.document.code.write import to_code
from pipelines.document.document import PipelineDocument, dump_document
from pipelines.document.local_paths import with_absolute_paths
from pipelines.problems import Problem, errors_in
from pipelines.sentences import python_scripts


class Problems(list[Problem]):
    """Problems of a pipeline; true if there are any."""

    @property
    def is_valid(self) -> bool:
        """Return True if the pipeline can be run: there are warnings at most."""
        return not errors_in(self)

    def __repr__(self) -> str:
        return "\n".join(f"{problem.severity} {problem.sentence}" for problem in self) or "[]"

    def _repr_html_(self) -> str:
        return display.problems_html(self)


class Pipeline(PipelineBuilder):
    """Pipeline: nodes that are added in its block, then documents, checks and runs.

        with Pipeline("digits") as p:
            images = m.import_images(source="sample:digits")

        p.check()
        run = p.run(wait=True)

    A node without an ``id`` has that of its variable. In a notebook, it shows its graph.
    """

    def __init__(
        self,
        id: str,
        *,
        name: str = "",
        description: str = "",
        target: str = "local",
        random_seed: int | None = None,
        sweep: Mapping[str, Any] | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        """Create an empty pipeline.

        Args:
            id: Id, of lowercase letters, digits, ``-`` and ``_``.
            name: Name for people.
            description: Description for people.
            target: Compute target of nodes without their own.
            random_seed: Seed of nodes without their own.
            sweep: Search over parameters, as ``settings.sweep`` of the document.
            workspace: Workspace of its runs and modules. Default: ``Workspace()``.
        """
        catalog = workspace.catalog if workspace else builtin_catalog()
        super().__init__(
            catalog,
            id,
            name=name,
            description=description,
            target=target,
            random_seed=random_seed,
            sweep=sweep,
        )
        self._workspace = workspace
        self._document: PipelineDocument | None = None

    def __enter__(self) -> Self:
        push(self, self)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        pop()
        if kind is None:
            self._finish(_variables(sys._getframe(1)))
            self._document = self._parsed()

    def sub_pipeline(self, id: str, *, title: str = "", description: str = "") -> OpenSubPipeline:
        """Add a sub-pipeline: ``with p.sub_pipeline("front") as front:``."""
        definition = OpenSubPipeline(self, id, title, description)
        self._definitions.append(definition)
        return definition

    @property
    def document(self) -> PipelineDocument:
        """The document, complete after the block. Raises ``CodeError`` before."""
        if self._document is None:
            raise CodeError(python_scripts.STILL_OPEN)
        return self._document

    def to_code(self) -> str:
        """Return the canonical code of the pipeline."""
        return to_code(self.document, self._catalog)

    def save(self, path: str | Path) -> Path:
        """Write the document (JSON), or code to a path that ends in ``.py``; return the path."""
        target = Path(path)
        is_code = target.suffix == ".py"
        text = self.to_code() if is_code else dump_document(self.document)
        target.write_text(text, encoding="utf-8")
        return target

    def check(self) -> Problems:
        """Return all problems of the pipeline in its workspace, without running it."""
        return Problems(self.workspace.backend.problems(self._with_absolute_paths()))

    def run(
        self,
        *,
        wait: bool = False,
        name: str | None = None,
        experiment: str | None = None,
        allow_code: bool = False,
        workspace: Workspace | None = None,
    ) -> Run:
        """Run the pipeline.

        Args:
            wait: True to wait for the end: an interruption then cancels the run.
            name: Name of the run. Default: the changes since the previous one.
            experiment: Experiment. Default: the name of the pipeline.
            allow_code: True to approve the code in the pipeline on the machine of the workspace.
            workspace: Workspace of this run. Default: that of the pipeline.

        Returns:
            The run, ended if ``wait`` is True.

        Raises:
            PipelineError: The pipeline cannot be run, with all problems.
            RunFailedError: The run failed or was cancelled, if ``wait`` is True.
        """
        where = workspace or self.workspace
        document = self._with_absolute_paths()
        if allow_code:
            where.backend.allow_code(document)
        run_id = where.backend.submit(document, name, experiment, attached=wait)
        run = Run(where.backend, run_id)
        return run.wait() if wait else run

    @property
    def workspace(self) -> Workspace:
        """Workspace of the pipeline."""
        if self._workspace is None:
            self._workspace = Workspace()
        return self._workspace

    def _with_absolute_paths(self) -> PipelineDocument:
        if not self.workspace.is_local:
            return self.document
        return with_absolute_paths(self.document, self._catalog, Path.cwd())

    def __repr__(self) -> str:
        state = "open" if self._document is None else f"{len(self._document.nodes)} nodes"
        return f"<Pipeline {self._content['id']}: {state}>"

    def _repr_html_(self) -> str | None:
        if self._document is None:
            return None
        return display.graph_html(self._document, self._catalog)


class OpenSubPipeline(SubPipeline):
    """Sub-pipeline: its nodes are added in its block; called after it, it adds a node."""

    def __init__(self, root: Pipeline, id: str, title: str, description: str) -> None:
        content = {"id": id, "title": title, "description": description}
        super().__init__(root, {**content, "inputs": [], "outputs": []})

    def __enter__(self) -> Self:
        assert self._root is not None
        push(self._root, self)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        pop()
        if kind is None:
            self._finish(_variables(sys._getframe(1)))

    def __call__(self, **arguments: Any) -> Any:
        """Add a node with this sub-pipeline; its outputs are attributes."""
        _, level = open_level()
        return self._place(level, arguments)


def _variables(frame: FrameType) -> dict[str, Any]:
    """Return the variables at the end of a block; nodes that have several keep the first."""
    return {name: value for name, value in frame.f_locals.items() if isinstance(value, Node)}
