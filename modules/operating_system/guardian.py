"""The guardian: a runner's parent, which ends what a killed runner or fork server leaves behind.

A runner that loses its guardian ends, so that none goes on unguarded.

It holds the runner's lock too. So the next runner, which takes steps up again, begins only when
nothing of the last one's is left to disturb them.
"""

from __future__ import annotations

import os
import signal

from modules.operating_system.forking import can_fork
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.process_table import IS_LINUX, process_facts
from modules.operating_system.signals import ignore_interrupts

POLL_SECONDS = 1.0


def continue_in_guarded_child() -> None:
    """Return in a child of this process, which stays behind as its guardian and ends after it.

    Elsewhere than on Linux, where nobody can adopt orphans, this process goes on alone.
    """
    if not (IS_LINUX and can_fork()):
        return
    adopt_orphans()
    guardian = os.getpid()
    child = os.fork()
    if child:
        _guard(child)
        os._exit(0)
    die_with_parent(guardian, signal.SIGTERM)


def _guard(child: int) -> None:
    ignore_interrupts()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    awaited = frozenset({signal.SIGCHLD, signal.SIGTERM})
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    while _is_alive(child):
        end_children(keep=(child,))  # whatever else has come here is an orphan
        received = signal.sigtimedwait(awaited, POLL_SECONDS)
        if received is not None and received.si_signo == signal.SIGTERM:
            os.kill(child, signal.SIGTERM)
    end_children()


def _is_alive(child: int) -> bool:
    """Whether the child has not ended; it is left to be reaped with the rest."""
    facts = process_facts(child)
    return facts is not None and facts.is_alive
