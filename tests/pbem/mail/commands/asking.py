"""Letters to Through the Desert as the post reads them, for tests of what lines mean together."""

from engine.through_the_desert import GAME
from pbem.mail.commands.parse_letter import ParsedLetter, parse_commands
from pbem.mail.commands.submit_moves import Play

PLAY = Play("lilac F4, salmon C9")


def read(*lines: str) -> ParsedLetter:
    """What a letter of some lines asks for."""
    return parse_commands("\n".join(lines), game=GAME)


def outcome(*lines: str) -> str:
    """What becomes of a letter with the usual move: played, pencilled or asked."""
    parsed = read(*lines)
    assert (parsed.commands or parsed.pencilled) in ((), (PLAY,))
    return "pencilled" if parsed.pencilled else "played" if parsed.commands else "asked"


def question(*lines: str) -> str:
    """The code of the question that a letter raises; with a question nothing is done."""
    parsed = read(*lines)
    assert parsed.question is not None, parsed.commands
    assert parsed.commands == ()
    assert "{" not in parsed.question.detail
    return parsed.question.rule.code
