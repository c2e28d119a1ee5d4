"""Conversion of failures in a step into problems for the user."""

from __future__ import annotations

import errno
import signal
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import modules
from modules.errors import FailedToEvaluateScriptError, ModuleError, ModuleOutOfMemoryError
from modules.operating_system.signals import is_kill
from modules.sentences.sentence import MAX_TEXT, Statement, said_by
from pipelines.problems import MODULE_NOT_LOADED, PROCESS_LOST, RANK_LOST, UNEXPECTED, Problem
from pipelines.sentences import steps
from pipelines.workers.step_spec import StepSpec

if TYPE_CHECKING:
    from pipelines.events import ProblemData

MAX_TRACEBACK_LINES = 12
MAX_LINE = 500
MACHINERY = frozenset(
    {
        str(Path(__file__).with_name("step_host.py")),
        str(Path(str(modules.__file__)).with_name("spec.py")),
    }
)
"""Files whose frames precede a module's own in each traceback."""
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
DISK_FULL_CODE = 74
"""Exit code of a host on a full disk that could not write its error (``EX_IOERR``, sysexits.h)."""


def problem_of(error: BaseException, spec: StepSpec) -> ProblemData:
    """Return the problem for an exception of a module, with its traceback for the log."""
    from modules.loading import ModuleNotLoadedError

    traceback.print_exception(error)
    problem = Problem.from_error(_as_module_error(error, spec), spec.node)
    if isinstance(error, ModuleNotLoadedError):
        problem = Problem.of(
            MODULE_NOT_LOADED, steps.MODULE_CHANGED, why=said_by(error, MAX_TEXT), node=spec.node
        )
    elif problem.code == ModuleError.code:
        problem = Problem.relayed(UNEXPECTED, problem, node=spec.node)
    return problem.to_json()


def _as_module_error(error: BaseException, spec: StepSpec) -> ModuleError:
    if _is_gpu_full(error) and (spec.steps_per_gpu or 1) > 1:
        return _gpu_shared(error, spec)
    if isinstance(error, ModuleError):
        return error
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return _no_room()
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return ModuleOutOfMemoryError(steps.MEMORY_OUT)
    lines = _own_lines(error)
    if spec.origin["kind"] == "import":
        return ModuleError(steps.MODULE_FAILED, module=spec.module_id, error=lines[-1])
    tail = "\n".join(lines[-MAX_TRACEBACK_LINES:])
    raised = steps.CODE_RAISED
    return FailedToEvaluateScriptError(raised, module=spec.module_id, traceback=tail)


def _is_gpu_full(error: BaseException) -> bool:
    """Return True for torch's error of a full GPU, also if a module has explained it."""
    causes = (error, error.__cause__)
    return any(type(cause).__name__ == "OutOfMemoryError" for cause in causes)


def _gpu_shared(error: BaseException, spec: StepSpec) -> ModuleOutOfMemoryError:
    """Return the error of a step whose GPU others may have filled, with a module's evidence."""
    own = error if isinstance(error, ModuleError) else ModuleOutOfMemoryError(steps.MEMORY_OUT)
    return ModuleOutOfMemoryError(
        steps.SHARED_GPU_FULL,
        count=spec.steps_per_gpu,
        parameter=own.parameter,
        remedy=own.remedy,
        details=own.details,
    )


def _no_room() -> ModuleOutOfMemoryError:
    return ModuleOutOfMemoryError(steps.STEP_DISK_FULL)


def _own_lines(error: BaseException) -> list[str]:
    """Return the lines of a traceback from the module's own code on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in MACHINERY:
        trace = trace.tb_next
    lines = "".join(traceback.format_exception(type(error), error, trace)).strip().splitlines()
    return [line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} ..." for line in lines]


def signal_problem(rank: int, number: int, log: Path) -> ProblemData:
    """Return the problem of a rank that was ended by a signal."""
    return Problem.of(
        RANK_LOST, steps.RANK_ENDED, rank=rank, signal=_signal(number), last=_last_words(log)
    ).to_json()


def lost_problem(spec: StepSpec, code: int | None) -> ProblemData:
    """Return the problem of a step that ended without a result; ``code`` is waitpid's status."""
    if code == DISK_FULL_CODE:
        return Problem.from_error(_no_room(), spec.node).to_json()
    last = {"last": _last_words(spec.module_log_path(0))}
    if code is None:
        statement = steps.PROCESS_GONE.about(last)
    elif code < 0:
        statement = steps.PROCESS_KILLED.about({"signal": _signal(-code), **last})
    else:
        statement = steps.PROCESS_ENDED.about({"exit_code": code, **last})
    return Problem.of(PROCESS_LOST, statement, node=spec.node).to_json()


def _signal(number: int) -> str | Statement:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return steps.KILLED.about({"signal": name}) if is_kill(number) else name


def _last_words(log: Path) -> str | Statement:
    line = last_line(log)
    return steps.LAST_WORDS.about({"line": line}) if line else ""


def last_line(log: Path) -> str:
    """Return the last line of a log, shortened if long; empty if there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 16_384))
            lines = file.read().decode(errors="replace").rstrip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip()[:300] if lines else ""
