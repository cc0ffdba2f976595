"""Letters to Through the Desert as the post reads them, for tests of what lines mean together."""

from engine.through_the_desert import GAME
from pbem.mail.commands import commands
from pbem.mail.commands.parse_letter import Orders, read_orders

PLAY = commands.Play("lilac F4, salmon C9")


def read(*lines: str) -> Orders:
    """What a letter of some lines asks for."""
    return read_orders("\n".join(lines), game=GAME)


def question(*lines: str) -> str:
    """The code of the question that a letter raises; with a question nothing is done."""
    orders = read(*lines)
    assert orders.question is not None, orders.commands
    assert orders.commands == ()
    assert "{" not in orders.question.detail
    return orders.question.rule.code
