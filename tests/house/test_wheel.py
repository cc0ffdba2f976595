"""What is installed is our packages and nothing else, and it works far from its sources."""

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

PACKAGES = ("engine", "notation", "pbem", "templates")
DISTRIBUTION = "caravan-post"


@pytest.fixture(scope="module")
def wheel(root: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    made = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(root))
    assert made.returncode == 0, made.stdout + made.stderr
    (path,) = folder.glob("*.whl")
    return path


def as_built(path: Path) -> Path:
    """Catalogues are compiled when the wheel is built; everything else is taken as it is."""
    return path.with_suffix(".mo") if path.suffix == ".po" else path


def test_the_wheel_holds_every_file_of_the_four_packages_and_nothing_else(wheel: Path, files: list[Path]) -> None:
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if ".dist-info/" not in name}
        facts = next(opened.read(name).decode() for name in opened.namelist() if name.endswith("/METADATA"))
        scripts = next(opened.read(name).decode() for name in opened.namelist() if name.endswith("entry_points.txt"))
    assert inside == {as_built(path).as_posix() for path in files if path.parts[0] in PACKAGES}
    assert {"engine/py.typed", "notation/py.typed", "notation/record.lark"} <= inside
    assert wheel.name.endswith("-py3-none-any.whl")
    assert re.search(r"^Requires-Python: >=3\.11$", facts, re.MULTILINE)
    assert re.search(r"^License-File: LICENSE$", facts, re.MULTILINE)
    assert "pbem = pbem.cli:main" in scripts


def test_the_wheel_works_in_a_fresh_environment_from_another_folder(wheel: Path, run: Run, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    for words in (
        [sys.executable, "-m", "venv", str(home)],
        [str(programs / "python"), "-m", "pip", "install", "-q", str(wheel)],
    ):
        made = run(*words, cwd=tmp_path)
        assert made.returncode == 0, made.stdout + made.stderr
    question = f"from importlib.metadata import *; print(*(packages_distributions()[name] for name in {PACKAGES}))"
    owners = run(str(programs / "python"), "-P", "-c", question, cwd=tmp_path).stdout
    assert owners.split() == [str([DISTRIBUTION])] * len(PACKAGES)
    # Folders of the same names in the working folder must not be mistaken for ours.
    for name in PACKAGES:
        (elsewhere / name).mkdir(parents=True)
    pbem = str(programs / "pbem")
    for words in (
        ["sample", "through-the-desert", "--seats", "3", "--seed", "7", "-o", "game.turns"],
        ["validate", "game.turns"],
        ["replay", "game.turns"],
        ["show", "game.turns", "-o", "board.svg"],
        ["show", "game.turns", "-o", "board.png"],
    ):
        answer = run(pbem, *words, cwd=elsewhere)
        assert answer.returncode == 0, answer.stdout + answer.stderr
    assert (elsewhere / "board.svg").read_text("utf-8").startswith("<svg")
    assert (elsewhere / "board.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", PACKAGES)
def test_no_other_package_here_owns_one_of_our_names(name: str) -> None:
    # An editable install owns no folder, so the answer here is our name or none.
    assert {*packages_distributions().get(name, [])} <= {DISTRIBUTION}
