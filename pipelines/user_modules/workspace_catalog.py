"""Module catalog of a workspace: built-in modules, its own files, installed packages.

``pipelines.user_modules.listing`` reads users' files and packages in other processes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from modules.catalog import Catalog, builtin_catalog
from modules.loading import entry_points, module_files
from pipelines.workspace import Workspace


class CatalogSource:
    """Source of the catalog for the current state of the files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._state: tuple[tuple[str, int, int], ...] | None = None
        self._catalog = Catalog()
        self._lock = threading.Lock()

    def load(self) -> Catalog:
        """Return the current catalog."""
        with self._lock:
            state = tuple(self._states())
            if state != self._state:
                self._catalog, self._state = load_catalog(self._workspace), state
            return self._catalog

    def _states(self) -> Iterator[tuple[str, int, int]]:
        for path in module_files(self._workspace.modules_dir)[0]:
            try:
                status = path.stat()
            except OSError:  # a broken link: reported when it is read
                yield str(path), 0, 0
            else:
                yield str(path), status.st_mtime_ns, status.st_size


def load_catalog(workspace: Workspace | None) -> Catalog:
    """Return the built-in modules, those of the workspace's files and of installed packages."""
    catalog = builtin_catalog()
    paths, failures = module_files(workspace.modules_dir) if workspace else ([], [])
    catalog = catalog.adding([], failures)
    announced = list(entry_points())
    if not (paths or announced):
        return catalog
    from pipelines.user_modules.listing import (
        read_modules,  # its dependencies are imported where needed
    )

    for modules, failed in read_modules(paths, announced, workspace):
        catalog = catalog.adding(modules, failed)
    return catalog
