"""A catalogue holds the same rows however it came about: killed, brought up to date, on many cores, made again."""

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import Reading, read_games
from pbem.archive.seams import Joint
from pbem.archive.source import Source
from pbem.catalogue import spans, update
from pbem.catalogue.catalogue_file import NoCatalogue, open_catalogue
from pbem.catalogue.game_facts import GameFacts, game_facts
from pbem.catalogue.spans import FileSpans
from pbem.catalogue.update import Sums, Update
from tests.pbem.archive.test_seams import TEXTS
from tests.pbem.catalogue.rows import rows, small

BROKEN = small("broken").replace("\n5. ", "\n6. ", 1)
QUOTING = small("quoting") + "{\n\n" + small("0") + "\n" + small("1") + "}\n"


def indexed(path: Path, *files: Path, jobs: int = 1, gone: tuple[Path, ...] = (), quick: bool = False) -> Sums:
    with open_catalogue(path, create=True) as catalogue:
        found = Update(catalogue, jobs=jobs, quick=quick)
        found.run(map(str, files), map(str, gone))
    return found.sums


@pytest.fixture
def heap(tmp_path: Path) -> list[Path]:
    """Two files of games that stand in both, a game that quotes others, one that is refused, and one that is none."""
    folder = tmp_path / "games"
    folder.mkdir()
    games = [small(str(n), 2 + n % 2, named=f"Łucja {n % 3}", said=f"dzień {n}") for n in range(6)]
    games[2:2] = [QUOTING, BROKEN, games[0].replace("\n3. ", "\n3. nobody knows ", 1)]
    (folder / "a.turns").write_text("\n".join(games), "utf-8")
    (folder / "b.turns").write_text("\n".join([*reversed(games), *games[:2]]), "utf-8")
    return [folder / "a.turns", folder / "b.turns"]


def test_every_game_has_a_row_and_every_place_is_found(heap: list[Path], tmp_path: Path) -> None:
    sums = indexed(tmp_path / "c", *heap)
    assert (sums.files, sums.counts, sums.gone) == (2, (20, 2, 2), 0)
    found = rows(tmp_path / "c")["places"]
    for file in heap:
        readings = list(read_games(Source(str(file)).lines()))
        assert [row[2] for row in found if row[0] == f"games/{file.name}"] == [each.line for each in readings]
    for name, _, _, begin, *_ in found:
        assert (tmp_path / str(name)).read_bytes()[int(str(begin)) :].startswith(b"[Format")
    assert sums.new == rows(tmp_path / "c")["counts"][0][0]


def test_nothing_is_judged_twice(heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readable = heap[:1]
    readable[0].write_text("\n".join([small(str(n)) for n in range(4)] + [BROKEN + "12. end: abandoned\n"]), "utf-8")
    first = indexed(tmp_path / "c", *readable)
    assert (first.new, first.counts.refused) == (5, 1)
    monkeypatch.setattr(update, "game_facts", None)
    again = indexed(tmp_path / "c", *readable)
    assert (again.new, again.gone, again.as_before, again.counts) == (0, 0, 5, first.counts)
    os.utime(readable[0], ns=(1, 1))
    assert indexed(tmp_path / "c", *readable).as_before == 5


def test_only_what_is_new_is_judged(heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [small(str(n)) for n in range(8)]
    heap[0].write_text("\n".join(games), "utf-8")
    indexed(tmp_path / "c", heap[0])
    judged: list[str | None] = []

    def judge(reading: Reading, text: str | None) -> GameFacts:
        judged.append(text)
        return game_facts(reading, text)

    monkeypatch.setattr(update, "game_facts", judge)
    games[3] = games[3].rstrip("\n") + " {a word more}\n"
    heap[0].write_text("\n".join([small("in front"), *games[:6], small("behind")]), "utf-8")
    sums = indexed(tmp_path / "c", heap[0])
    assert (len(judged), sums.new, sums.gone, sums.as_before) == (3, 3, 3, 5)
    indexed(tmp_path / "anew", heap[0])
    assert rows(tmp_path / "c") == rows(tmp_path / "anew")


def test_a_game_quoted_in_a_comment_is_never_taken_for_one(heap: list[Path], tmp_path: Path) -> None:
    """Its text is known, and stands where a game seems to begin."""
    heap[0].write_text("\n".join([small("0"), small("1"), small("2")]), "utf-8")
    indexed(tmp_path / "c", heap[0])
    heap[0].write_text("\n".join([small("3") + "{\n", small("0"), small("1"), "}\n", small("2")]), "utf-8")
    sums = indexed(tmp_path / "c", heap[0])
    assert (sums.counts.games, sums.new, sums.gone) == (2, 1, 2)
    indexed(tmp_path / "anew", heap[0])
    assert rows(tmp_path / "c") == rows(tmp_path / "anew")


def test_that_property_fails_where_a_known_text_is_believed_wherever_it_stands(
    heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heap[0].write_text("\n".join([small("0"), small("1"), small("2")]), "utf-8")
    indexed(tmp_path / "c", heap[0])
    heap[0].write_text("\n".join([small("3") + "{\n", small("0"), small("1"), "}\n", small("2")]), "utf-8")
    monkeypatch.setattr(Joint, "correct", lambda _, piece: piece)
    assert indexed(tmp_path / "c", heap[0]).counts.games > 2


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.integers(1, 2000))
def test_a_catalogue_brought_up_to_date_is_that_made_anew(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, size: int
) -> None:
    """Of texts with quoted games, comments that never end, all line ends and byte order marks, however they are cut."""
    folder = tmp_path_factory.mktemp("updated")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "PIECE", size)
        patch.setattr(spans.FileSpans.__init__, "__defaults__", (size,))
        (folder / "a.turns").write_bytes(before.encode())
        indexed(folder / "c", folder / "a.turns")
        (folder / "a.turns").write_bytes(after.encode())
        indexed(folder / "c", folder / "a.turns")
        indexed(folder / "anew", folder / "a.turns")
    found = rows(folder / "c")
    assert found == rows(folder / "anew")
    readings = list(read_games(Source(str(folder / "a.turns")).lines()))
    assert [row[2] for row in found["places"]] == [each.line for each in readings]
    verdicts = [each.faults[0].code if each.faults else None for each in readings]
    assert all(code in (None, row[5]) for code, row in zip(verdicts, found["places"], strict=True))


def test_spans_cover_a_file_whatever_the_blocks(tmp_path: Path) -> None:
    path = tmp_path / "long.turns"
    path.write_text("\n".join(small(str(n)) for n in range(12)), "utf-8")
    whole = list(FileSpans(path))
    assert len(whole) == 12
    for block in (1, 7, 100, 5000):
        assert list(FileSpans(path, block)) == whole
    assert [each.begin + each.size for each in whole] == [*(each.begin for each in whole[1:]), path.stat().st_size]
    assert [each.until for each in whole] == [*(each.line for each in whole[1:]), None]


def test_a_span_that_is_too_long_to_be_held_has_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "LONGEST", 5000)
    monkeypatch.setattr(spans, "_SEAM_AT_MOST", 100)
    path = tmp_path / "long.turns"
    path.write_text(small("0") + "{long\n" + "x\n" * 9000 + "}\n\n" + small("1"), "utf-8")
    long, short = FileSpans(path, 700)
    assert (long.key, long.until, short.line) == (None, short.line, path.read_text().count("\n", 0, short.begin) + 1)
    assert short.key is not None
    indexed(tmp_path / "c", path)
    assert indexed(tmp_path / "c", path).as_before == 2


class Statements:
    """A database that ends the process, as a power cut would, before its n-th statement."""

    def __init__(self, database: sqlite3.Connection, left: int) -> None:
        self._database = database
        self._left = left

    def execute(self, *words: Any) -> Any:
        self._count()
        return self._database.execute(*words)

    def commit(self) -> None:
        self._count()
        self._database.commit()

    def close(self) -> None:
        self._database.close()

    def _count(self) -> None:
        if not self._left:
            os._exit(9)
        self._left -= 1


def killed(left: int, path: Path, *files: Path) -> bool:
    """Index in another process that dies before a statement; whether it got so far."""
    child = os.fork()
    if not child:
        try:
            with open_catalogue(path, create=True) as catalogue:
                catalogue.database = Statements(catalogue.database, left)  # type: ignore[assignment]  # it counts
                Update(catalogue, jobs=1).run(map(str, files))
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_killed_before_any_statement_and_run_again_it_holds_the_same_rows(
    heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "KEPT", 3)
    monkeypatch.setattr(update, "PIECE", 3000)
    indexed(tmp_path / "whole", *heap)
    expected = rows(tmp_path / "whole")
    heap[1].write_text(heap[1].read_text("utf-8") + "\n" + small("new"), "utf-8")
    indexed(tmp_path / "after", *heap)
    later = rows(tmp_path / "after")
    heap[1].write_text(heap[1].read_text("utf-8").removesuffix("\n" + small("new")), "utf-8")
    path, n = tmp_path / "c", 0
    while killed(n, path, *heap):
        seen = rows(path)  # what was kept is whole: the files that are told of are those of the end
        assert all(each in expected["files"] for each in seen["files"])
        assert all(each in expected["places"] for each in seen["places"])
        if n % 3:
            path.unlink()
        n += 1 + n // 100
    assert n > 150
    assert rows(path) == expected
    heap[1].write_text(heap[1].read_text("utf-8") + "\n" + small("new"), "utf-8")
    n = 0
    while killed(n, path, *heap):
        told = rows(path)["files"]
        assert told in (expected["files"], later["files"]), "the old state or the new one, never half of it"
        n += 5
    assert n > 50
    assert rows(path) == later


def test_two_cores_make_the_same_rows(heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "PIECE", 2000)
    files = [*heap, *(heap[0].parent / f"{n}.turns" for n in range(6))]
    for n, file in enumerate(files[2:]):
        file.write_text(small(f"alone {n}"), "utf-8")
    one, two = indexed(tmp_path / "one", *files), indexed(tmp_path / "two", *files, jobs=2)
    assert one == two
    assert rows(tmp_path / "one") == rows(tmp_path / "two")


def test_files_that_are_gone_are_dropped_with_their_words(heap: list[Path], tmp_path: Path) -> None:
    heap[1].write_text(small("only here", named="Zofia", said="secret garden"), "utf-8")
    indexed(tmp_path / "c", *heap)
    assert b"garden" in (tmp_path / "c").read_bytes()
    assert indexed(tmp_path / "c", heap[0], gone=(heap[1],)).gone == 1
    indexed(tmp_path / "anew", heap[0])
    assert rows(tmp_path / "c") == rows(tmp_path / "anew")


def test_packed_files_are_indexed_too(heap: list[Path], tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "games" / "c.turns.gz"
    packed.write_bytes(gzip.compress(heap[0].read_bytes()))
    plain = indexed(tmp_path / "plain", heap[0]).counts
    assert indexed(tmp_path / "c", packed).counts == plain
    seen = [row[1:3] for row in rows(tmp_path / "c")["places"]]
    assert seen == [row[1:3] for row in rows(tmp_path / "plain")["places"]]


def test_another_judge_judges_again(heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = indexed(tmp_path / "c", *heap)
    monkeypatch.setattr(update, "judges_version", lambda: b"a later")
    after = indexed(tmp_path / "c", *heap)
    assert (after.new, after.gone, after.counts) == (before.new, before.new, before.counts)


def test_the_judge_is_known_by_its_rules_and_grammars() -> None:
    assert update.judges_version() == update.judges_version()
    assert len(update.judges_version()) == 8


def test_nothing_but_a_catalogue_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "letters.db"
    database = sqlite3.connect(path)
    database.execute("create table letters (text)")
    database.commit()
    database.close()
    before = path.read_bytes()
    for text in (before, b"a text file, and a long one\n" * 200):
        path.write_bytes(text)
        with (
            pytest.raises(NoCatalogue, match="is no catalogue, so nothing is written"),
            open_catalogue(path, create=True),
        ):
            pass
        assert path.read_bytes() == text
    with pytest.raises(NoCatalogue, match="no such catalogue"), open_catalogue(tmp_path / "none", create=False):
        pass
    assert not (tmp_path / "none").exists()


def test_a_catalogue_moves_with_its_games(heap: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    indexed(tmp_path / "c", *heap)
    (tmp_path / "moved").mkdir()
    for each in ("c", "games"):
        (tmp_path / each).rename(tmp_path / "moved" / each)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(update, "game_facts", None)
    with open_catalogue(tmp_path / "moved" / "c", create=False) as catalogue:
        assert catalogue.names_below("moved") == ["moved/games/a.turns", "moved/games/b.turns"]
