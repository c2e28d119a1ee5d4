"""The catalog of a workspace: built-in modules, its own files, installed packages.

Users' files and packages are read by ``pipelines.user_modules.listing``, in other processes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from modules.catalog import Catalog, builtin_catalog
from modules.loading import entry_points, module_files
from pipelines.workspace import Workspace


class CatalogSource:
    """Hands out the catalog as the files now are."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._state: tuple[tuple[str, int, int], ...] | None = None
        self._catalog = Catalog()
        self._lock = threading.Lock()

    def load(self) -> Catalog:
        """The current catalog."""
        with self._lock:
            state = tuple(self._states())
            if state != self._state:
                self._catalog, self._state = load_catalog(self._workspace), state
            return self._catalog

    def _states(self) -> Iterator[tuple[str, int, int]]:
        for path in module_files(self._workspace.modules_dir)[0]:
            try:
                found = path.stat()
            except OSError:  # a link to nowhere: told when it is read
                yield str(path), 0, 0
            else:
                yield str(path), found.st_mtime_ns, found.st_size


def load_catalog(workspace: Workspace | None) -> Catalog:
    """The built-in modules, those of the workspace's Python files and of installed packages."""
    catalog = builtin_catalog()
    paths, failures = module_files(workspace.modules_dir) if workspace else ([], [])
    catalog = catalog.adding([], failures)
    announced = list(entry_points())
    if not (paths or announced):
        return catalog
    from pipelines.user_modules.listing import (
        read_modules,  # what it takes is loaded where it is needed
    )

    for found, failed in read_modules(paths, announced, workspace):
        catalog = catalog.adding(found, failed)
    return catalog
