"""Published pipelines: frozen documents with a name and versions, run again with other values."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import NotFoundError, RefusedError
from pipelines.problems import PipelineError, Problem, errors_in
from pipelines.registry.caller_keys import CallerKeys
from pipelines.sentences import calling, refusals
from pipelines.store.database.connections import Database
from pipelines.store.database.published import PublishedPipeline, PublishedStore, PublishedVersion

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MAX_DESCRIPTION = 20_000


class PublishedPipelines:
    """Published pipelines of a workspace. Unknown ones raise ``NotFoundError``."""

    def __init__(self, database: Database) -> None:
        self.store = PublishedStore(database)

    def all(self) -> list[PublishedPipeline]:
        """Return the published pipelines by name."""
        return self.store.all()

    def find(self, name: str) -> PublishedPipeline:
        """Return a published pipeline with all versions."""
        pipeline = self.store.get(name)
        if pipeline is None:
            raise NotFoundError(calling.NO_PUBLISHED, name=name[:100])
        return pipeline

    def version(self, name: str, number: int | None = None) -> PublishedVersion:
        """Return one version; the newest for None."""
        version = self.find(name).version(number)
        if version is None:
            raise NotFoundError(calling.NO_PUBLISHED_VERSION, name=name, version=number)
        return version

    def publish(
        self,
        name: str,
        document: PipelineDocument,
        problems_of: Callable[[PipelineDocument], list[Problem]],
        *,
        description: str | None = None,
        version_description: str = "",
    ) -> PublishedVersion:
        """Freeze a document as the next version of a name.

        Its paths must be absolute. Raises ``RefusedError`` for an invalid name, and
        ``PipelineError`` with the problems of a pipeline that cannot be run.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(calling.NO_PUBLISHED_NAME, text=name[:80])
        for text in (description or "", version_description):
            if len(text) > MAX_DESCRIPTION:
                raise RefusedError(refusals.DESCRIPTION_LENGTH, most=MAX_DESCRIPTION)
        problems = errors_in(problems_of(document))
        if problems:
            raise PipelineError(problems)
        number = self.store.add(name, document.to_json(), version_description, description)
        return self.version(name, number)

    def keys(self, name: str) -> CallerKeys:
        """Return the keys of the programs that may run a published pipeline."""
        return CallerKeys(self.store.database, f"published:{name}")

    def delete(self, name: str, version: int | None = None) -> None:
        """Delete a published pipeline with its keys, or one version; its runs stay."""
        self.version(name, version)
        self.store.delete(name, version)
        if self.store.get(name) is None:
            self.keys(name).clear()


def document_of(version: PublishedVersion) -> PipelineDocument:
    """Return the document of a version, migrated to the current format."""
    return parse_document(version.document)
