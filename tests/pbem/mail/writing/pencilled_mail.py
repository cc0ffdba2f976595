"""The answer to a letter whose move is pencilled."""

from datetime import timedelta

from engine.chance import KeyedDealer
from pbem.mail.commands.command import CommandContext
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.pencil import PencilMove
from pbem.mail.commands.pencilled_letters import pencil_in
from pbem.mail.writing.occasions import ReplyMail
from pbem.tables.play import find_pending
from tests.post.mailed_games import NOW, Game


def pencil_of(game: Game, seat: str, words: str) -> ReplyMail:
    """What comes of a letter whose move is pencilled."""
    parsed = pencil_in(parse_commands(words, game=game.table.game, pending=find_pending(game.table, seat)))
    until = (NOW + timedelta(hours=2, minutes=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    moment = CommandContext(NOW, KeyedDealer(b"pencil"), letter="ab" * 32, pencil_until=until)
    outcomes = tuple((command, command.decide(game.table, seat, moment)) for command in parsed.commands)
    assert any(isinstance(command, PencilMove) for command in parsed.commands)
    return ReplyMail(parsed, outcomes, words)
