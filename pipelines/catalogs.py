"""The catalog of a workspace, loaded again only when its module files have changed."""

from __future__ import annotations

from pathlib import Path

from modules.catalog import Catalog, load_catalog


class CatalogSource:
    """Hands out the catalog as the files now are."""

    def __init__(self, modules_dir: Path) -> None:
        self._modules_dir = modules_dir
        self._state: tuple[tuple[str, int, int], ...] | None = None
        self._catalog = Catalog()

    def load(self) -> Catalog:
        """The current catalog."""
        state = self._look()
        if state != self._state:
            self._catalog, self._state = load_catalog(self._modules_dir), state
        return self._catalog

    def _look(self) -> tuple[tuple[str, int, int], ...]:
        if not self._modules_dir.is_dir():
            return ()
        found = [(path, path.stat()) for path in sorted(self._modules_dir.rglob("*.py"))]
        return tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in found)
