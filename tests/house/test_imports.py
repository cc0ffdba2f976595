"""Imports go one way only: engine <- notation <- pbem, and inside pbem from the command line to the foundations."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

MAY_IMPORT: dict[str, set[str]] = {
    "engine": set(),
    "notation": {"engine", "lark"},
    "pbem": {
        "PIL",
        "aiosmtpd",
        "babel",
        "click",
        "cryptography",
        "dns",
        "duckdb",
        "engine",
        "flufl",
        "holidays",
        "imapclient",
        "isal",
        "jinja2",
        "notation",
        "prometheus_client",
        "psycopg",
        "py_arkworks_bls12381",
        "resvg_py",
        "sqlalchemy",
        "templates",
        "typer",
        "weasyprint",
        "zstandard",
    },
    "templates": set(),
}
"""For each package what it may import besides itself and the standard library."""

OPTIONAL = {"duckdb", "weasyprint"}
"""Large packages of extras, called the same where they are declared and where they are imported."""

FOLDERS: dict[str, set[str]] = {
    "__init__": set(),
    "__main__": {"cli"},
    "archive": set(),
    "books": {"events", "judging", "locale", "mail.writing", "proof", "render", "tables", "verify"},
    "catalogue": {"archive", "judging"},
    "cli": {
        "archive",
        "books",
        "catalogue",
        "contract",
        "demo",
        "disputes",
        "events",
        "exchange",
        "judging",
        "locale",
        "mail.transport",
        "proof",
        "render",
        "service",
        "settings",
        "store",
        "tables",
        "terminal",
        "verify",
        "web",
        "workflow",
    },
    "clock": set(),
    "contract": set(),
    "demo": {"judging", "mail.transport", "service", "store", "tables", "workflow"},
    "disputes": {
        "clock",
        "events",
        "judging",
        "locale",
        "mail.commands",
        "mail.reading",
        "mail.reply_address",
        "mail.writing",
        "proof",
        "render",
        "store",
        "tables",
        "verify",
        "workflow",
    },
    "events": {"proof"},
    "exchange": {"events", "judging"},
    "judging": set(),
    "locale": set(),
    "mail": set(),
    "mail.commands": {"events", "judging", "locale", "mail.format", "tables"},
    "mail.format": {"locale"},
    "mail.post_commands": {"locale", "mail.commands"},
    "mail.post_ticket": {"mail.reply_address"},
    "mail.reading": {"locale", "mail.format", "mail.reply_address"},
    "mail.reply_address": set(),
    "mail.transport": {"mail.reply_address", "settings"},
    "mail.writing": {
        "clock",
        "events",
        "judging",
        "locale",
        "mail.commands",
        "mail.format",
        "proof",
        "render",
        "tables",
    },
    "people": set(),
    "proof": set(),
    "render": {"locale"},
    "service": {
        "clock",
        "disputes",
        "events",
        "judging",
        "locale",
        "mail.format",
        "mail.reading",
        "mail.reply_address",
        "mail.transport",
        "mail.writing",
        "proof",
        "settings",
        "store",
        "tables",
        "workflow",
    },
    "settings": {"locale"},
    "store": {"people"},
    "tables": {"clock", "events", "judging", "proof"},
    "terminal": {"archive", "judging", "mail.commands", "render", "settings", "store", "tables"},
    "verify": {
        "events",
        "judging",
        "mail.commands",
        "mail.format",
        "mail.reading",
        "mail.reply_address",
        "proof",
        "tables",
    },
    "web": {"judging", "locale", "mail.writing", "render"},
    "workflow": {
        "clock",
        "events",
        "judging",
        "locale",
        "mail.commands",
        "mail.format",
        "mail.post_commands",
        "mail.post_ticket",
        "mail.reading",
        "mail.reply_address",
        "mail.writing",
        "people",
        "proof",
        "render",
        "settings",
        "store",
        "tables",
    },
}
"""For each folder of pbem the other folders that it imports; pbem/mail has folders of its own."""

OUTSIDE_WORLD = {
    *("asyncio", "datetime", "email", "http", "io", "locale", "logging", "os", "pathlib", "random", "secrets"),
    *("select", "shutil", "smtplib", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time"),
    *("urllib", "uuid", "zoneinfo"),
}
"""What pure rules never reach for: files, clocks, the network, and random sources of their own."""

MAY_TOUCH_FILES = {"notation.lalr.grammar"}
"""Outside pbem only these: one reads the grammars that lie beside it, one keeps them compiled for the next start."""


class Import(NamedTuple):
    """One module imported by another, and whether it really happens or only serves the type checker."""

    importer: str
    imported: str
    where: str
    runs: bool


def dotted(path: Path) -> str:
    """``engine/game.py`` as ``engine.game``."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def for_types_only(node: ast.AST) -> bool:
    """Whether a statement is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(node: ast.AST, *, runs: bool = True) -> Iterator[tuple[str, int, bool]]:
    """Every dotted name imported below a node, at whatever depth, with its line and whether it runs."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                yield from ((alias.name, child.lineno, runs) for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield from ((f"{module}.{alias.name}", child.lineno, runs) for alias in names)
            case ast.ImportFrom():
                yield "." * child.level, child.lineno, runs
        yield from imports(child, runs=runs and not for_types_only(child))


@pytest.fixture(scope="module")
def modules(root: Path, files: list[Path]) -> dict[str, Path]:
    found = {dotted(path): root / path for path in files if path.suffix == ".py" and path.parts[0] in MAY_IMPORT}
    assert {"engine.game", "notation", "pbem"} <= found.keys()
    return found


@pytest.fixture(scope="module")
def imported(root: Path, modules: dict[str, Path]) -> list[Import]:
    def module_of(name: str) -> str:
        """``engine.game.Ply`` stands in ``engine.game``; ``engine.game`` is a module itself."""
        return name if name in modules or name.rpartition(".")[0] not in modules else name.rpartition(".")[0]

    return [
        Import(importer, module_of(name), f"{path.relative_to(root)}:{line}", runs)
        for importer, path in modules.items()
        for name, line, runs in imports(ast.parse(path.read_text("utf-8"), str(path)))
        if runs or not name.startswith("_typeshed.")  # the type checker's own, no package
    ]


def test_each_package_imports_only_what_its_line_allows(imported: list[Import]) -> None:
    strangers = [
        f"{use.where} imports {use.imported}"
        for use in imported
        for home, package in [(use.importer.split(".")[0], use.imported.split(".")[0])]
        if package not in {home} | MAY_IMPORT[home] | sys.stdlib_module_names
    ]
    assert not strangers


def test_what_is_imported_is_declared_and_what_is_declared_is_imported(root: Path, imported: list[Import]) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines]
    declared = [*project["dependencies"], *extras]
    names = {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in declared}
    others = {use.imported.split(".")[0] for use in imported} - sys.stdlib_module_names - MAY_IMPORT.keys()
    owners = packages_distributions()
    used = {
        owner.lower().replace("_", "-")
        for package in others
        for owner in (owners[package] if package not in OPTIONAL else [package])
    }
    assert used == names


def test_what_is_installed_only_on_demand_is_loaded_only_on_demand(imported: list[Import], root: Path) -> None:
    """Everything else works without it, and starts without waiting for it."""
    on_demand = {*OPTIONAL, "py_arkworks_bls12381"}
    lines = {use.where: use.imported.split(".")[0] for use in imported if use.imported.split(".")[0] in on_demand}
    assert set(lines.values()) == on_demand
    for where in lines:
        path, _, number = where.partition(":")
        assert (root / path).read_text("utf-8").splitlines()[int(number) - 1].startswith(" ")


def test_imports_are_absolute_so_that_a_line_says_where_it_goes(imported: list[Import]) -> None:
    assert not [use.where for use in imported if use.imported.startswith(".")]


def test_the_rules_and_the_notation_reach_for_no_file_clock_network_or_random_source(
    imported: list[Import],
) -> None:
    impure = [
        f"{use.where} imports {use.imported}"
        for use in imported
        for home, package in [(use.importer.split(".")[0], use.imported.split(".")[0])]
        if home in {"engine", "notation"} and package in OUTSIDE_WORLD
        if not (use.importer in MAY_TOUCH_FILES and package in {"os", "pathlib"})
    ]
    assert not impure


def test_no_game_knows_another_game_and_no_shared_file_knows_a_game(
    imported: list[Import], modules: dict[str, Path]
) -> None:
    games = {name.split(".")[1] for name in modules if name.count(".") == 2 and name.startswith("engine.")}
    assert "through_the_desert" in games
    mixed = [
        f"{use.where} imports {use.imported}"
        for use in imported
        if use.importer.startswith("engine")
        for game in games
        if f"{use.imported}.".startswith(f"engine.{game}.") and not f"{use.importer}.".startswith(f"engine.{game}.")
    ]
    assert not mixed


def folder_of(module: str) -> str:
    """``pbem.tables.fold`` is in ``tables``, ``pbem.mail.reading.letter`` in ``mail.reading``."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2] if parts[0] == "mail" else parts[:1])


@pytest.fixture(scope="module")
def crossings(imported: list[Import]) -> dict[tuple[str, str], list[str]]:
    """For each pair of folders of pbem the lines of one that import the other."""
    found: dict[tuple[str, str], list[str]] = {}
    for use in imported:
        if use.importer.startswith("pbem.") and use.imported.startswith("pbem."):
            here, there = folder_of(use.importer), folder_of(use.imported)
            if here != there:
                found.setdefault((here, there), []).append(f"{use.where} imports {use.imported}")
    return found


def test_the_folders_of_pbem_import_only_those_listed(
    modules: dict[str, Path], crossings: dict[tuple[str, str], list[str]]
) -> None:
    folders = {folder_of(name) for name in modules if name.startswith("pbem.")}
    assert folders <= FOLDERS.keys(), "a new folder of pbem needs its line in FOLDERS"
    assert not [line for (here, there), lines in crossings.items() if there not in FOLDERS[here] for line in lines]


def test_nothing_is_listed_that_is_not_imported(crossings: dict[tuple[str, str], list[str]]) -> None:
    assert {(here, there) for here, others in FOLDERS.items() for there in others} <= crossings.keys()


def test_no_circle_of_folders() -> None:
    ahead = FOLDERS
    while leaves := {name for name, others in ahead.items() if not others & ahead.keys()}:
        ahead = {name: others for name, others in ahead.items() if name not in leaves}
    assert not ahead, "these import each other"


def parent(module: str, modules: dict[str, Path]) -> str:
    """The folder that a module is in; a package is its own folder."""
    return module if modules[module].name == "__init__.py" else module.rpartition(".")[0]


def test_no_folder_and_a_folder_inside_it_import_each_other(imported: list[Import], modules: dict[str, Path]) -> None:
    pairs = {
        (parent(use.importer, modules), parent(use.imported, modules)) for use in imported if use.imported in modules
    }
    assert not [(one, other) for one, other in pairs if other.startswith(f"{one}.") and (other, one) in pairs]


def test_no_folder_is_deeper_than_two_below_pbem_but_one_for_each_game(modules: dict[str, Path]) -> None:
    depths = {parent(name, modules): parent(name, modules).count(".") for name in modules if name.startswith("pbem.")}
    deep = {folder for folder, depth in depths.items() if depth > 2}
    assert all(folder.startswith("pbem.render.scenes.") and depths[folder] == 3 for folder in deep)


def test_no_circle_of_modules(imported: list[Import], modules: dict[str, Path]) -> None:
    ahead = {
        name: {use.imported for use in imported if use.importer == name and use.runs} & modules.keys() - {name}
        for name in modules
    }
    while leaves := {name for name, others in ahead.items() if not others & ahead.keys()}:
        ahead = {name: others for name, others in ahead.items() if name not in leaves}
    assert not ahead, "these import each other"
