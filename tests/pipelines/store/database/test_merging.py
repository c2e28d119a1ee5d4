"""Two databases of one workspace become one: what both know of a model, and its numbers."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from pipelines.store.database.connections import Database
from pipelines.store.database.merging import merge
from pipelines.store.database.models import ModelStore
from pipelines.workspace import Workspace

VERSION: dict[str, Any] = {"artifact": "x/y", "run_id": None, "metrics": {}}


def test_the_number_of_a_version_that_the_copy_deleted_is_not_given_again(tmp_path: Path) -> None:
    results, there = (Workspace.at(tmp_path / item) for item in ("here", "there"))
    with closing(Database.open(results)) as database:
        assert ModelStore(database).add("birds", VERSION) == 1
    shutil.copytree(results.root, there.root)
    with closing(Database.open(there)) as database:
        models = ModelStore(database)
        assert models.add("birds", VERSION) == 2
        models.delete("birds", 2)
        assert models.add("fish", VERSION) == 1
    merge(results.root / "designer.db", there.root / "designer.db")
    with closing(Database.open(results)) as database:
        models = ModelStore(database)
        assert [model.name for model in models.all()] == ["birds", "fish"]
        assert models.add("birds", VERSION) == 3
