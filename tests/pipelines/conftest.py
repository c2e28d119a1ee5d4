"""Property tests: no deadline, because the first call of a test pays for imports."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no-deadline", deadline=None, database=None)
settings.load_profile("no-deadline")
