"""Runs a script as ``__main__`` in the environment's Python, then exits at once.

    python bootstrap.py SCRIPT ARGUMENTS...
    python bootstrap.py -m NAME ARGUMENTS...

The Python of the environment may be an older one, from 3.6 on, without the designer's packages:
this file imports only the standard library, and annotations that 3.6 cannot evaluate are quoted.
Its settings are in ``DESIGNER_BOOTSTRAP`` (JSON):

    parent         the pid to end with
    reports        the folder for reports of how the script ended, one JSON file per rank
    logs           the folder for the log of a rank started by others (torchrun, mpirun)
    pipes          the folder of named pipes that redact such logs, if there are secrets
    secrets        the variables whose values must not be in reports
    home, folders  the working folder, and those of single nodes ("node") or ranks ("rank")
    weights        true if weights of ranks are to be compared

Like Python, it waits for the threads and thread pools of a script that succeeded (after a failure
it waits for none) and runs exit functions, in which MLflow and TensorBoard write. The interpreter's
own cleanup is skipped: it sometimes aborts after a distributed training.
"""

import atexit
import builtins
import contextlib
import hashlib
import importlib.util
import io
import json
import os
import re
import runpy
import signal
import sys
import threading
import time
import traceback
from typing import Any

OPEN_MPI = ("RANK", "SIZE", "LOCAL_RANK", "LOCAL_SIZE")
SOURCES = (
    tuple(map("OMPI_COMM_WORLD_{}".format, OPEN_MPI)),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
)
NAMES = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
"""torch's names of those four."""
IN_ARGUMENTS = re.compile(
    r"\$\{?((?:LOCAL_|NODE_|GROUP_)?RANK|(?:LOCAL_)?WORLD_SIZE|OMPI_COMM_WORLD_\w+)\b\}?"
)
MAX_LINES = 60
MAX_WRITTEN = 1000
MAX_WEIGHT_BYTES = 4 * 10**9
PR_SET_PDEATHSIG = 1


def main() -> None:
    """Run the script or module of the command line."""
    settings = json.loads(os.environ.pop("DESIGNER_BOOTSTRAP", "{}"))
    give_names = os.environ.pop("DESIGNER_GIVE_PYTORCH_NAMES", "")
    _die_with(settings.get("parent"))
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:  # for a sandbox around this one
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _given.update({name: os.environ.get(name, "") for name in settings.get("secrets") or ()})
    rank = _rank()
    count_local_ranks_by_node()
    if give_names:
        give_pytorch_names()
    _enter_folder(settings, rank)
    _redirect(settings, rank)
    _name_rank_for_metrics()
    if settings.get("weights"):
        actions = {"torch.optim.optimizer": _watch_steps, "torch.serialization": _watch_saving}
        sys.meta_path.insert(0, _ImportWatch(actions))
        _note_written_files()
    report = _run()
    _leave(settings, rank, report)


def _rank() -> "int | None":
    """Return the rank of this process, for any launcher."""
    for name in ("RANK", *(names[0] for names in SOURCES)):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return None


def count_local_ranks_by_node() -> None:
    """Set Open MPI's local names to those of the node, as simulated nodes share one machine.

    On separate machines they are unchanged: ranks are placed there node by node.
    """
    per_node = int(os.environ.get("DESIGNER_PROCESSES_PER_NODE") or 0)
    rank = os.environ.get("OMPI_COMM_WORLD_RANK", "")
    if not per_node or not rank.isdigit():
        return
    local_rank = str(int(rank) % per_node)
    own = {"LOCAL_RANK": local_rank, "LOCAL_SIZE": str(per_node), "NODE_RANK": local_rank}
    os.environ.update({f"OMPI_COMM_WORLD_{name}": value for name, value in own.items()})


def give_pytorch_names() -> None:
    """Set torch's names from those of Open MPI, PMI or Slurm."""
    launcher_names = next((names for names in SOURCES if names[0] in os.environ), None)
    if launcher_names is None:
        return
    for ours, theirs in zip(NAMES, launcher_names):
        if theirs in os.environ:
            os.environ.setdefault(ours, os.environ[theirs])
    per_node = int(os.environ.get("DESIGNER_PROCESSES_PER_NODE") or 0)
    rank = int(os.environ["RANK"])
    if per_node:  # simulated nodes share a machine, and its local ranks count across them
        os.environ.update(LOCAL_RANK=str(rank % per_node), LOCAL_WORLD_SIZE=str(per_node))
    size = int(os.environ.get("LOCAL_WORLD_SIZE") or 1)
    os.environ.setdefault("NODE_RANK", str(rank // size))
    os.environ.setdefault("GROUP_RANK", os.environ["NODE_RANK"])


def _die_with(parent: "int | None") -> None:
    """Let the kernel end this process together with its parent."""
    if parent is None or os.getppid() != parent or sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _enter_folder(settings: "dict[str, Any]", rank: "int | None") -> None:
    """Enter the working folder of this rank, or of its node, if another launcher started it."""
    kind, home = settings.get("folders"), settings.get("home")
    if kind is None or home is None or rank is None:
        return
    per_node = int(os.environ.get("DESIGNER_PROCESSES_PER_NODE") or 1)
    number = rank if kind == "rank" else rank // per_node
    folder = os.path.join(os.path.dirname(home), f"{kind}-{number}")
    os.chdir(folder)
    sys.argv = [word.replace(home, folder) for word in sys.argv]
    for name, value in list(os.environ.items()):
        if name.startswith("DESIGNER_OUTPUT_"):
            os.environ[name] = value.replace(home, folder)


def _redirect(settings: "dict[str, Any]", rank: "int | None") -> None:
    """Redirect output to the end of this rank's own log."""
    if settings.get("logs") is None or rank is None:
        return
    name = f"70_driver_log_{rank}.txt"
    pipe = os.path.join(settings.get("pipes") or "", name)
    try:
        if settings.get("pipes") and os.path.exists(pipe):
            # without a reader it cannot be opened: the output stays in the launcher's log
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            os.set_blocking(descriptor, True)
        else:
            path = os.path.join(settings["logs"], name)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        print(f"rank {rank} has no log: {error}", file=sys.stderr)
        return
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)


def _name_rank_for_metrics() -> None:
    """Mark this rank's metrics, to distinguish them from those of the first rank."""
    try:
        from designer_rank import name_rank_in_tracking_address
    except ImportError:  # started without an address for metrics
        return
    name_rank_in_tracking_address()


def _run() -> "dict[str, Any]":
    """Run the script to its end; return the exit code, and the exception that ended it."""
    words = [IN_ARGUMENTS.sub(_variable, word) for word in sys.argv]
    is_module = words[1] == "-m"
    target = words[2] if is_module else os.path.abspath(words[1])
    sys.argv = [target, *words[3 if is_module else 2 :]]
    sys.path[0] = os.getcwd() if is_module else os.path.dirname(target)
    try:
        if is_module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(target, run_name="__main__")
    except SystemExit as error:
        return {"time": time.time(), "code": _exit_code(error)}
    except BaseException as error:
        return {"time": time.time(), "code": 1, "error": _told_of(error)}
    return {"time": time.time(), "code": 0}


def _variable(match: "re.Match[str]") -> str:
    return os.environ.get(match.group(1), match.group(0))


def _exit_code(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return int(error.code or 0) & 0xFF
    with contextlib.suppress(Exception):  # the script has closed it
        print(error.code, file=sys.stderr)
    return 1


def _told_of(error: BaseException) -> "dict[str, Any]":
    """Print an exception like Python, without the frames above the script's own."""
    trace = error.__traceback__
    while trace is not None and _is_machinery(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    lines = "".join(traceback.format_exception(type(error), error, trace))
    with contextlib.suppress(Exception):  # the script has closed it
        sys.stderr.write(lines)
    return {
        "type": type(error).__name__,
        "message": str(error)[:4000],
        "name": getattr(error, "name", None) if isinstance(error, ImportError) else None,
        "lines": lines.rstrip().splitlines()[-MAX_LINES:],
    }


def _is_machinery(file_name: str) -> bool:
    return file_name == __file__ or os.path.basename(file_name) in ("runpy.py", "<frozen runpy>")


def _leave(settings: "dict[str, Any]", rank: "int | None", report: "dict[str, Any]") -> None:
    """Run exit functions, write the report, and exit."""
    try:
        if not report["code"]:
            _await_threads()
        report["weights"] = _weights() if settings.get("weights") and not report["code"] else None
        report["written"] = sorted(_written)[:MAX_WRITTEN]
        run_exit_functions = getattr(atexit, "_run_exitfuncs")  # noqa: B009
        run_exit_functions()
        if not report["code"]:
            _finalize_mpi()
        if settings.get("reports"):
            _write(
                settings["reports"],
                _redacted({"rank": rank, **report}, settings.get("secrets") or ()),
            )
    finally:
        try:
            _flush()
        finally:
            os._exit(report["code"])


def _await_threads() -> None:
    """Wait for all threads except daemons, and for pending work of thread pools."""
    getattr(threading, "_shutdown", lambda: None)()


def _flush() -> None:
    """Flush output; a script may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _finalize_mpi() -> None:
    """Finalize MPI, as mpi4py does in the interpreter's cleanup."""
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or getattr(sys.modules.get("mpi4py.rc"), "finalize", None) is False:
        return
    if mpi.Is_initialized() and not mpi.Is_finalized():
        mpi.Finalize()


def _redacted(content: Any, names: Any) -> Any:
    """Return the content with stars over the values of secrets."""
    if isinstance(content, dict):
        return {name: _redacted(value, names) for name, value in content.items()}
    if isinstance(content, list):  # join lines, as a value may contain several
        return _redacted("\n".join(map(str, content)), names).splitlines()
    if isinstance(content, str):
        for value in filter(None, (_given.get(name) for name in names)):
            for form in (value, repr(value)[1:-1]):
                content = content.replace(form, "*" * len(form.encode("utf-8", "replace")))
    return content


def _write(folder: str, report: "dict[str, Any]") -> None:
    """Write the report atomically."""
    path = os.path.join(folder, f"{os.getpid()}.json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(report, file)
    os.replace(path + ".new", path)


def _note_written_files() -> None:
    """Record the files below the working folder that are written, to compare ranks by them.

    Python reports only its own opening; ``_watch_saving`` records what torch.save opens itself.
    """
    if sys.version_info >= (3, 8):
        sys.addaudithook(_note_opened)
    else:  # an older Python reports no events
        builtins.open = io.open = _noting(io.open)


def _noting(opener: Any) -> Any:
    """Return ``open`` with recording of the files that it opens for writing."""

    def noting_open(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        name = os.fspath(file) if isinstance(file, os.PathLike) else file
        _note_opened("open", (name, mode))
        return opener(file, mode, *arguments, **named)

    return noting_open


def _note_opened(event: str, arguments: Any) -> None:
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & {"w", "x"}:
        _note_file(arguments[0])


def _note_file(name: Any) -> None:
    if not isinstance(name, str):
        return
    path = os.path.abspath(name)
    if path.startswith(os.getcwd() + os.sep) and not path.endswith(".pyc"):
        _written.add(path)


class _ImportWatch:
    """Import hook that calls a function once a module is loaded."""

    def __init__(self, actions: "dict[str, Any]") -> None:
        self.actions = actions

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        act = self.actions.pop(name, None)
        if act is None:
            return None
        spec = importlib.util.find_spec(name)  # by other finders: this one has no action left
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_act(module: Any) -> None:
                load(module)
                act(module)

            spec.loader.exec_module = load_and_act  # type: ignore[method-assign]
        return spec


def _watch_saving(module: Any) -> None:
    """Record the files that torch opens itself."""
    writer = getattr(module, "_open_zipfile_writer_file", None)
    if writer is not None:
        _note_names_of(writer)


def _watch_steps(module: Any) -> None:
    """Let torch report each optimizer that makes a step: the last one has the trained weights."""
    register = getattr(module, "register_optimizer_step_post_hook", None)
    if register is not None:
        register(_remember)


def _note_names_of(writer: Any) -> None:
    begin = writer.__init__

    def begin_and_note(self: Any, name: Any, *arguments: Any, **named: Any) -> None:
        _note_file(os.fspath(name) if isinstance(name, os.PathLike) else name)
        begin(self, name, *arguments, **named)

    writer.__init__ = begin_and_note


_given: "dict[str, str]" = {}
"""Initial secrets of this process, even if the script changes its variables."""
_stepped: "list[Any]" = []
_written: "set[str]" = set()


def _remember(optimizer: Any, _arguments: Any, _named: Any) -> None:
    _stepped[:] = [optimizer]


def _weights() -> "dict[str, str] | None":
    """Return hashes of the trained weights and their shapes; None if a rank has only a part."""
    if not _stepped or "deepspeed" in sys.modules:
        return None
    weights = [weight for group in _stepped[0].param_groups for weight in group["params"]]
    sizes = [weight.numel() * weight.element_size() for weight in weights]
    is_whole = all(type(weight).__name__ in ("Parameter", "Tensor") for weight in weights)
    if not is_whole or sum(sizes) > MAX_WEIGHT_BYTES or any(weight.is_sparse for weight in weights):
        return None
    digest = hashlib.sha256()
    for tensor in weights:
        flat = tensor.detach().to("cpu").contiguous().reshape(-1)
        digest.update(flat.view(sys.modules["torch"].uint8).numpy().tobytes())
    shapes = repr([tuple(weight.shape) for weight in weights]).encode()
    return {"hash": digest.hexdigest(), "shapes": hashlib.sha256(shapes).hexdigest()}


if __name__ == "__main__":
    main()
