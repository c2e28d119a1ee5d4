"""Each Python process that finds this first behaves as on Windows, as far as Linux can."""

import os
import shutil
import signal
import subprocess  # it takes a system that has msvcrt for Windows: so, before that is there
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.other_systems import hidden, names, open_files, windows_calls

sys.path.pop(0)

LACKING = {
    os: (
        *("fork", "forkpty", "setsid", "getsid", "killpg", "nice", "getuid", "geteuid", "getgid"),
        *("getegid", "getgroups", "getpgid", "setpgid", "getpgrp", "sysconf", "mkfifo", "fchown"),
        *("pread", "pwrite", "preadv", "pwritev", "wait", "wait3", "wait4", "chown", "lchown"),
        *("O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "getloadavg"),
    ),
    signal: (
        *("SIGALRM", "SIGKILL", "SIGCHLD", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT"),
        *("SIGQUIT", "SIGPIPE", "SIGTSTP", "setitimer", "getitimer", "alarm", "sigwait"),
        *("pthread_sigmask", "pthread_kill", "siginterrupt", "pause"),
    ),
}


def creating(path: object, _: object, flags: int) -> None:
    if isinstance(path, str) and os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    if flags & os.O_CREAT:
        names.of_windows(path)
        names.one_spelling(path)


def making(path: object, *_: object) -> None:
    names.of_windows(path)
    names.one_spelling(path)


def renaming(source: object, target: object, *_: object) -> None:
    open_files.refuse_anywhere(source, target)
    making(target)


def linking(_: object, target: object, *__: object) -> None:
    making(target)


def no_symlinks(*_: object) -> None:
    raise OSError(22, "A required privilege is not held by the client")


windows_calls.install()
sys._base_executable = sys.executable  # type: ignore[attr-defined]
shutil._use_fd_functions = False  # type: ignore[attr-defined]
hidden.hide(hidden.LINUX_ONLY)
hidden.hide(LACKING, ("fcntl", "resource", "pwd", "grp", "termios"))
hidden.answer_as("win32", "nt")
hidden.watch(
    {
        "open": creating,
        "os.mkdir": making,
        "os.rename": renaming,
        "os.remove": open_files.refuse_here,
        "os.rmdir": open_files.refuse_here,
        "os.link": linking,
        "os.symlink": no_symlinks,
    }
)
_ = subprocess
