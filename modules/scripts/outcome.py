"""Outcome of a launch: success, or the error of the process that failed first.

Success means that every process ended with 0 and that every declared output exists and is new
(``outputs``).
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modules.errors import (
    Evidence,
    FailedToEvaluateScriptError,
    ModuleError,
    ModuleOutOfMemoryError,
    evidence,
)
from modules.operating_system.signals import is_kill
from modules.scripts.log_tail import last_lines
from modules.scripts.missing_packages import distribution_of
from modules.scripts.supervisor import ProcessEnd, Start
from modules.sentences import scripts as say
from modules.sentences.sentence import Facts, Statement

NUM_LINES = 12
NUM_FIRST_LINES = 4
GPU_MESSAGES = (
    "nccl2 requires",
    "ProcessGroupNCCL is only supported with GPUs",
    "Found no NVIDIA driver",
    "Torch not compiled with CUDA",
)
"""Messages of torch that there is no GPU."""
MEMORY_ERRORS = frozenset({"MemoryError", "OutOfMemoryError"})
CARETS = re.compile(r"(\[rank\d+\]:)?[ ~]*\^[ ~^]*")
RANK_NAME = r"(RANK|LOCAL_RANK|WORLD_SIZE|LOCAL_WORLD_SIZE|NODE_RANK|MASTER_ADDR|MASTER_PORT)"
NAME_MISSING = re.compile(rf"KeyError: '{RANK_NAME}'|environment variable {RANK_NAME} expected")
"""Messages of Python and ``init_process_group`` that a variable of a launcher is not set."""
PORT_MESSAGES = ("EADDRINUSE", "Address already in use")

BY_SIGNAL = {128 + number: number for number in (6, 7, 9, 11)}
"""Exit codes of shells and bubblewrap if such a signal ended their process."""


@dataclass(frozen=True)
class Launched:
    """Ends of the processes of a launch, and the reports of their ranks."""

    starts: Sequence[Start]
    ends: Sequence[ProcessEnd]
    reports: Sequence[Mapping[str, Any]]
    """Reports in the order of time: ``rank``, ``code`` and, after an exception, ``error``."""
    log_sizes: Mapping[str, int]
    """Sizes of the logs before the launch, by the name of the process."""
    environment: str | None = None
    launcher: str | None = None
    """Name of the launcher in the run settings."""

    @cached_property
    def first_failure(self) -> ProcessEnd | None:
        """Return the process that failed first, as ends are seen later than their causes."""
        failed = [end for end in self.ends if end.code and not end.was_ended]
        return min(failed, key=self._failed_at, default=None)

    def _failed_at(self, end: ProcessEnd) -> float:
        error = self._error_of(end)
        return end.time if error is None else float(error["time"])

    def _error_of(self, end: ProcessEnd) -> Mapping[str, Any] | None:
        """Return the exception that ended a process; of several ranks, the first of them."""
        rank = end.description.rank
        said = (report for report in self.reports if report.get("error"))
        return next(
            (report for report in said if rank is None or report["rank"] in (rank, None)), None
        )

    @property
    def first_error(self) -> Mapping[str, Any] | None:
        """Return the report of the rank that failed first; None after a signal or an exit code."""
        return None if self.first_failure is None else self._error_of(self.first_failure)

    @property
    def port_was_taken(self) -> bool:
        """Return True if it failed because an address was taken in the meantime."""
        if self.first_failure is None:
            return False
        words = [line for start in self.starts for line in self._words_of(start)]
        error = (self.first_error or {}).get("error", {})
        words += error.get("lines", [])
        return any(message in line for line in words for message in PORT_MESSAGES)

    def require_success(self) -> None:
        """Raise the error for users if a process failed."""
        failure = self.first_failure
        if failure is None:
            return
        error = (self.first_error or {}).get("error")
        raise self._error(failure, error) from None

    def _error(self, failure: ProcessEnd, error: Mapping[str, Any] | None) -> ModuleError:
        lines = list(error["lines"]) if error else self._words_of(self._start_of(failure))
        who, tail = self._who(failure), "\n".join(_shortened(lines))
        facts: Facts = {"who": who, "lines": tail}
        details = self._details()
        if any(message in line for line in lines for message in GPU_MESSAGES):
            return FailedToEvaluateScriptError(say.GPU_WANTED, **facts, details=details)
        missing = self._missing_name(failure, lines)
        if missing:
            return self._names_missing(missing, facts, details)
        if error and error["type"] in MEMORY_ERRORS:
            return ModuleOutOfMemoryError(say.SCRIPT_OUT_OF_MEMORY, **facts, details=details)
        package = distribution_of(str(error["name"])) if error and error.get("name") else None
        if error and package:
            return self._missing(str(error["name"]), package, facts, details)
        if error:
            return FailedToEvaluateScriptError(say.SCRIPT_RAISED, **facts, details=details)
        how = _how(failure.code)
        if not lines:
            silent = say.SCRIPT_ENDED_SILENTLY.about({"who": who, "how": how})
            return FailedToEvaluateScriptError(silent, details=details)
        return FailedToEvaluateScriptError(say.SCRIPT_ENDED, **facts, how=how, details=details)

    def _missing_name(self, failure: ProcessEnd, lines: Sequence[str]) -> str | None:
        """Return the launcher variable that a script needs and this launcher does not set."""
        matches = (NAME_MISSING.search(line) for line in reversed(lines))
        name = next((match[1] or match[2] for match in matches if match), None)
        is_set = name in self._start_of(failure).variables
        return None if is_set or self.launcher is None else name

    def _names_missing(
        self, name: str, facts: Mapping[str, Any], details: Mapping[str, Any]
    ) -> ModuleError:
        """Return the error for an unsuitable launcher, with the suitable one."""
        all_facts = {**facts, "name": name, "launcher": self.launcher}
        is_mpi = self.launcher == "mpi"
        remedy: dict[str, Any] = (
            {"set": {"give_pytorch_names": True}}
            if is_mpi
            else {"run_settings": {"launcher": "pytorch_process"}}
        )
        said = say.MPI_WITHOUT_NAMES if is_mpi else say.LAUNCHER_SETS_NO_NAMES
        parameter = "give_pytorch_names" if is_mpi else "launcher"
        return FailedToEvaluateScriptError(
            said.about(all_facts), details=details, remedy=remedy, parameter=parameter
        )

    def _missing(
        self, name: str, package: str, facts: Mapping[str, Any], details: Mapping[str, Any]
    ) -> ModuleError:
        """Return the error for a missing package, with the button that adds it."""
        where = self.environment
        said = say.PACKAGE_MISSING if where else say.PACKAGE_MISSING_HERE
        all_facts = {**facts, "name": name, "package": package}
        if where:
            all_facts["environment"] = where
        remedy = {"add_requirement": package, "environment": where}
        return FailedToEvaluateScriptError(
            said.about(all_facts), details=details, remedy=remedy, parameter="environment"
        )

    def _who(self, failure: ProcessEnd) -> Statement:
        """Return which process it was, of how many."""
        rank = (self.first_error or {}).get("rank")
        if len(self.starts) == 1 and rank is None:
            return say.THE_SCRIPT.about({})
        name = failure.description.name if rank is None else f"rank {rank}"
        return say.ONE_PROCESS_OF.about({"name": name[0].upper() + name[1:]})

    def _start_of(self, end: ProcessEnd) -> Start:
        return next(start for start in self.starts if start.description is end.description)

    def _words_of(self, start: Start) -> list[str]:
        name = start.description.name
        return last_lines(start.log, NUM_LINES, self.log_sizes.get(name, 0))

    def _details(self) -> Evidence:
        """Return a table of the ends of processes; ``rank`` links to the first failure's log."""
        first = self.first_failure
        by = first.description.name if first else ""
        rows = [
            (
                end.description.name,
                say.ENDED_BECAUSE.about({"name": by}) if end.was_ended and by else _how(end.code),
            )
            for end in sorted(self.ends, key=lambda end: end.was_ended)
        ]
        leading = {"rank": self._leading_rank} if self._leading_rank else {}
        return {**evidence("processes", "How each process ended", rows), **leading}

    @property
    def _leading_rank(self) -> int | None:
        """Return the rank whose log shows the first failure; None for the first rank or none."""
        if self.first_failure is None:
            return None
        said = (self.first_error or {}).get("rank")
        return self.first_failure.description.rank if said is None else int(said)


def _shortened(printed: Sequence[str]) -> list[str]:
    """Return the frame of the script itself, and the error at the end of its calls.

    Python's carets below a line are useful only in a fixed-width font, and for syntax errors.
    """
    is_syntax = any("SyntaxError" in line for line in printed)
    lines = [line for line in printed if is_syntax or not CARETS.fullmatch(line)]
    if len(lines) <= NUM_LINES:
        return lines
    return [*lines[:NUM_FIRST_LINES], "  ...", *lines[NUM_FIRST_LINES - NUM_LINES + 1 :]]


def _how(code: int) -> Statement:
    number = BY_SIGNAL.get(code, -code)
    if number <= 0:
        return say.EXIT_CODE.about({"code": code})
    if is_kill(number):
        return say.KILLED_BY_SYSTEM.about({})
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    return say.BY_SIGNAL.about({"signal": name})
