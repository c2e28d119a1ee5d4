"""Start of the owner's browser through a file that only its owner can read.

An address in the browser's command line would be visible to everybody on the machine (``ps``).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path
from string import Template

from modules.files.workspace_folder import OPENING

KEPT_SECONDS = 60.0
"""Time that a browser has to read the file."""
PAGE = Template("""<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Pipeline Designer</title>
<meta http-equiv="refresh" content="0; url=$address">
<a href="$address">Open Pipeline Designer</a>
<script>location.replace(document.links[0].href);</script>
""")


class BrowserOpening:
    """Opening of an address in the browser, in the background; the file is removed after use."""

    def __init__(self, folder: Path, entered: threading.Event) -> None:
        """``folder`` holds the file: browsers confined to the user's own folders must be able to
        read it. ``entered`` is set when the file is no longer needed.
        """
        remove_old(folder)
        self._parent = folder
        self._folder: Path | None = None
        self._entered = entered

    def start(self, address: str) -> None:
        """Write the file and open it."""
        self._folder = Path(tempfile.mkdtemp(prefix=OPENING, dir=self._parent))  # mode 0700
        path = self._folder / "open.html"
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(PAGE.substitute(address=escape(address)))
        # a terminal browser keeps running: the file is removed in parallel
        threading.Thread(target=webbrowser.open, args=(path.as_uri(),), daemon=True).start()
        threading.Thread(target=self._end, daemon=True).start()

    def close(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        self._entered.wait(KEPT_SECONDS)
        self.close()


def remove_old(folder: Path) -> None:
    """Remove the files of killed servers; their codes are invalid."""
    for left in folder.glob(f"{OPENING}*"):
        with suppress(FileNotFoundError):  # another server removed it first
            if time.time() - left.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
