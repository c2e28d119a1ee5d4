"""Options of ``sbatch`` that the setting ``extra`` may add to a job.

An allow-list: ``sbatch`` accepts any unique prefix of a name, joins short options, and treats the
first bare word as the script. Each option is therefore parsed as ``sbatch`` would and passed on as
``--name=value``, which every version of ``sbatch`` reads in the same way.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


WITH_VALUE = _names(
    "acctg-freq batch bb bbf begin comment constraint core-spec cores-per-socket cpu-freq deadline "
    "delay-boot distribution exclude extra extra-node-info gpu-bind gpu-freq gpus gpus-per-node "
    "gpus-per-socket gpus-per-task gres-flags hint licenses mail-type mail-user mcs-label mem "
    "mem-bind mem-per-cpu mem-per-gpu mincpus network nodefile nodelist power prefer priority "
    "profile reservation segment sockets-per-node switches thread-spec threads-per-core time-min "
    "tmp tres-bind tres-per-task wait-all-nodes wckey"
)
FLAGS = _names(
    "contiguous hold ignore-pbs overcommit oversubscribe quiet reboot spread-job use-min-nodes "
    "verbose"
)
WITH_OPTIONAL_VALUE = _names("exclusive nice oom-kill-step propagate resv-ports")
"""Options whose value follows ``=``, never as the next word."""
ALLOWED = WITH_VALUE | FLAGS | WITH_OPTIONAL_VALUE
NOT_IN_SRUN = _names("batch ignore-pbs wait-all-nodes")
"""Options unknown to ``srun``, which checks a target."""

COUNTS = "set the node and process count in the run settings of a node"
LOG = "the designer reads the log of the job"
WATCH = "the designer could not follow the job"
ENVIRONMENT = "set environment variables in the run settings of a node"
IMAGE = "choose an environment in the run settings of a node"
REFUSED: dict[str, str] = {
    **dict.fromkeys(("account", "gres", "partition", "qos"), "use the setting {name}"),
    **dict.fromkeys(
        _names(
            "nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket "
            "ntasks-per-tres tasks-per-node cpus-per-task cpus-per-gpu"
        ),
        COUNTS,
    ),
    **dict.fromkeys(("output", "error", "input", "open-mode"), LOG),
    **dict.fromkeys(("export", "export-file", "get-user-env"), ENVIRONMENT),
    **dict.fromkeys(("container", "container-id"), IMAGE),
    **dict.fromkeys(_names("cluster clusters cluster-constraint gid uid"), WATCH),
    **dict.fromkeys(_names("parsable wait test-only help usage version"), WATCH),
    **dict.fromkeys(("dependency", "kill-on-invalid-dep"), "the designer orders the steps"),
    **dict.fromkeys(("requeue", "no-requeue"), "set retries in the run settings of a node"),
    "array": "the designer starts one job for each step",
    "chdir": "the designer sets the working directory",
    "job-name": "the designer finds its jobs by name",
    "no-kill": "a step ends with the first machine that fails",
    "signal": "set a time limit in the run settings of a node",
    "time": "use the setting time_limit",
    "wrap": "the designer starts its own script",
}
"""Rejected options that would break the designer's assumptions, with alternatives."""
KNOWN = ALLOWED | REFUSED.keys()

SHORT = {
    **{"a": "array", "A": "account", "b": "begin", "B": "extra-node-info", "c": "cpus-per-task"},
    **{"C": "constraint", "d": "dependency", "D": "chdir", "e": "error", "F": "nodefile"},
    **{"G": "gpus", "h": "help", "H": "hold", "i": "input", "J": "job-name", "k": "no-kill"},
    **{"L": "licenses", "m": "distribution", "M": "clusters", "n": "ntasks", "N": "nodes"},
    **{"o": "output", "O": "overcommit", "p": "partition", "q": "qos", "Q": "quiet"},
    **{"s": "oversubscribe", "S": "core-spec", "t": "time", "v": "verbose"},
    **{"V": "version", "w": "nodelist", "W": "wait", "x": "exclude"},
}


@dataclass(frozen=True)
class SbatchOption:
    """Option by its long name."""

    name: str
    value: str | None = None

    def __str__(self) -> str:
        return f"--{self.name}" if self.value is None else f"--{self.name}={self.value}"


def read_sbatch_options(text: str) -> list[SbatchOption]:
    """Return the options that a text adds to a job.

    Raises ``ValueError`` for bare words, unknown or abbreviated names, missing or unexpected
    values, and options that the designer sets itself.
    """
    words = iter(shlex.split(text))
    return [option for word in words for option in _options_of(word, words)]


def _options_of(word: str, rest: Iterator[str]) -> Iterator[SbatchOption]:
    """Return the options of a word; a value in the next word is taken from ``rest``."""
    if not word.startswith("-") or word in ("-", "--"):
        raise ValueError(f"{word!r} is not an option: write --name=value")
    if not word.startswith("--"):
        yield from _short_options(word, rest)
        return
    name, equals, value = word[2:].partition("=")
    _check_name(f"--{name}", name)
    if name in WITH_VALUE and not equals:
        value = _next_value(f"--{name}", rest)
    elif name in FLAGS and equals:
        raise ValueError(f"--{name} takes no value")
    yield _checked(name, value if equals or name in WITH_VALUE else None)


def _short_options(word: str, rest: Iterator[str]) -> Iterator[SbatchOption]:
    """Return the options of ``-sH`` or ``-Ca100``: only the last one can have a value."""
    for index, letter in enumerate(word[1:], start=2):
        name = SHORT.get(letter)
        if name is None:
            raise ValueError(f"-{letter} is not an option of sbatch")
        _check_name(f"-{letter} (--{name})", name)
        if name in WITH_VALUE:
            yield _checked(name, word[index:] or _next_value(f"-{letter}", rest))
            return
        yield SbatchOption(name)


def _check_name(written: str, name: str) -> None:
    if name in ALLOWED:
        return
    if name in REFUSED:
        instead = REFUSED[name].format(name=name)
        raise ValueError(f"{written} cannot be set here: {instead}")
    candidates = sorted(option for option in KNOWN if name and option.startswith(name))
    if candidates:
        names = " or ".join(f"--{option}" for option in candidates[:3])
        raise ValueError(f"{written} is abbreviated: write {names}")
    raise ValueError(f"{written[:80]!r} is not an option of sbatch that can be set here")


def _next_value(written: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise ValueError(f"{written} needs a value")
    return value


def _checked(name: str, value: str | None) -> SbatchOption:
    if value is not None and not value.isprintable():
        raise ValueError(f"the value of --{name} contains a line break or control character")
    return SbatchOption(name, value)
