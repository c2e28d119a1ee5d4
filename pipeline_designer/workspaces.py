"""Workspace: a folder of this machine, or an app by its address and key."""

from __future__ import annotations

import os
from pathlib import Path

from modules.catalog import Catalog
from pipeline_designer.backend import Backend
from pipeline_designer.local import LocalBackend
from pipeline_designer.remote import RemoteBackend
from pipeline_designer.runs import Run
from pipelines.errors import RefusedError
from pipelines.sentences import python_scripts
from pipelines.session import WorkspaceSession

KEY_VARIABLE = "DESIGNER_KEY"


class Workspace:
    """Runs, models and modules of a workspace.

    Workspace()                                      # $DESIGNER_WORKSPACE, then ./workspace
    Workspace("shapes")                              # a folder
    Workspace("http://gpu-box:8501", key="...")      # an app, by its address
    """

    def __init__(self, place: str | Path | None = None, *, key: str | None = None) -> None:
        """Choose a workspace; nothing is opened or created yet.

        Args:
            place: Folder, or address of an app. Default: $DESIGNER_WORKSPACE, then ./workspace.
            key: Content of the file ``token`` in the app's workspace. Default: $DESIGNER_KEY.
        """
        self.backend: Backend
        is_address = isinstance(place, str) and place.startswith(("http://", "https://"))
        self.is_local = not is_address
        self._place = str(place)
        if is_address:
            chosen = key or os.environ.get(KEY_VARIABLE)
            if not chosen:
                raise RefusedError(python_scripts.NO_KEY, variable=KEY_VARIABLE)
            self.backend = RemoteBackend(str(place), chosen.strip())
        else:
            self.backend = LocalBackend(Path(place) if place is not None else None)

    @property
    def catalog(self) -> Catalog:
        """Modules that pipelines of this workspace may use."""
        return self.backend.catalog

    @property
    def session(self) -> WorkspaceSession:
        """Session with everything else, for example ``environments``; of folders only."""
        if not isinstance(self.backend, LocalBackend):
            raise RefusedError(python_scripts.ONLY_FOLDERS)
        return self.backend.session

    def run(self, run: str = "last") -> Run:
        """Return a run by the start or end of its id; ``last`` is the newest."""
        return Run(self.backend, self.backend.find(run))

    def runs(self, limit: int = 20) -> list[Run]:
        """Return the newest runs."""
        return [Run(self.backend, run_id) for run_id in self.backend.recent(limit)]

    def __repr__(self) -> str:
        backend = self.backend
        place = backend.workspace.root if isinstance(backend, LocalBackend) else self._place
        return f"<Workspace {place}>"
