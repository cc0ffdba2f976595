"""`pbem edition`: books of finished games, and of running ones only what their reader may know."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from engine.game import PUBLIC, Ply
from notation import Record, write_games, write_moves, write_record
from pbem.books.book_page import HOW_TO_PRINT, have_weasyprint
from pbem.cli.sample import make
from pbem.service.post_folder import CreatedPost, create_post
from tests.known_games import known_game
from tests.pbem.cli.test_exchange import KEYS, LEAK, planted

Pbem = Callable[..., Any]


def test_a_file_of_games_is_one_book(pbem: Pbem, tmp_path: Path, spoiled: Path) -> None:
    path, book = tmp_path / "games.turns", tmp_path / "book.html"
    path.write_text("".join(write_games([make(known_game(key), 3, "books") for key in KEYS])), "utf-8")
    answer = pbem("edition", path, "-o", book, "--title", "Winter", "--json")
    told = json.loads(answer.stdout)
    assert (told["games"], told["written"], told["left_out"], told["running"]) == (4, 4, 0, 0)
    assert book.read_text("utf-8").count("<article") == 4
    answer = pbem("edition", path, spoiled, "-o", book)
    assert answer.exit_code == 1
    assert "5 games read: 4 in the book, 1 left out" in answer.stdout


def secret_moves(record: Record) -> set[str]:
    """The moves of a running game as they stand in the file, of which the public may not know all."""
    game = record.game
    assert game is not None
    found, position = set(), game.start(record.setup)
    for entry in record.entries:
        for move in entry.moves:
            ply = Ply(entry.who, move)
            if game.told(position, ply, PUBLIC) != move:
                found.add(write_moves(game, [move]))
            position = game.apply(position, ply)
    return found


@pytest.mark.parametrize("key", KEYS)
def test_the_book_of_a_running_game_holds_what_everybody_may_know(pbem: Pbem, tmp_path: Path, key: str) -> None:
    record = planted(make(known_game(key), 3, "exchange"))
    path, book = tmp_path / "running.turns", tmp_path / "book.html"
    text = write_record(record)
    comment = f"{{{LEAK}}}" if secret_moves(record) else ""
    path.write_text(f"{text.rstrip()} {comment}\n", "utf-8")
    assert pbem("edition", path, "-o", book).exit_code == 0
    page = unquote(book.read_text("utf-8"))
    assert LEAK not in page
    told = {move for move in secret_moves(record) if not move.startswith(("take", "choose"))}
    assert page.count("hidden") >= len(told) > 0 or key == "through-the-desert"
    assert "This game goes on." in page
    seat = record.seats[0]
    mine = tmp_path / "mine.html"
    assert pbem("edition", path, "-o", mine, "--as", seat).exit_code == 0
    assert mine.stat().st_mode & 0o077 == 0, "what one seat may know is for one reader"
    assert "keep it to yourself" in mine.read_text("utf-8")


def test_two_games_that_differ_in_what_is_hidden_make_the_same_book(pbem: Pbem, tmp_path: Path) -> None:
    record = make(known_game("nomadi"), 3, "hidden")
    lines = write_record(record).split("\n")
    order = next(order for order, line in enumerate(lines) if "*: card" in line)
    end = next(at for at in range(order + 1, len(lines)) if "*: dice" in lines[at])
    lines = ['[Result "*"]' if line.startswith("[Result") else line for line in lines[:end]]
    pages = []
    for value in ("+1", "+2", "-1"):
        card = " ".join(lines[order].split(" ")[:-1])
        changed = [*lines[:order], f"{card} {value}", *lines[order + 1 :]]
        path, book = tmp_path / "game.turns", tmp_path / "book.html"
        path.write_text("\n".join(changed) + "\n", "utf-8")
        if pbem("validate", path).exit_code == 0:
            assert pbem("edition", path, "-o", book).exit_code == 0
            pages.append(book.read_bytes())
    assert len(pages) > 1
    assert len(set(pages)) == 1


def test_the_colophon_says_whether_the_seal_holds_and_the_book_what_was_said(
    pbem: Pbem, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_post(tmp_path / "post", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    monkeypatch.setenv("PBEM_CONFIG", str(made.file))
    sealed, book = tmp_path / "bora-3.turns", tmp_path / "book.html"
    assert pbem("record", "bora-3", "--import", file).exit_code == 0
    assert pbem("record", "bora-3", "-o", sealed).exit_code == 0
    assert pbem("annotate", sealed, "--at", "9", "--comment", "so").exit_code == 0
    for path in (sealed, tmp_path / "bora-3.annotated.turns"):
        assert pbem("edition", path, "-o", book).exit_code == 0
        page = book.read_text("utf-8")
        assert "Sealed by caravan@post.test." in page
        assert "it holds" in page
        head = sealed.read_text("utf-8").rpartition("[%head ")[2].split("]")[0].split()[1]
        assert head in page
        assert ('<p class="comment" dir="auto">so</p>' in page) == (path != sealed)
    sealed.write_text(re.sub(r'(?<=\[Seat\.red )"[^"]*"', '"Mallory"', sealed.read_text("utf-8")), "utf-8")
    assert pbem("edition", sealed, "-o", book).exit_code == 0
    assert "does NOT hold" in book.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "book.txt"], "must end in"),
        (["-o", "book.html", "--language", "xx"], "there is no language"),
        (["-o", "book.html", "--as", "cerise"], "nobody sits at cerise"),
    ],
)
def test_a_misuse_is_told_in_one_line(
    pbem: Pbem, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = pbem("edition", file, *words)
    assert answer.exit_code == 2
    assert said in answer.stderr
    assert not (tmp_path / words[1]).exists()


def test_a_pdf_is_printed_or_one_is_told_how(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.pdf"
    answer = pbem("edition", file, "-o", book)
    if have_weasyprint():
        assert answer.exit_code == 0
        assert book.read_bytes().startswith(b"%PDF")
    else:
        assert answer.exit_code == 2
        assert HOW_TO_PRINT in answer.stderr
        assert not book.exists()
