"""Compiles the catalogues of all languages whenever a wheel or an editable install is built."""

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueBuildHook(BuildHookInterface[Any]):
    """Writes a `.mo` beside each `.po`. Git ignores it; the wheel takes it instead of the `.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it gathers the files of a build."""
        root = Path(self.root)
        # Run as a file: importing pbem.render would need all dependencies of the post at build time.
        compile_mo = run_path(str(root / "pbem/locale/po_files.py"))["compile_mo"]
        for source in sorted((root / "templates/locale").glob("*/LC_MESSAGES/*.po")):
            compiled = source.with_suffix(".mo.new")
            compiled.write_bytes(compile_mo(source.read_text("utf-8")))
            compiled.replace(source.with_suffix(".mo"))  # in one step: a process that reads it now gets a whole file
