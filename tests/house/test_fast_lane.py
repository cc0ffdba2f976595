"""The fast lane leaves out only what is there, and still touches every folder."""

from pathlib import Path

from tests.conftest import SLOW

PACKAGES = ("engine", "notation", "pbem")


def is_left_out(path: Path) -> bool:
    return any(name.as_posix() in SLOW for name in (path, *path.parents))


def test_every_line_of_the_list_names_something(root: Path) -> None:
    for line in SLOW:
        name, _, test = line.partition("::")
        assert (root / name).exists(), line
        assert not test or f"def {test}(" in (root / name).read_text("utf-8"), line


def test_the_fast_lane_touches_every_folder_that_has_tests(files: list[Path]) -> None:
    tests = [path for path in files if path.parts[0] == "tests" and path.name.startswith("test_")]
    own = {path.parent for path in tests if path.parts[1] in PACKAGES}
    assert len(own) > len(PACKAGES)
    assert not own - {path.parent for path in tests if not is_left_out(path)}
