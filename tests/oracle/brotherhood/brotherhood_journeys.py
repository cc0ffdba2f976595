"""Random games of the Watch in which every kind of move is as likely as any other that can be made."""

from functools import cache

from engine import CHANCE, KeyedDealer, Ply, Setup, Verdict
from engine.brotherhood.full_game import GAME
from engine.brotherhood.position import Position


@cache
def journey(name: str, players: int) -> tuple[list[Position], list[Ply]]:
    """The positions of the game of a name, and the plies between them."""
    dealer = KeyedDealer(name.encode())
    position = GAME.start(GAME.lay_out(Setup(GAME.seats[:players]), dealer))
    assert not isinstance(position, Verdict)
    positions, plies = [position], []
    while due := GAME.to_act(position):
        if CHANCE in due:
            ply = GAME.deal(position, dealer)
        else:
            kinds: dict[str, list[Ply]] = {}
            for choice in GAME.legal(position):
                kinds.setdefault(type(choice.move).__name__, []).append(choice)
            choices = kinds[sorted(kinds)[dealer.pick(len(kinds), "kind")]]
            ply = choices[dealer.pick(len(choices), "choice")]
        position = GAME.apply(position, ply)
        positions.append(position)
        plies.append(ply)
    return positions, plies
