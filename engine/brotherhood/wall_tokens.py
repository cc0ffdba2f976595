"""The wildling tokens: under the pieces on the players' cards, in the pool, and face up when used.

A face-down token has no value until somebody turns it. What is known instead is the shuffle it comes from: every
token of one shuffle (a generation) is equally likely to be any of those not yet turned. So turning tokens one by one
is exactly the shuffled piles of the box, and nothing is hidden from anybody. Who turns them is not known here.
"""

from typing import Final, NamedTuple

from engine.brotherhood.moves import CLANS, WILDLINGS
from engine.brotherhood.north import TOKENS

FACES: Final = tuple((clan, kind) for clan in CLANS for kind in WILDLINGS)
"""What a token can show; a count of tokens is a tuple in this order."""
FACE_AT: Final = {face: index for index, face in enumerate(FACES)}
Counts = tuple[int, ...]

BOX: Final[Counts] = TOKENS * len(CLANS)
NONE: Final[Counts] = (0,) * len(FACES)

UNDER_SETTLEMENTS: Final = 5
UNDER_KEEPS: Final = 4
EACH_KEEP: Final = 2


class Card(NamedTuple):
    """One player's building card: the tokens under the pieces that are still on it."""

    settlements: tuple[int, ...] = (0,) * UNDER_SETTLEMENTS
    """The generation of the token under each settlement, the one lying longest first (BW-T7)."""
    keeps: int = UNDER_KEEPS
    """Keeps never come back, so their tokens, two each, are of the first shuffle."""


class Tokens(NamedTuple):
    """All 57 tokens. Those of one generation that nobody has seen are counted in `unseen`, wherever they lie."""

    unseen: tuple[Counts, ...]
    used: Counts
    pool: int
    """How many lie in the pool; they are of the newest generation."""
    cards: tuple[Card, ...]

    @property
    def newest(self) -> int:
        """The generation of the pool."""
        return len(self.unseen) - 1


def lay_tokens(players: int) -> Tokens:
    """The tokens shuffled for the first time: 13 on each card, the rest in the pool."""
    laid = UNDER_SETTLEMENTS + UNDER_KEEPS * EACH_KEEP
    return Tokens((BOX,), NONE, sum(BOX) - laid * players, (Card(),) * players)


def lift_settlement(tokens: Tokens, who: int) -> tuple[Tokens, int]:
    """Take a settlement off a player's card: the tokens without the one that lay under it, and its generation."""
    card = tokens.cards[who]
    return _with_card(tokens, who, card._replace(settlements=card.settlements[1:])), card.settlements[0]


def lift_keep(tokens: Tokens, who: int) -> Tokens:
    """Take a keep and its two tokens, both of the first generation, off a player's card."""
    card = tokens.cards[who]
    return _with_card(tokens, who, card._replace(keeps=card.keeps - 1))


def pool_unseen(tokens: Tokens, who: int) -> Tokens:
    """Take a settlement off a card in set-up; its token joins the pool unseen (BW-S2)."""
    lifted, _ = lift_settlement(tokens, who)
    return lifted._replace(pool=tokens.pool + 1)


def lay_back(tokens: Tokens, who: int) -> Tokens:
    """Put a settlement back on a card with a token from the pool under it."""
    card = tokens.cards[who]
    laid = _with_card(tokens, who, card._replace(settlements=(*card.settlements, tokens.newest)))
    return _replenish(laid._replace(pool=tokens.pool - 1))


def turn_token(tokens: Tokens, generation: int, face: int) -> Tokens:
    """Turn a token that was taken off a card; it is used, and lies face up."""
    counts = tokens.unseen[generation]
    unseen = (*tokens.unseen[:generation], _add(counts, face, -1), *tokens.unseen[generation + 1 :])
    return _replenish(tokens._replace(unseen=unseen, used=_add(tokens.used, face, 1)))


def turn_pooled(tokens: Tokens, face: int) -> Tokens:
    """Turn a token of the pool."""
    return turn_token(tokens._replace(pool=tokens.pool - 1), tokens.newest, face)


def _with_card(tokens: Tokens, who: int, card: Card) -> Tokens:
    return tokens._replace(cards=(*tokens.cards[:who], card, *tokens.cards[who + 1 :]))


def _replenish(tokens: Tokens) -> Tokens:
    """Shuffle the used tokens into a new pool as soon as it is empty (BW-T5)."""
    if tokens.pool or not any(tokens.used):
        return tokens
    return tokens._replace(unseen=(*tokens.unseen, tokens.used), used=NONE, pool=sum(tokens.used))


def _add(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])
