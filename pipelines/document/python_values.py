"""Values assigned and passed in a Python file, read statically; nothing is executed."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

BARE_VARIABLE = re.compile(r"""(?<![\w"'$])\$([A-Za-z_]\w*)(?=\s*[,)\]])""")
"""Unquoted variable, as in the documentation's lists of arguments: ``$LOCAL_RANK``."""
TEXT_METHODS = frozenset({"lower", "split", "strip", "upper"})
MAX_LENGTH = 100_000
"""Limit of computed texts and lists: a few lines could otherwise grow without bound."""


@dataclass(frozen=True)
class UnknownValue:
    """Value known only at runtime."""

    text: str
    """Source expression."""
    name: str = ""
    """Variable to which it is assigned."""


@dataclass(eq=False)
class PythonObject:
    """Instance created by a constructor call: ``Environment.get(ws, name="x")``."""

    class_name: str
    method: str = ""
    """Class method that was called instead of the constructor."""
    positional: list[Any] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    """Attributes assigned to it, by dotted path: ``docker.base_image``."""
    calls: list[tuple[str, list[Any]]] = field(default_factory=list)
    """Methods called on it, with their positional arguments."""

    def argument(self, name: str, position: int | None = None, default: Any = None) -> Any:
        """Return an argument by name or position."""
        if name in self.named:
            return self.named[name]
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return default


class PythonFile:
    """Assignments and calls of a file, in order."""

    def __init__(self, text: str) -> None:
        """Read a file. Raises ``SyntaxError`` for a text that is not Python."""
        self.values: dict[str, Any] = {}
        self.objects: list[PythonObject] = []
        self.methods: list[tuple[str, list[Any], dict[str, Any]]] = []
        """Called methods of any object, with their arguments."""
        self._run(_parsed(text).body)

    def made_of(self, class_name: str) -> list[PythonObject]:
        """Return the instances of a class, in order."""
        return [instance for instance in self.objects if instance.class_name == class_name]

    def _run(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._take(statement)

    def _take(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            value = self._value(statement.value)
            for target in statement.targets:
                self._assign(target, value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self._assign(statement.target, self._value(statement.value))
        elif isinstance(statement, ast.AugAssign):
            sum_of = ast.BinOp(_loaded(statement.target), statement.op, statement.value)
            self._assign(statement.target, self._value(ast.copy_location(sum_of, statement)))
        elif isinstance(statement, ast.Expr | ast.Return):
            if statement.value is not None:
                self._value(statement.value)
        elif isinstance(statement, ast.If):
            self._branch(statement)
        else:
            self._run(_inner(statement))

    def _branch(self, statement: ast.If) -> None:
        """Evaluate both branches; a name with different values is unknown afterwards."""
        if ast.unparse(statement.test) == "__name__ == '__main__'":
            self._run(statement.body)
            return
        before = dict(self.values)
        self._run(statement.body)
        first, self.values = self.values, before
        self._run(statement.orelse)
        for name in first.keys() | self.values.keys():
            if first.get(name) != self.values.get(name):
                self.values[name] = UnknownValue(name)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            is_nameless = isinstance(value, UnknownValue) and not value.name
            self.values[target.id] = replace(value, name=target.id) if is_nameless else value
        elif isinstance(target, ast.Tuple | ast.List):
            is_known = isinstance(value, list) and len(value) == len(target.elts)
            for number, element in enumerate(target.elts):
                self._assign(element, value[number] if is_known else _unknown(element))
        elif isinstance(target, ast.Attribute):
            base, path = self._owner(target)
            if isinstance(base, PythonObject):
                base.attributes[path] = value

    def _owner(self, node: ast.Attribute) -> tuple[Any, str]:
        """Return the value that an attribute belongs to, and its path from there."""
        names = [node.attr]
        inner = node.value
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        return self._value(inner), ".".join(reversed(names))

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.values.get(node.id, _unknown(node))
            case ast.List() | ast.Tuple():
                return [self._value(element) for element in node.elts]
            case ast.Dict():
                return self._mapping(node)
            case ast.JoinedStr():
                return self._joined(node)
            case ast.BinOp(op=ast.Add()):
                return _added(self._value(node.left), self._value(node.right), node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -number
            case ast.Attribute():
                base, path = self._owner(node)
                attributes = base.attributes if isinstance(base, PythonObject) else {}
                return attributes.get(path, _unknown(node))
            case ast.Call():
                return self._called(node)
        return _unknown(node)

    def _mapping(self, node: ast.Dict) -> Any:
        keys = [None if key is None else self._value(key) for key in node.keys]
        if not all(isinstance(key, str) for key in keys):
            return _unknown(node)
        return dict(zip(keys, map(self._value, node.values), strict=True))

    def _joined(self, node: ast.JoinedStr) -> Any:
        parts = [
            self._value(value.value if isinstance(value, ast.FormattedValue) else value)
            for value in node.values
        ]
        is_plain = all(getattr(value, "format_spec", None) is None for value in node.values)
        is_known = is_plain and all(isinstance(part, str | int | float) for part in parts)
        is_short = is_known and sum(len(str(part)) for part in parts) <= MAX_LENGTH
        return "".join(map(str, parts)) if is_short else _unknown(node)

    def _called(self, node: ast.Call) -> Any:
        positional = [self._value(argument) for argument in node.args]
        named = {
            keyword.arg: self._value(keyword.value) for keyword in node.keywords if keyword.arg
        }
        if isinstance(node.func, ast.Name):
            return self._made(node, node.func.id, "", positional, named)
        if not isinstance(node.func, ast.Attribute):
            return _unknown(node)
        if ast.unparse(node.func) == "os.path.join" and _are_texts(positional):
            return posixpath.join(*positional)
        base, method = self._value(node.func.value), node.func.attr
        self.methods.append((method, positional, named))
        if isinstance(base, PythonObject):
            return self._method(node, base, method, positional, named)
        if isinstance(base, str) and method in TEXT_METHODS:
            return _text_method(base, method, positional, node)
        if isinstance(base, list) and method in ("append", "extend") and len(positional) == 1:
            added = positional if method == "append" else positional[0]
            base.extend(list(added)[:MAX_LENGTH] if isinstance(added, list) else [added])
            return None
        if method[:1].isupper():  # attribute of a module: ``azureml.core.ScriptRunConfig``
            return self._made(node, method, "", positional, named)
        owner = ast.unparse(node.func.value).rpartition(".")[2]
        return self._made(node, owner, method, positional, named)

    def _method(
        self,
        node: ast.Call,
        base: PythonObject,
        method: str,
        positional: list[Any],
        named: dict[str, Any],
    ) -> Any:
        base.calls.append((method, positional))
        if method != "clone":
            return _unknown(node)
        copy = PythonObject(base.class_name, base.method, base.positional, dict(base.named))
        copy.attributes = dict(base.attributes)
        copy.named["name"] = named.get("new_name", next(iter(positional), _unknown(node)))
        return copy

    def _made(
        self,
        node: ast.Call,
        class_name: str,
        method: str,
        positional: list[Any],
        named: dict[str, Any],
    ) -> Any:
        if not class_name[:1].isupper():
            return _unknown(node)
        instance = PythonObject(class_name, method, positional, named)
        self.objects.append(instance)
        return instance


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.parse(BARE_VARIABLE.sub(r"'$\1'", text))


def _inner(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the nested statements of functions, loops, ``with`` and ``try``."""
    for name in ("body", "handlers", "orelse", "finalbody"):
        for nested in getattr(statement, name, ()):
            yield from nested.body if isinstance(nested, ast.ExceptHandler) else [nested]


def _loaded(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body


def _unknown(node: ast.expr) -> UnknownValue:
    return UnknownValue(ast.unparse(node)[:200])


def _added(left: Any, right: Any, node: ast.expr) -> Any:
    is_number = isinstance(left, int | float) and isinstance(right, int | float)
    is_alike = type(left) is type(right) and isinstance(left, str | list)
    if is_number or (is_alike and len(left) + len(right) <= MAX_LENGTH):
        return left + right
    return _unknown(node)


def _are_texts(values: Iterable[Any]) -> bool:
    items = list(values)
    return bool(items) and all(isinstance(item, str) for item in items)


def _text_method(text: str, method: str, positional: list[Any], node: ast.expr) -> Any:
    try:
        return getattr(text, method)(*positional)
    except (TypeError, ValueError):
        return _unknown(node)


def texts_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the known texts and numbers of a mapping, as text."""
    return {
        name: str(value) for name, value in values.items() if isinstance(value, str | int | float)
    }
