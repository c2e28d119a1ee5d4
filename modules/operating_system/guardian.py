"""The guardian: a runner's parent, which ends the processes left by a killed runner or fork server.

A runner that loses its guardian exits, so that none continues unguarded.

It also holds the runner's lock. So the next runner, which resumes steps, starts only when no
process of the previous one can interfere.
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
    """Return in a child of this process, which remains as its guardian and ends after it.

    On systems other than Linux, where orphans cannot be adopted, this process continues alone.
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
        end_children(keep=(child,))  # all other children are adopted orphans
        received = signal.sigtimedwait(awaited, POLL_SECONDS)
        if received is not None and received.si_signo == signal.SIGTERM:
            os.kill(child, signal.SIGTERM)
    end_children()


def _is_alive(child: int) -> bool:
    """Return True if the child has not ended; it is reaped later with the rest."""
    facts = process_facts(child)
    return facts is not None and facts.is_alive
