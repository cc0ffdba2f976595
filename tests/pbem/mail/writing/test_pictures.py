"""A position is drawn once, however many mails show it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.game import PUBLIC
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.board_pictures import Pictures, read_owners
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Correspondent, Envelope, NewsMail, Post, TurnMail
from pbem.render import ENGLISH, Locale
from tests.post.mailed_games import Game

POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every view that is drawn, instead of the drawing."""
    views: list[Any] = []

    def draw(key: Any, view: Any, options: Any) -> bytes:
        views.append(view)
        return b"\x89PNG" + str(len(views)).encode()

    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", draw)
    return views


def test_only_who_is_to_move_has_a_picture_of_their_own(
    drawn: list[Any], played: Callable[[int], Game], envelope: Envelope
) -> None:
    composer, game = Composer(POST), played(60)
    for number, seat in enumerate(game.table.seats, start=1):
        own = Envelope(seat, Correspondent(seat, f"{seat}@example.org"), number, envelope.reply_to, envelope.date)
        composer.compose(game.table, own, TurnMail(()) if seat in game.table.due else NewsMail(game.since("red")))
    assert len(drawn) == 1, "news are words"
    game.play(1)
    composer.compose(game.table, envelope, NewsMail(()))
    assert len(drawn) == 1


def test_players_with_hidden_cards_share_the_picture_too(drawn: list[Any], bargain: Game) -> None:
    pictures, table = Pictures("post.example"), bargain.table
    boards = [pictures.board(table, seat, ENGLISH) for seat in table.seats]
    assert len({id(board) for board in boards}) == len(table.seats)
    assert len({board.image.cid for board in boards}) == 1
    assert [view["hands"] for view in drawn] == [table.game.view(table.position, PUBLIC)["hands"]]
    own, other = (board.image_for(seat, ()) for board, seat in zip(boards[:2], table.seats[:2], strict=True))
    assert len({own.cid, other.cid, boards[0].image.cid}) == 3


def test_every_picture_in_a_mail_is_small_and_made_for_a_telephone(mails: dict[str, Mail]) -> None:
    shown = {name: mail for name, mail in mails.items() if mail.picture}
    assert len(shown) > 10
    for name, mail in shown.items():
        assert len(mail.picture) * 3 / 4 < 45_000, name
        assert b'width="362"' in mail.before.replace(b"=\r\n", b"").replace(b"=3D", b"="), name


def test_readers_of_plain_text_cost_no_picture(
    drawn: list[Any], played: Callable[[int], Game], compose: Callable[..., Mail]
) -> None:
    compose(played(60).table, TurnMail(()), plain=True)
    assert drawn == []


def test_another_name_or_language_is_another_board(drawn: list[Any], played: Callable[[int], Game]) -> None:
    pictures, table = Pictures("post.example"), played(60).table
    first = pictures.board(table, "red", ENGLISH)
    assert pictures.board(table, "blue", ENGLISH) is first
    assert pictures.board(replace(table, names={**table.names, "red": "Zoë"}), "red", ENGLISH) is not first
    assert pictures.board(table, "red", Locale("pl")) is not first


def test_only_so_many_boards_are_kept(drawn: list[Any], played: Callable[[int], Game]) -> None:
    pictures, game = Pictures("post.example", kept=4), played(20)
    first = pictures.board(game.table, "red", ENGLISH)
    early = game.table
    for _ in range(5):
        pictures.board(game.play(1).table, "red", ENGLISH)
    assert pictures.board(early, "red", ENGLISH) is not first


def test_the_picture_marks_the_whole_last_turn_also_where_it_came_in_two_letters(
    drawn: list[Any], played: Callable[[int], Game]
) -> None:
    game = played(60)
    game.do("red", Play("lilac N5"))
    game.do("red", Play("lilac M6"))
    board = Pictures("post.example").board(game.table, "red", ENGLISH)
    assert board.options.marked == ("N5", "M6")


def test_a_list_by_owner_is_taken_apart() -> None:
    text = (
        "Red (Anna), 3 points\n  Lilac caravan: leader E4,\n    alone.\n  Hand: mint.\n\nOn the board\n  Oases: B8.\n"
    )
    assert read_owners(text) == [
        ("Red (Anna), 3 points", ["Lilac caravan: leader E4, alone.", "Hand: mint."]),
        ("On the board", ["Oases: B8."]),
    ]
    assert read_owners("path: value\nother: 2\n") == [("", ["path: value", "other: 2"])]
