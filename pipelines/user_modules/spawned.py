"""Process of one user's module file on systems without fork.

``python -m pipelines.user_modules.spawned CONNECTION ORIGIN``, the origin as JSON.
"""

from __future__ import annotations

import json
import os
import sys

from modules.loading import ModuleOrigin
from modules.operating_system.limits import limit_memory
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from modules.operating_system.spawning import connection_to_parent
from pipelines.user_modules.answers import answer_questions
from pipelines.user_modules.server import MEMORY_BYTES


def main() -> None:
    """Answer the process at the other end of the connection."""
    code = 1
    try:
        die_with_parent(os.getppid())
        ignore_interrupts()
        limit_memory(MEMORY_BYTES)
        answer_questions(connection_to_parent(sys.argv[1]), ModuleOrigin(**json.loads(sys.argv[2])))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
