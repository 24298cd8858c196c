"""No circle of imports anywhere in the package: imports inside functions count, and modules that are named with a
function to be loaded later; those for types only do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tui_attention

PACKAGE = Path(tui_attention.__file__).parent
Graph = dict[str, set[str]]


def modules(top: Path, name: str) -> dict[str, Path]:
    """Every module of a package: its full name and its file."""
    found = {}
    for path in sorted(top.rglob("*.py")):
        parts = [name, *path.relative_to(top).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import that runs: anywhere but below `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from statements(other)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:
            yield from statements(node)


def named_later(tree: ast.AST, package: str) -> Iterator[str]:
    """The modules of `module:function` in a text: such a function is loaded with its first use."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            module, colon, function = node.value.partition(":")
            if colon and function.isidentifier() and module.replace(".", "_").isidentifier():
                yield from (module, f"{package}.{module}")


def imports(top: Path, name: str) -> Graph:
    """Which module imports which. `from package import module` is an import of the module."""
    known = modules(top, name)
    graph: Graph = {module: set() for module in known}
    for module, path in known.items():
        tree = ast.parse(path.read_text("utf-8"))
        later = named_later(tree, module if path.name == "__init__.py" else module.rpartition(".")[0])
        graph[module] |= {other for other in later if other in known and other != module}
        for node in statements(tree):
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            else:
                package = module if path.name == "__init__.py" else module.rpartition(".")[0]
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                start = ".".join([*above, *([node.module] if node.module else [])])
                wanted = [
                    f"{start}.{alias.name}" if f"{start}.{alias.name}" in known else start for alias in node.names
                ]
            graph[module] |= {other for other in wanted if other in known and other != module}
    return graph


def circles(graph: Graph) -> list[list[str]]:
    """The groups of modules that import one another, directly or through others (Tarjan's components)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in number:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], number[other])
        if low[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in graph:
        if module not in number:
            visit(module)
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = imports(PACKAGE, "tui_attention")
    assert len(graph) > 100
    assert sum(map(len, graph.values())) > 300
    assert circles(graph) == []


def test_a_circle_is_found_wherever_it_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "one.py").write_text("def f():\n    from house.two import g\n", "utf-8")
    (tmp_path / "two.py").write_text("import house.three\n", "utf-8")
    (tmp_path / "three.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import one\n", "utf-8"
    )
    assert circles(imports(tmp_path, "house")) == []
    (tmp_path / "three.py").write_text("try:\n    from . import one\nexcept ImportError:\n    pass\n", "utf-8")
    assert circles(imports(tmp_path, "house")) == [["house.one", "house.three", "house.two"]]
    (tmp_path / "three.py").write_text("TABLE = ('one:f',)\n", "utf-8")
    assert circles(imports(tmp_path, "house")) == [["house.one", "house.three", "house.two"]]
