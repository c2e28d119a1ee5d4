"""Two databases of one workspace become one: what both know of a model, and its numbers."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from pipelines.store.database.connections import Database
from pipelines.store.database.merging import merge
from pipelines.store.database.models import AliasMove, ModelStore, NewVersion
from pipelines.workspace import Workspace

VERSION: NewVersion = {"artifact": "x/y", "run_id": None, "metrics": {}}


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


def test_the_copys_aliases_come_with_their_rules_and_history(tmp_path: Path) -> None:
    results, there = (Workspace.at(tmp_path / item) for item in ("here", "there"))
    with closing(Database.open(results)) as database:
        ModelStore(database).add("birds", VERSION)
    shutil.copytree(results.root, there.root)
    made = ("ann", "cli", "why", None, False)
    with closing(Database.open(there)) as database:
        models = ModelStore(database)
        assert models.change_alias(
            "birds", AliasMove("best", 1.0, 1, None, {"golden": "/g"}, *made)
        )
        assert models.change_alias("birds", AliasMove("best", 1.0, 1, 1, {"golden": "/h"}, *made))
        assert not models.change_alias("birds", AliasMove("best", 1.0, 1, 2, None, *made))
    for _ in range(2):
        merge(results.root / "designer.db", there.root / "designer.db")
    with closing(Database.open(results)) as database:
        models = ModelStore(database)
        [model] = models.all()
        assert (model.aliases, model.rules) == ({"best": 1}, {"best": {"golden": "/h"}})
        moves = models.moves("birds", 9)
    assert [move.rule for move in moves] == [{"golden": "/h"}, {"golden": "/g"}]
    assert moves[0].moved > moves[1].moved == 1.0
