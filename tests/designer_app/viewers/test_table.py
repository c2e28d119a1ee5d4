"""A table's filter says so where it cannot understand what is looked for."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest


def test_what_is_no_number_is_said_and_hides_no_row(tmp_path: Path) -> None:
    pd.DataFrame({"images": [12, 20_000, *range(8)]}).to_parquet(tmp_path / "table.parquet")
    page = AppTest.from_function(drawn, default_timeout=120, args=(str(tmp_path),)).run()
    page.selectbox[1].select("images").run()

    def looked_for(text: str) -> tuple[list[int], list[str]]:
        page.text_input[0].set_value(text).run()
        assert not page.exception
        return list(page.dataframe[0].value["images"]), [each.value for each in page.caption]

    rows, [said] = looked_for("many")
    assert rows == [12, 20_000, *range(8)]
    assert "“many” is not a number" in said
    assert looked_for("12,000") == ([20_000], [])


def drawn(folder: str) -> None:
    from pathlib import Path

    from designer_app.viewers.table import draw_table
    from designer_app.viewers.viewed_output import ViewedOutput
    from pipelines.inspection.artifact_info import ArtifactFacts
    from pipelines.workspace import Workspace

    facts = ArtifactFacts(Path(folder), "Table", "20260101-000000-abcd", "tables", "tables")
    subject = ViewedOutput(Workspace.at(Path(folder)), facts, "look", facts.run_id)
    draw_table(subject, Path(folder) / "table.parquet", "table", None)
