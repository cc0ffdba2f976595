"""The Watch: what the full game adds to a Position, with the numbers of clans, wildlings, trails and clearings.

Tokens are under the pieces on the players' cards, in the pool, and face up when used. A face-down token has no value
until it is turned. Known instead is the shuffle it comes from: every token of one shuffle (a generation) is equally
likely to be any of those not yet turned. So turning tokens one by one is the same as shuffled piles, and nothing is
hidden from anybody.

Everything here is facts that are never changed; `wall`, `wall_wildlings` and the `hero_` modules say what becomes of
them. Players are known by their place at the table, hexes by their bit.
"""

from typing import Final, NamedTuple

from engine.brotherhood.hero_roster import Company
from engine.brotherhood.moves import CLANS, WILDLINGS

REGULAR: Final = 0
CLIMBER: Final = 1
GIANT: Final = 2

CLAN_AT: Final = {name: clan for clan, name in enumerate(CLANS)}

FIGURES: Final = (24, 8, 8)
"""Figures of each kind in the box."""
TOKENS: Final = (12, 4, 3)
"""Tokens of each kind that every clan has."""

SECTIONS: Final = 4
SPACES: Final = 5
"""Guard spaces on a section."""
GUARDS: Final = 7
"""Guards of each player."""
CAMPS: Final = 5
"""Camps of a clan area; the fifth is never held, for it sets off a rush."""

CLAN_OF: Final = (0, 0, 0, 0, 1, 1, 2, 2, 2)
"""The clan whose trail carries a number, 1 to 8 (nothing stands at 0)."""
CLEARING_OF: Final = (0, 0, 0, 1, 1, 2, 2, 3, 3)
"""The clearing to which the trail with a number leads; clearings are counted like the sections they face."""
LOWER: Final = (1, 4, 6)
"""The lowest number of each clan's western trail, over which the first of a rush goes."""
HIGHER: Final = (3, 5, 7)
"""The lowest number of each clan's eastern trail, over which the second goes."""

BREACHES: Final = 3
"""So many breaches end the game (BW-E2)."""
INVADERS: Final = 8
"""So many wildlings in the Gift end the game (BW-E2)."""


FACES: Final = tuple((clan, kind) for clan in CLANS for kind in WILDLINGS)
"""What a token can show; a count of tokens is a tuple in this order."""
FACE_AT: Final = {face: index for index, face in enumerate(FACES)}
Counts = tuple[int, ...]

BOX: Final[Counts] = TOKENS * len(CLANS)
NONE: Final[Counts] = (0,) * len(FACES)

UNDER_SETTLEMENTS: Final = 5
UNDER_KEEPS: Final = 4
EACH_KEEP: Final = 2


class TokenCard(NamedTuple):
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
    cards: tuple[TokenCard, ...]

    @property
    def newest(self) -> int:
        """The generation of the pool."""
        return len(self.unseen) - 1


def lay_tokens(players: int) -> Tokens:
    """The tokens shuffled for the first time: 13 on each card, the rest in the pool."""
    laid = UNDER_SETTLEMENTS + UNDER_KEEPS * EACH_KEEP
    return Tokens((BOX,), NONE, sum(BOX) - laid * players, (TokenCard(),) * players)


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


def _with_card(tokens: Tokens, who: int, card: TokenCard) -> Tokens:
    return tokens._replace(cards=(*tokens.cards[:who], card, *tokens.cards[who + 1 :]))


def _replenish(tokens: Tokens) -> Tokens:
    """Shuffle the used tokens into a new pool as soon as it is empty (BW-T5)."""
    if tokens.pool or not any(tokens.used):
        return tokens
    return tokens._replace(unseen=(*tokens.unseen, tokens.used), used=NONE, pool=sum(tokens.used))


def _add(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])


class WatchDue(NamedTuple):
    """A token that must be turned, or laid under a settlement that came back, before anything else happens."""

    source: str
    """``settlement``, ``keep``, ``pool``, or ``return``: a token of the pool goes under a settlement, unseen."""
    who: int
    generation: int = 0
    """The shuffle of a token from a card."""


class Watch(NamedTuple):
    """The Wall and both sides of it, the tokens, and the heroes."""

    sections: tuple[tuple[int, ...], ...]
    """The owners of the guards on each section of the Wall, space 1 first."""
    camps: tuple[tuple[int, ...], ...]
    """The kinds of the wildlings in each clan area, the hottest camp first."""
    clearings: tuple[int, ...]
    """The regular wildlings waiting in each clearing; no other kind ever waits."""
    gift: tuple[int, ...]
    """The hexes held by wildlings of each kind."""
    frostfangs: tuple[int, ...]
    """The figures of each kind that stand in the Frostfangs."""
    breaches: int
    tokens: Tokens
    due: tuple[WatchDue, ...]
    """What the last move still has to turn up, in order."""
    company: Company
    """The heroes."""

    @property
    def held(self) -> int:
        """The hexes that a wildling holds; they produce nothing."""
        regulars, climbers, giants = self.gift
        return regulars | climbers | giants

    @property
    def fallen(self) -> bool:
        """Whether the wildlings have ended the game (BW-E2)."""
        return self.breaches >= BREACHES or self.held.bit_count() >= INVADERS


def post_the_watch(players: int, first: int) -> Watch:
    """The Watch before anybody has placed anything (BW-S1)."""
    return Watch(
        sections=((),) * SECTIONS,
        camps=((),) * len(CLANS),
        clearings=(0,) * SECTIONS,
        gift=(0,) * len(FIGURES),
        frostfangs=FIGURES,
        breaches=0,
        tokens=lay_tokens(players),
        due=(),
        company=Company.assembled(players, first),
    )
