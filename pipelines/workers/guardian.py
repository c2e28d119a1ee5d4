"""The guardian: a runner's parent, which ends what a killed runner or fork server leaves behind.

A runner that loses its guardian ends, so that none goes on unguarded.

It holds the runner's lock too. So the next runner, which takes steps up again, begins only when
nothing of the last one's is left to disturb them.
"""

from __future__ import annotations

import os
import signal

from pipelines.workers.orphans import adopt_orphans, end_children
from pipelines.workers.process_table import IS_LINUX, process_facts
from pipelines.workers.processes import die_with_parent

POLL_SECONDS = 1.0
AWAITED = frozenset({signal.SIGCHLD, signal.SIGTERM})


def continue_in_guarded_child() -> None:
    """Return in a child of this process, which stays behind as its guardian and ends after it.

    Elsewhere than on Linux, where nobody can adopt orphans, this process goes on alone.
    """
    if not IS_LINUX:
        return
    adopt_orphans()
    guardian = os.getpid()
    child = os.fork()
    if child:
        _guard(child)
        os._exit(0)
    die_with_parent(guardian, signal.SIGTERM)


def _guard(child: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    while _is_alive(child):
        end_children(keep=(child,))  # whatever else has come here is an orphan
        received = signal.sigtimedwait(AWAITED, POLL_SECONDS)
        if received is not None and received.si_signo == signal.SIGTERM:
            os.kill(child, signal.SIGTERM)
    end_children()


def _is_alive(child: int) -> bool:
    """Whether the child has not ended; it is left to be reaped with the rest."""
    facts = process_facts(child)
    return facts is not None and facts.is_alive
