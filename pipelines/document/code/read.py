"""Pipeline document from Python code, which is read and never run.

The grammar is what ``pipelines.document.code.write`` writes: imports of ``pipeline_designer``, one
``with`` statement, calls in its block. What cannot be read is refused with its line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.catalog import Catalog
from modules.files.regular_files import read_regular_or_input
from modules.sentences.sentence import Sentence, Statement
from pipelines.document.binds import SEPARATOR
from pipelines.document.code.build import CodeError, Level, NodeHandle, PipelineBuilder, SubPipeline
from pipelines.document.code.literal_values import literal_value
from pipelines.document.code.names import similar_name
from pipelines.document.code.scan import MAX_BYTES, CodeFault, decoded, scanned
from pipelines.document.document import PipelineDocument
from pipelines.document.parts import DEFINITION_PREFIX
from pipelines.problems import (
    PYTHON_CODE_INVALID,
    PipelineError,
    Problem,
    ProblemList,
    did_you_mean,
)
from pipelines.sentences import python_code

PACKAGE = "pipeline_designer"


@dataclass(frozen=True)
class CodeSource:
    """Document that was read from code, and the lines of its parts."""

    document: PipelineDocument
    lines: Mapping[str, int]
    """Lines of nodes, and of their arguments as ``train.epochs``; inner ones as
    ``definition:front/split``."""
    line: int
    """First line of the pipeline."""
    modules: Mapping[str, str]
    """Modules of the same nodes."""

    def line_of(self, problem: Problem) -> int:
        """Return the line that a problem of the document is about."""
        node = place = ""
        for step in (problem.node or "").split(SEPARATOR):
            if f"{place}{step}" not in self.lines:
                break
            node = f"{place}{step}"
            place = f"{self.modules[node]}{SEPARATOR}"
        part = problem.parameter or problem.port
        return self.lines.get(f"{node}.{part}", self.lines.get(node, self.line))


def read_code(code: str | bytes, catalog: Catalog) -> CodeSource:
    """Read the pipeline in a Python file without running it.

    Raises ``PipelineError`` with all problems and their lines.
    """
    text = decoded(code)
    try:
        tree = _parsed(scanned(text))
        reader = _Reader(catalog)
        reader.read(tree)
    except CodeFault as fault:
        raise PipelineError([fault.problem]) from None
    return reader.result()


def load_code(path: Path, catalog: Catalog) -> CodeSource:
    """Read the pipeline in a file or standard input; raises ``PipelineError``, also without one."""
    try:
        code = read_regular_or_input(path, MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        facts = {"file": path, "error": reason}
        raise PipelineError.of(PYTHON_CODE_INVALID, python_code.CODE_UNREADABLE, **facts) from None
    return read_code(code, catalog)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line, fault = error.lineno or 1, error.msg
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        line, fault = 1, str(error) or type(error).__name__
    raise CodeFault(line, python_code.CODE_SYNTAX, fault=fault)


class _Broken:
    """Value of a variable whose statement has a problem: what uses it is not reported again."""


class _SecondaryError(Exception):
    """A statement uses a variable whose own statement has a problem."""


@dataclass
class _Block:
    """Block of a ``with`` statement: its level, and the variables at its start."""

    level: Level
    line: int


@dataclass
class _Reader:
    catalog: Catalog
    variables: dict[str, Any] = field(default_factory=dict)
    """Values by name: levels, nodes, and the imported names as texts."""
    problems: ProblemList = field(default_factory=ProblemList)
    lines: dict[int, dict[str, int]] = field(default_factory=dict)
    """Lines of the call of a node and of its arguments, by identity of the node."""
    pipeline: PipelineBuilder | None = None
    line: int = 1
    modules: str | None = None
    """Name of the namespace of modules."""
    constructor: str | None = None
    """Name of the class of pipelines."""

    def read(self, tree: ast.Module) -> None:
        for statement in tree.body:
            self._guarded(self._top_level, statement)
        if self.pipeline is None and not self.problems.listed():
            raise CodeFault(1, python_code.CODE_NO_PIPELINE)

    def result(self) -> CodeSource:
        """Return the document; raises ``PipelineError`` with all problems."""
        if self.problems.listed() or self.pipeline is None:
            raise PipelineError(self.problems.listed())
        lines: dict[str, int] = {}
        modules: dict[str, str] = {}
        for prefix, level in _levels(self.pipeline):
            for node in level._nodes:
                name = f"{prefix}{node._content['id']}"
                modules[name] = node._content["module"]
                for part, line in self.lines.get(id(node), {}).items():
                    lines[f"{name}.{part}" if part else name] = line
        try:
            return CodeSource(self.pipeline._parsed(), lines, self.line, modules)
        except PipelineError as error:
            source = CodeSource(PipelineDocument(id="x"), lines, self.line, modules)
            located = [_located(problem, source.line_of(problem)) for problem in error.problems]
            raise PipelineError(located) from None

    def _guarded(self, read: Callable[..., None], statement: ast.stmt, *rest: Any) -> None:
        """Read a statement; keep its problem, so that all are reported."""
        if self.problems.is_full:
            return
        is_read = False
        try:
            read(statement, *rest)
            is_read = True
        except CodeFault as fault:
            self.problems.add(fault.problem)
        except CodeError as error:
            self.problems.add(CodeFault(statement.lineno, error.statement).problem)
        except _SecondaryError:
            pass
        if isinstance(statement, ast.Assign) and not is_read:
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    self.variables[target.id] = _Broken()

    def _top_level(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.ImportFrom() | ast.Import():
                self._import(statement)
            case ast.With() if self.pipeline is None:
                self._pipeline(statement)
            case ast.With():
                raise CodeFault(statement.lineno, python_code.CODE_SECOND_PIPELINE)
            case _ if self.pipeline is not None:
                raise CodeFault(statement.lineno, python_code.CODE_AFTER)
            case _:
                raise CodeFault(statement.lineno, python_code.CODE_STATEMENT)

    def _import(self, statement: ast.ImportFrom | ast.Import) -> None:
        if isinstance(statement, ast.ImportFrom):
            if statement.module == "__future__" and not statement.level:
                return
            if statement.module == PACKAGE and not statement.level:
                for alias in statement.names:
                    self._import_name(alias, statement.lineno)
                return
            name = statement.module or "."
        else:
            name = statement.names[0].name
        raise CodeFault(statement.lineno, python_code.CODE_IMPORT, module=name[:100])

    def _import_name(self, alias: ast.alias, line: int) -> None:
        name = alias.asname or alias.name
        if alias.name == "Pipeline":
            self.constructor = name
        elif alias.name == "modules":
            self.modules = name
        elif alias.name != "Workspace":
            module = f"{PACKAGE}.{alias.name}"
            raise CodeFault(line, python_code.CODE_IMPORT, module=module[:100])

    def _pipeline(self, statement: ast.With) -> None:
        call, variable = _header(statement)
        name = call.func.id if isinstance(call.func, ast.Name) else None
        if name is None or name != self.constructor:
            raise CodeFault(statement.lineno, python_code.CODE_NO_PIPELINE)
        arguments = self._bound(PipelineBuilder, call, "Pipeline", self.catalog)
        self.pipeline = PipelineBuilder(*arguments.args, **arguments.kwargs)
        self.line = statement.lineno
        self._block(statement, variable, self.pipeline)

    def _block(self, statement: ast.With, variable: str, level: Level) -> None:
        self.variables[variable] = level
        for inner in statement.body:
            self._guarded(self._inner, inner, level)
        level._finish(self.variables)

    def _inner(self, statement: ast.stmt, level: Level) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.With():
                self._sub_pipeline(statement, level)
            case ast.Expr(value=ast.Call() as call):
                self._call(call, level)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                node = self._call(call, level)
                if node is None:
                    raise CodeFault(statement.lineno, python_code.CODE_STATEMENT)
                self.variables[name] = node
            case _:
                raise CodeFault(statement.lineno, python_code.CODE_STATEMENT)

    def _sub_pipeline(self, statement: ast.With, level: Level) -> None:
        call, variable = _header(statement)
        match call.func:
            case ast.Attribute(value=ast.Name(id=owner), attr="sub_pipeline"):
                root = self._variable(owner, call.lineno)
            case _:
                raise CodeFault(statement.lineno, python_code.CODE_STATEMENT)
        if not isinstance(root, PipelineBuilder) or level is not root:
            raise CodeFault(statement.lineno, python_code.CODE_STATEMENT)
        arguments = self._bound(root._new_sub_pipeline, call, "sub_pipeline")
        definition = root._new_sub_pipeline(*arguments.args, **arguments.kwargs)
        self._block(statement, variable, definition)

    def _call(self, call: ast.Call, level: Level) -> NodeHandle | None:
        """Call a function of the pipeline or add a node, which is returned."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == self.modules:
                return self._module(call, name, level)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self.variables:
                self._method(call, self._variable(owner, call.lineno), name)
                return None
            case ast.Name(id=name) if name in self.variables:
                definition = self._variable(name, call.lineno)
                if isinstance(definition, SubPipeline):
                    arguments = self._arguments(call)
                    return self._kept(call, definition._place(level, arguments))
        raise CodeFault(call.lineno, python_code.CODE_STATEMENT)

    def _module(self, call: ast.Call, name: str, level: Level) -> NodeHandle:
        assert self.pipeline is not None
        if name not in ("unknown", "sub_pipeline"):
            arguments = self._arguments(call)
            return self._kept(call, self.pipeline._add_module(level, name, arguments))
        match call.args:
            case [ast.Constant(value=str(first))]:
                arguments = self._arguments(call, num_positional=1)
            case _:
                fault = "the first one must be a text"
                raise CodeFault(call.lineno, python_code.CODE_ARGUMENTS, name=name, fault=fault)
        module = first if name == "unknown" else f"{DEFINITION_PREFIX}{first}"
        return self._kept(call, level._add(module, arguments, first, None, 1))

    def _kept(self, call: ast.Call, node: NodeHandle) -> NodeHandle:
        """Keep the lines of a node and of its arguments."""
        lines = {keyword.arg: keyword.value.lineno for keyword in call.keywords if keyword.arg}
        self.lines[id(node)] = {**lines, "": call.lineno}
        return node

    def _method(self, call: ast.Call, owner: Any, name: str) -> None:
        if not isinstance(owner, Level):
            raise CodeFault(call.lineno, python_code.CODE_STATEMENT)
        methods = _METHODS + (_PORTS if isinstance(owner, SubPipeline) else ())
        if name not in methods:
            facts = {"name": name, "fix": did_you_mean(name, methods)}
            raise CodeFault(call.lineno, python_code.CODE_NO_FUNCTION, **facts)
        method = getattr(owner, name)
        arguments = self._bound(method, call, name)
        method(*arguments.args, **arguments.kwargs)

    def _bound(
        self, function: Callable[..., Any], call: ast.Call, name: str, *first: Any
    ) -> inspect.BoundArguments:
        values = (self._value(argument, in_lists=True) for argument in call.args)
        positional, named = [*first, *values], dict(self._named(call, in_lists=True))
        try:
            return inspect.signature(function).bind(*positional, **named)
        except TypeError as error:
            facts = {"name": name, "fault": error}
            raise CodeFault(call.lineno, python_code.CODE_ARGUMENTS, **facts) from None

    def _arguments(self, call: ast.Call, num_positional: int = 0) -> dict[str, Any]:
        """Return the named arguments of a node."""
        if len(call.args) > num_positional:
            name = ast.unparse(call.func)[:100]
            raise CodeFault(call.lineno, python_code.POSITIONAL_ARGUMENT, name=name)
        return dict(self._named(call))

    def _named(self, call: ast.Call, *, in_lists: bool = False) -> Iterator[tuple[str, Any]]:
        names: set[str] = set()
        for keyword in call.keywords:
            if keyword.arg is None:
                raise CodeFault(call.lineno, python_code.CODE_STAR)
            if keyword.arg in names:
                facts = {"name": keyword.arg[:100]}
                raise CodeFault(keyword.value.lineno, python_code.ARGUMENT_TWICE, **facts)
            names.add(keyword.arg)
            yield keyword.arg, self._value(keyword.value, in_lists=in_lists)

    def _value(self, node: ast.expr, *, in_lists: bool) -> Any:
        """Return a node, an output or a literal; ``in_lists``: its lists may contain nodes."""
        match node:
            case ast.Name():
                value = self._variable(node.id, node.lineno)
                if isinstance(value, NodeHandle):
                    return value
            case ast.Attribute(value=ast.Name(id=name), attr=port):
                handle = self._variable(name, node.lineno)
                if isinstance(handle, NodeHandle):
                    return _output(handle, port, node.lineno)
            case ast.List() | ast.Tuple() if in_lists:
                return [self._value(item, in_lists=True) for item in node.elts]
            case _:
                return literal_value(node)
        raise CodeFault(node.lineno, python_code.CODE_VALUE)

    def _variable(self, name: str, line: int) -> Any:
        value = self.variables.get(name)
        if isinstance(value, _Broken):
            raise _SecondaryError
        if value is None:
            similar = similar_name(name, self.variables)
            fix = similar if "near" in similar.facts else python_code.DEFINE_FIRST.about({})
            raise CodeFault(line, python_code.CODE_NO_NAME, name=name[:100], fix=fix)
        return value


_METHODS = ("collapse", "group", "layout", "link", "note", "parameter", "route")
_PORTS = ("input", "output")


def _header(statement: ast.With) -> tuple[ast.Call, str]:
    """Return the call and the variable of ``with CALL as VARIABLE``."""
    match statement.items:
        case [ast.withitem(context_expr=ast.Call() as call, optional_vars=ast.Name(id=name))]:
            return call, name
    raise CodeFault(statement.lineno, python_code.CODE_NO_PIPELINE)


def _levels(pipeline: PipelineBuilder) -> Iterator[tuple[str, Level]]:
    """Yield the pipeline and its sub-pipelines, each with the prefix of the names of its nodes."""
    yield "", pipeline
    for definition in pipeline._definitions:
        yield f"{DEFINITION_PREFIX}{definition._content['id']}{SEPARATOR}", definition


def _output(handle: NodeHandle, port: str, line: int) -> Any:
    try:
        return getattr(handle, port)
    except AttributeError:
        outputs = handle._outputs or ()
        facts = {"title": handle._title, "name": port[:100], "cure": similar_name(port, outputs)}
        raise CodeFault(line, python_code.NO_OUTPUT_NAMED, **facts) from None


def _located(problem: Problem, line: int) -> Problem:
    """Return a problem of the document with its line in the code."""
    statement = Statement(Sentence("{why}", "{fix}"), {"why": problem.message, "fix": problem.cure})
    return CodeFault(line, statement).problem
