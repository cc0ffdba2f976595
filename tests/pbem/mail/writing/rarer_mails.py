"""Mails that are seldom written: with those of `conftest` they are a mail of every kind."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from engine.chance import KeyedDealer
from pbem.events.chain import Draft
from pbem.events.codec import decode
from pbem.mail.commands.command import CommandContext
from pbem.mail.commands.consent import Agree, Object
from pbem.mail.commands.parse_letter import ParsedLetter, parse_commands
from pbem.mail.commands.press import Press, Report
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.occasions import (
    DoubtMail,
    GameOverMail,
    NewsMail,
    NoticeMail,
    Occasion,
    ReplyMail,
    ReportMail,
    TurnMail,
    UnchangedMail,
    WordsMail,
)
from pbem.tables.decision import HeardPress, PressMessage, PressReport
from pbem.tables.table import Table
from tests.post.mailed_games import NOW, Game, watched

WHISPER = "Shall we stop green?\nI take the east."
RECEIPT = ("pbm-receipt-2", "post caravan@post.example", "signature (signed)")
ORDERS = (
    "rule xyzzy",
    "fewer mails",
    "proof",
    "mute blue",
    "unmute blue",
    "undo",
    "draw",
    "pause",
    "resign",
    "plain on here",
)


def reply_to(game: Game, seat: str, words: str, **facts: Any) -> ReplyMail:
    """What comes of a letter with these words, with more that a reply may say."""
    parsed = parse_commands(words, game=game.table.game)
    outcomes = tuple((command, game.do(seat, command)) for command in parsed.commands)
    return replace(ReplyMail(parsed, outcomes, words), **facts)


def rarer_occasions(game: Game) -> Iterator[tuple[str, Table, str, Occasion]]:
    """Their names, tables, readers and occasions; `game` is one of four in which red is to play turn 61."""
    for words in ORDERS:
        asked = Game(list(game.events))
        reply = reply_to(asked, "red", words, receipt=RECEIPT)
        yield f"asked, {words}", asked.table, "red", reply
    for words in ("agree pause", "object pause"):
        asked = Game(list(game.events))
        reply_to(asked, "blue", "pause")
        reply = reply_to(asked, "red", words)
        yield f"asked, {words}", asked.table, "red", reply
    stopped = Game(list(game.events))
    stopped.apply_events([Draft(decode("paused", {"reason": "vote", "by": "referee"}))])
    reply = reply_to(stopped, "red", "resume")
    yield "asked, resume", stopped.table, "red", reply
    yield "long letter", game.table, "red", reply_to(Game(list(game.events)), "red", "status", cut_short=True)
    yield from _words(game)
    yield from _notices(game)
    yield from _turns(game)
    yield from _orders()


def _words(game: Game) -> Iterator[tuple[str, Table, str, Occasion]]:
    """Words that are passed on, reported, and answered to who reports them."""
    said = Game(list(game.events))
    said.do("blue", Press("all", "You are all camels!"))
    heard = HeardPress(len(said.events), "blue", "all", NOW - timedelta(hours=3))
    report = PressReport("red", heard, "We do not talk like that here.")
    yield "words", said.table, "red", WordsMail(PressMessage("blue", "all", "You are all camels!"), heard.number)
    yield "reported", said.table, "referee", ReportMail(report, "You are all camels!")
    yield "reported-in-private", said.table, "referee", ReportMail(replace(report, heard=replace(heard, to="red")))
    moment = CommandContext(NOW, KeyedDealer(b"report"), heard=(heard,))
    command = Report(who="blue")
    decision = command.decide(said.table, "red", moment)
    yield "asked, report", said.table, "red", ReplyMail(ParsedLetter((command,)), ((command, decision),), "report blue")


def _notices(game: Game) -> Iterator[tuple[str, Table, str, Occasion]]:
    """Notices, letters that changed nothing, and doubtful ones."""
    yield "notice-of-an-appeal", game.table, "referee", NoticeMail("appeal", "blue", "case 1, turn 60: haikara lentää")
    events = tuple(game.events[-2:])
    yield "notice-of-a-move-and-more", game.table, "red", NoticeMail("played for", about="lilac N5 M6", since=events)
    yield "turn-after-our-move", game.table, "red", TurnMail(events, played="lilac N5 M6")
    yield "notice-of-a-free-seat", game.table, "referee", NoticeMail("substitute wanted", "blue")
    yield "notice-of-a-lost-seat", game.table, "red", NoticeMail("forfeited", "red")
    yield "notice-of-lost-events", game.table, "red", NoticeMail("rollback", about="63")
    yield "notice-of-an-old-copy", game.table, "referee", NoticeMail("rollback-referee", about="63")
    yield "seen-before", game.table, "red", UnchangedMail("same-letter", RECEIPT)
    tables = (("sirocco-7", NOW + timedelta(days=1)), ("sirocco-8", None))
    yield "no-ticket", game.table, "red", UnchangedMail("no-ticket", waiting=tables)
    yield "watching", game.table, "observer-1", UnchangedMail("watching")
    yield "watched", game.table, "observer-1", NewsMail(tuple(game.events[-2:]))
    yield "doubt-about-the-sender", game.table, "red", DoubtMail("other-sender")


def _turns(game: Game) -> Iterator[tuple[str, Table, str, Occasion]]:
    """Turn mails that answer a letter as well, answers with what followed, and an end with its record."""
    played = Game(list(game.events))
    reply = reply_to(played, "red", "lilac N5, lilac M6", receipt=RECEIPT)
    yield "receipt-with-news", played.table, "red", replace(reply, after=tuple(game.events[-2:]))
    again = reply.outcomes[0][1]
    yield "turn-again", game.table, "red", TurnMail(game.since("red"), reply=reply)
    yield "turn-resumed", game.table, "red", TurnMail(game.since("red"), resumed=again)
    yield "receipt-resumed", played.table, "red", replace(reply, resumed=again)
    ended = Game(list(game.events)).play(200)
    yield "game-over-with-record", ended.table, "red", GameOverMail(ended.since("red"), "[Game through-the-desert]\n")
    undone = Game(list(game.events))
    undone.do("blue", Object("undo"))
    undone.do("red", Agree("undo"))
    yield "refused-agree", undone.table, "red", reply_to(undone, "red", "agree undo")
    waits = Game(list(game.events))
    yield "own-plan", waits.table, "blue", reply_to(waits, "blue", "plan lilac A1\n\nvacation none")
    waits.do("red", Play("lilac N5 M6"))
    reply = reply_to(waits, "blue", "appeal: that was not legal")
    yield "own-appeal", waits.table, "blue", reply


def _orders() -> Iterator[tuple[str, Table, str, Occasion]]:
    """Standing orders."""
    market = Game(list(watched("brotherhood", "market")))
    (builder,) = market.table.due
    yield "standing", market.table, builder, reply_to(market, builder, "standing no trades\nstanding auto-roll")
    yield "no standing", market.table, builder, reply_to(market, builder, "standing none")
