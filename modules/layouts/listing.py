"""The files of a dataset, listed once for all readings of its parts."""

from __future__ import annotations

from collections.abc import Iterable

from modules.files.names import is_junk, parent_of
from modules.files.scanning import Tree
from modules.layouts.image_names import looks_like_image
from modules.layouts.parts import PartFolder, parts_of
from modules.layouts.table_parts import parts_of_tables


class Listing:
    """The paths of a dataset's files, without files of file managers.

    ``knows_tables`` is False for archives: only the names in them are known.
    """

    def __init__(self, tree: Tree, *, knows_tables: bool = True) -> None:
        self.tree = tree
        self.paths = _without_junk(file.path for file in tree.files)
        """All files."""
        self.images = [path for path in self.paths if looks_like_image(tree, path)]
        """Files that are images by their extension or their first bytes."""
        self.parts: tuple[PartFolder, ...] = parts_of(self.images)
        """The parts of the dataset, by its folders or else its tables; empty if it has none."""
        if knows_tables and not self.parts:
            self.parts = parts_of_tables(tree, self.paths, self.images)


def _without_junk(paths: Iterable[str]) -> list[str]:
    """Return the paths that are not junk; each folder is checked once."""
    is_clean: dict[str, bool] = {}
    kept = []
    for path in paths:
        folder = parent_of(path)
        if folder not in is_clean:
            is_clean[folder] = not (folder and is_junk(folder))
        if is_clean[folder] and not is_junk(path[len(folder) + 1 if folder else 0 :]):
            kept.append(path)
    return kept
