"""A file cut into pieces is what the whole is: the same games with the same faults in the same lines."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.through_the_desert import GAME
from notation import Reading, read_games, write_record
from notation.chunks import TURN
from pbem.archive import seams
from pbem.archive.seams import Joint, Piece, cut, games_of, gather, work_on_pieces
from pbem.archive.source import Source
from pbem.cli.sample import make

SHORT = "\n".join(write_record(make(GAME, 2, "short")).splitlines()[:14]) + "\n"
HEADS = '[Format "1"]\n[Game "through-the-desert"]\n'
PIECES = st.sampled_from(
    [
        SHORT,
        SHORT.replace("\n", "\r\n"),
        "\ufeff" + SHORT,
        HEADS,
        "{a comment that quotes a game:\n\n" + SHORT + "}\n",
        "{a comment that is never closed\n",
        "{ one that is closed\n\n[Format }\n",
        "(1. red: leader lilac E4 {in a variation\n\n[Format}\n",
        "1. red: leader lilac E4 (1. red: leader lilac\n",
        "}\n",
        "no move at all\n",
        "\n",
        " \t\r\n",
        '[Event "no game begins here"]\n',
    ]
)
TEXTS = st.lists(PIECES, max_size=24).map("\n".join)


def whole(path: Path) -> list[Reading]:
    return list(read_games(Source(str(path)).lines()))


def in_pieces(path: Path, size: int) -> tuple[list[Reading], int]:
    """The games of a file read in pieces as other processes would, and how often a cut was wrong."""
    found, again = [], 0
    joint = Joint(str(path))
    for group in gather(cut(str(path), size), size):
        for piece, result in zip(group, work_on_pieces(lambda item: item.reading, False, group), strict=True):
            corrected = joint.correct(piece)
            again += corrected is not piece
            if corrected is None:
                continue
            if corrected is not piece:
                (result,) = work_on_pieces(lambda item: item.reading, False, [corrected])
            found += [reading for _, reading in result.games]
            joint.go_on(result.next_line, result.no_comment_ends_before)
    return found, again


@settings(max_examples=300)
@given(TEXTS, st.integers(1, 2000))
def test_any_cutting_gives_the_games_faults_and_lines_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, text: str, size: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "heap.turns"
    path.write_bytes(text.encode())
    found, _ = in_pieces(path, size)
    assert found == whole(path)
    assert [[fault.line for fault in reading.faults] for reading in found] == [
        [fault.line for fault in reading.faults] for reading in whole(path)
    ]


def test_a_quoted_game_is_found_to_be_none_and_a_comment_across_seams_is_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "quoted.turns"
    path.write_text(f"{SHORT}\n" * 3 + f"{{\n\n{SHORT}\n{SHORT}}}\n\n" + f"{SHORT}\n" * 3, "utf-8")
    found, again = in_pieces(path, 100)
    assert again
    assert found == whole(path)
    assert len(found) == 6


def test_what_an_unclosed_comment_has_seen_is_handed_on(tmp_path: Path) -> None:
    """Where no comment can end, none is looked for: the next piece must know that too."""
    long = "x" * 1000 + "\n"
    games = f"{SHORT}{{never closed\n\n" + f"{SHORT}\n{long * 20}\n" * 12
    path = tmp_path / "unclosed.turns"
    path.write_text(games + f"\n{SHORT}{{begun before that\n{long * (TURN // 9000)}\n}}\n\n" + SHORT, "utf-8")
    found, _ = in_pieces(path, 5000)
    assert found == whole(path)


def test_the_property_fails_where_cuts_are_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Joint, "correct", lambda _, piece: piece)
    path = tmp_path / "quoted.turns"
    path.write_text(f"{SHORT}\n" * 3 + f"{{\n\n{SHORT}\n{SHORT}}}\n\n" + f"{SHORT}\n" * 3, "utf-8")
    assert in_pieces(path, 100)[0] != whole(path)


def test_pieces_cover_a_file_without_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "long.turns"
    path.write_text(f"{SHORT}\n" * 200, "utf-8")
    pieces = list(cut(str(path), 4096))
    assert len(pieces) > 10
    assert [piece.begin for piece in pieces[1:]] == [piece.begin + piece.size for piece in pieces[:-1]]
    assert [piece.first for piece in pieces[1:]] == [piece.until for piece in pieces[:-1]]
    assert sum(piece.size for piece in pieces) == path.stat().st_size


def test_small_files_go_together_and_what_cannot_be_shared_stands_alone() -> None:
    pieces = [Piece(f"{n}", 400) for n in range(5)] + [Piece("-", is_shared=False), Piece("last", 1)]
    assert [[piece.name for piece in group] for group in gather(pieces, 1000)] == [
        *(["0", "1"], ["2", "3"], ["4"], ["-"], ["last"])
    ]


def test_each_game_gives_its_own_lines(tmp_path: Path) -> None:
    path = tmp_path / "three.turns"
    path.write_text(f"{SHORT}\n{SHORT}\n{SHORT}", "utf-8")
    _, games = games_of(Piece(str(path)), keep=True)
    assert [(item.text() or "").rstrip("\n") + "\n" for item in games] == [SHORT] * 3
    assert seams.PIECE > 100_000
