"""A user's module that starts its own processes, to be set up in the browser."""

from __future__ import annotations

from typing import Annotated

from modules import AnyDirectory, Context, Field, Parameters, PortDoc, Table, module


class LaunchedParameters(Parameters):
    script: str = Field("train.py", title="Script", description="The file that is started.")
    arguments: tuple[str, ...] = Field(
        (), title="Arguments", description="What the script is started with."
    )


@module(
    title="Launched",
    category="Python",
    summary="Start a script.",
    icon="rocket",
    launches=True,
)
def launched(
    parameters: LaunchedParameters,
    context: Context,
    images: Annotated[AnyDirectory | None, PortDoc("What it reads.")] = None,
) -> Table:
    """Give a table of what was started."""
    import pandas as pd

    given = parameters.arguments if images is None else (*parameters.arguments, str(images.path))
    rows = pd.DataFrame({"argument": list(given)})
    return Table.write(context.new_folder(), rows)
