"""Report about a source before it runs, stored with the run: files, size, commit, secrets."""

from __future__ import annotations

from pathlib import Path

from modules.context import Context
from modules.files.json_files import write_whole
from modules.scripts.git_state import git_state
from modules.scripts.likely_secrets import likely_secrets
from modules.scripts.source_snapshot import SourceSnapshot
from modules.sentences import scripts as say

SOURCE_FILE = "source.json"


def tell_source(folder: Path, snapshot: SourceSnapshot, context: Context) -> str:
    """Warn of likely secrets, report the size, and write ``source.json`` for the run.

    Returns the hash of the source.
    """
    secrets = likely_secrets(snapshot)
    if secrets:
        context.warn(say.SECRETS_FOUND, places=[str(secret) for secret in secrets])
    git = git_state(folder)
    commit = None if git is None else str(git["commit"])[:12]
    context.phase("preparing", files=len(snapshot.files), bytes=snapshot.num_bytes, commit=commit)
    sha256 = snapshot.sha256()
    if context.attempt_dir is not None:
        report = {
            "sha256": sha256,
            "num_bytes": snapshot.num_bytes,
            "files": [file.path for file in snapshot.files],
            "git": git,
        }
        write_whole(context.attempt_dir / SOURCE_FILE, report, indent=1)
    return sha256
