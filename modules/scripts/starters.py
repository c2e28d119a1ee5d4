"""Commands that start processes themselves, such as torchrun, and the launchers that allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from modules.errors import InvalidScriptError
from modules.sentences import scripts as say

STARTERS_OF_THEIR_OWN = frozenset(
    {"mpirun", "mpiexec", "orterun", "horovodrun", "deepspeed", "srun"}
)
"""Programs that start processes on several machines, as the designer's launchers do."""
STARTERS_ON_ONE_NODE = frozenset({"torchrun", "accelerate"})
"""Programs that start the processes of one node, for the launcher that leaves this to them."""
TORCH_STARTERS = frozenset({"torch.distributed.run", "torch.distributed.launch"})
PYTHONS = frozenset({"python", "python3"})
PER_NODE, TOTAL = "nproc_per_node", "num_processes"
"""Options for the number of processes: of each machine, and of all of them."""


class LaunchSettings(NamedTuple):
    """Settings of a launch: those of the run settings, and those of the command."""

    launcher: str
    processes_per_node: int


def launch_settings(
    words: Sequence[str], launcher: str | None, node_count: int, processes_per_node: int, usual: str
) -> LaunchSettings:
    """Return the launcher and the number of processes that a command is started with.

    A command that starts the processes of a machine is started once on each, if no launcher is
    chosen. If the run settings leave the number of processes at one, the command's own counts.

    Args:
        words: The command; empty for a script without one.
        launcher: The one of the run settings; None if none is chosen there.
        node_count: Machines.
        processes_per_node: Of the run settings.
        usual: The launcher of other commands and of scripts.
    """
    starter = _starter_on_one_node(words[0].rpartition("/")[2], words) if words else ""
    chosen = launcher or ("pytorch_node" if starter else usual)
    if not starter or chosen != "pytorch_node" or processes_per_node != 1:
        return LaunchSettings(chosen, processes_per_node)
    counts = dict(_counts(words))
    total = counts.get(TOTAL, 0)
    own = counts.get(PER_NODE) or (total // node_count if total % node_count == 0 else 0)
    return LaunchSettings(chosen, own or 1)


def _counts(words: Sequence[str]) -> Iterator[tuple[str, int]]:
    for option, value in _numbers(words):
        yield option.lstrip("-").replace("-", "_"), value


def require_no_second_launcher(words: Sequence[str], launcher: str) -> None:
    """Raise if a command starts processes although the launcher already does."""
    program = words[0].rpartition("/")[2]
    if launcher == "none":
        return
    if program in STARTERS_OF_THEIR_OWN:
        raise InvalidScriptError(
            say.SECOND_LAUNCHER, program=program, launcher=launcher, parameter="command"
        )
    starter = _starter_on_one_node(program, words)
    if starter and launcher != "pytorch_node":
        raise InvalidScriptError(
            say.NODE_STARTER, program=starter, launcher=launcher, parameter="command"
        )


def require_same_counts(
    words: Sequence[str], launcher: str, node_count: int, processes_per_node: int
) -> None:
    """Raise if a starter of one node's processes has other counts than the run settings.

    With the launcher none it may start any number of processes on its one node.
    """
    if not _starter_on_one_node(words[0].rpartition("/")[2], words):
        return
    counts = {"nnodes": node_count, "num_machines": node_count}
    if launcher != "none":
        total = node_count * processes_per_node
        counts |= {"nproc_per_node": processes_per_node, "num_processes": total}
    for option, value in _numbers(words):
        count = counts.get(option.lstrip("-").replace("-", "_"))
        if count is not None and value != count:
            raise InvalidScriptError(
                say.OTHER_COUNTS, option=option, value=value, count=count, parameter="command"
            )


def _numbers(words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Return the options before the script that have a number, in any notation."""
    for at, word in enumerate(words):
        if word.endswith(".py"):
            return
        option, equals, value = word.partition("=")
        text = value if equals else next(iter(words[at + 1 : at + 2]), "")
        if option.startswith("--") and text.isdecimal():
            yield option, int(text)


def _starter_on_one_node(program: str, words: Sequence[str]) -> str:
    if program in STARTERS_ON_ONE_NODE:
        return program
    if program in PYTHONS and "-m" in words[:3]:
        module = words[words.index("-m") + 1 :][:1]
        return module[0] if module and module[0] in TORCH_STARTERS else ""
    return ""
