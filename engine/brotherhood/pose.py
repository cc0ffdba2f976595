"""A position of the Brotherhood that is stated: pieces, cards and guards of each seat, the turn, and the wildlings.

The set-up is over and nothing is left to settle. Supply, deck and Frostfangs hold what nobody has and is not gone. The
tokens of pieces on the board lie in the pool, unseen. Longest Road and Largest Patrol belong to the player who has
most; if several have, to nobody.
"""

from typing import Final

from engine.brotherhood.building import KEEPS, ROADS, SETTLEMENTS
from engine.brotherhood.hands import CARD, EACH, KIND, ONE, RANGER, covers, pack
from engine.brotherhood.hero_roster import HERO_AT, Holding
from engine.brotherhood.longest_road import SHORTEST, measure
from engine.brotherhood.moves import WILDLINGS
from engine.brotherhood.position import BUILD, CAMP, NOBODY, TRADE, Position
from engine.brotherhood.table import GOAL, WorkingPosition
from engine.brotherhood.wall_state import (
    BREACHES,
    CAMPS,
    CLAN_AT,
    FIGURES,
    GUARDS,
    SECTIONS,
    SPACES,
    Watch,
    lift_keep,
    pool_unseen,
)
from engine.pose import LATEST, TABLE, Clauses, Misplaced, Stated, read_clauses

_TABLE: Final = ("turn", "rolled", "building", "tormund", "gone")
_WATCH_TABLE: Final = (*_TABLE, "wall", "held", "camps", "clearings", "breaches")
_SEAT: Final = ("settlements", "keeps", "roads", "hand", "cards", "patrols")
_WATCH_SEAT: Final = (*_SEAT, "hero")
_KIND_AT: Final = {name: kind for kind, name in enumerate(WILDLINGS)}
FEWEST_RANGERS: Final = 3
"""So many Rangers face up bring Largest Patrol (BB-C11)."""


def pose(position: Position, stated: Stated) -> Position | Misplaced:
    """The position with what the table and each seat state."""
    table = WorkingPosition(position)
    _clear(table)
    wrong = _state_table(table, stated)
    for who, seat in enumerate(table.ground.seats):
        if wrong is None:
            clauses = read_clauses(stated, seat, _WATCH_SEAT if table.watch else _SEAT)
            wrong = clauses if isinstance(clauses, Misplaced) else _state_seat(table, who, clauses)
    if wrong is not None:
        return wrong
    for who in range(table.players):
        measure(table, who)
    table.longest = _most(table.lengths, SHORTEST)
    table.largest = _most(table.patrols, FEWEST_RANGERS)
    if any(table.points(who) >= GOAL for who in range(table.players)):
        return Misplaced("somebody has ten points, so the game is over")
    if table.watch is not None and table.watch.fallen:
        return Misplaced("the Wall has fallen, so the game is over")
    return table.position()


def _clear(table: WorkingPosition) -> None:
    """Take everything off the board and out of hands."""
    nothing = [0] * table.players
    table.hands, table.cards, table.patrols = [*nothing], [*nothing], [*nothing]
    table.settlements, table.keeps, table.roads, table.ends = [*nothing], [*nothing], [*nothing], [*nothing]
    table.closed = table.paved = 0
    table.supply, table.deck = pack((EACH,) * len(KIND)), table.law.deck


def _state_table(table: WorkingPosition, stated: Stated) -> Misplaced | None:
    """The turn, how far it has come, Tormund, and what stands at the Wall and beyond."""
    clauses = read_clauses(stated, TABLE, _WATCH_TABLE if table.watch else _TABLE)
    if isinstance(clauses, Misplaced):
        return clauses
    first = table.ground.placements + 1
    turn = clauses.number("turn", first, range(first, LATEST + 1))
    if isinstance(turn, Misplaced):
        return turn
    table.begin_turn(turn)
    faces = table.law.faces
    dice = clauses.words("rolled")
    if "rolled" in clauses:
        if len(dice) != len(faces) or not all(
            die.isascii() and die.isdigit() and 1 <= int(die) <= face for die, face in zip(dice, faces, strict=True)
        ):
            return clauses.misplaced("rolled needs one number for each of {count} dice", {"count": len(faces)})
        table.dice = tuple(map(int, dice))
        table.stage = BUILD if "building" in clauses else TRADE
    elif "building" in clauses:
        return clauses.misplaced("nobody builds before the roll; say what was rolled")
    if "tormund" in clauses:
        at = " ".join(clauses.words("tormund"))
        if at not in table.chart.hex_of and not (at == "camp" and table.watch):
            return clauses.misplaced("Tormund cannot stand at {hex}", {"hex": at})
        table.tormund = table.chart.hex_of.get(at, CAMP)
    gone = _counted(clauses, "gone", CARD)
    if isinstance(gone, Misplaced):
        return gone
    if not covers(table.deck, gone):
        return clauses.misplaced("there are not so many cards in the box")
    table.deck -= gone
    return _state_wall(table, clauses, table.watch) if table.watch is not None else None


def _state_wall(table: WorkingPosition, clauses: Clauses, watch: Watch) -> Misplaced | None:
    """Guards, wildlings and breaches."""
    odd = clauses.misplaced
    sections: list[tuple[int, ...]] = [()] * SECTIONS
    for word in clauses.words("wall"):
        number, _, owners = word.partition("=")
        names = owners.split("+")
        if number not in ("1", "2", "3", "4") or len(names) > SPACES or not {*names} <= table.ground.place.keys():
            return odd("{word} is not a section with its guards from space 1 on; write 2=red+blue", {"word": word})
        sections[int(number) - 1] = tuple(table.ground.place[name] for name in names)
    everybody = [owner for section in sections for owner in section]
    if any(everybody.count(who) > GUARDS for who in range(table.players)):
        return odd("nobody has more than seven guards")
    gift, clearings = [0] * len(FIGURES), [0] * SECTIONS
    camps: list[tuple[int, ...]] = [()] * len(watch.camps)
    used = [0] * len(FIGURES)
    for word in clauses.words("held"):
        letter, _, name = word.partition("=")
        if letter not in table.chart.hex_of or name not in _KIND_AT or sum(gift) >> table.chart.hex_of[letter] & 1:
            return odd("{word} is not a hex with its wildling; write A=climber", {"word": word})
        gift[_KIND_AT[name]] |= 1 << table.chart.hex_of[letter]
        used[_KIND_AT[name]] += 1
    for word in clauses.words("camps"):
        clan, _, members = word.partition("=")
        names = members.split("+")
        if clan not in CLAN_AT or len(names) >= CAMPS or not {*names} <= _KIND_AT.keys():
            return odd("{word} is not a clan with at most four wildlings; write hornfoot=regular+giant", {"word": word})
        camps[CLAN_AT[clan]] = tuple(_KIND_AT[name] for name in names)
        for name in names:
            used[_KIND_AT[name]] += 1
    for word in clauses.words("clearings"):
        number, _, count = word.partition("=")
        if number not in ("1", "2", "3", "4") or not (count.isascii() and count.isdigit()):
            return odd("{word} is not a clearing with its regulars; write 2=1", {"word": word})
        clearings[int(number) - 1] = int(count)
        if int(count) > len(sections[int(number) - 1]):
            return odd("more regulars wait in clearing {number} than guards stand there", {"number": number})
        used[0] += int(count)
    breaches = clauses.number("breaches", 0, range(BREACHES))
    if isinstance(breaches, Misplaced):
        return breaches
    left = tuple(figures - some for figures, some in zip(FIGURES, used, strict=True))
    if min(left) < 0:
        return odd("there are not so many wildlings in the box")
    table.watch = watch._replace(
        sections=tuple(sections),
        camps=tuple(camps),
        clearings=tuple(clearings),
        gift=tuple(gift),
        frostfangs=left,
        breaches=breaches,
    )
    return None


def _state_seat(table: WorkingPosition, who: int, clauses: Clauses) -> Misplaced | None:
    """The pieces, cards and hero of a player."""
    return _build(table, who, clauses) or _deal(table, who, clauses) or _appoint(table, who, clauses)


def _build(table: WorkingPosition, who: int, clauses: Clauses) -> Misplaced | None:
    chart = table.chart
    for kind, most, built in (("settlements", SETTLEMENTS, table.settlements), ("keeps", KEEPS, table.keeps)):
        if len(clauses.words(kind)) > most:
            return clauses.misplaced("there are only {most} {kind} of each player", {"most": most, "kind": kind})
        for word in clauses.words(kind):
            spot = int(word) if word.isascii() and word.isdigit() else 0
            if not spot or not chart.spots >> spot & 1 or table.closed >> spot & 1:
                return clauses.misplaced("nothing can be built at {spot}, or beside what stands there", {"spot": word})
            built[who] |= 1 << spot
            table.closed |= 1 << spot | chart.near[spot]
    if len(clauses.words("roads")) > ROADS:
        return clauses.misplaced("there are only {most} {kind} of each player", {"most": ROADS, "kind": "roads"})
    for word in clauses.words("roads"):
        one, _, two = word.partition("-")
        ends = sorted(int(end) for end in (one, two) if end.isascii() and end.isdigit())
        path = chart.path_of.get((ends[0], ends[1])) if len(ends) == 2 else None
        if path is None or table.paved >> path & 1:
            return clauses.misplaced("no road can lie at {path}", {"path": word})
        table.roads[who] |= 1 << path
        table.ends[who] |= chart.ends[path]
        table.paved |= 1 << path
    if table.watch is not None:
        tokens = table.watch.tokens
        for _ in clauses.words("settlements"):
            tokens = pool_unseen(tokens, who)
        for _ in clauses.words("keeps"):
            tokens = lift_keep(tokens, who)
            tokens = tokens._replace(pool=tokens.pool + 2)
        table.watch = table.watch._replace(tokens=tokens)
    return None


def _deal(table: WorkingPosition, who: int, clauses: Clauses) -> Misplaced | None:
    patrols = clauses.number("patrols", 0, range(15))
    if isinstance(patrols, Misplaced):
        return patrols
    hand, cards = _counted(clauses, "hand", KIND), _counted(clauses, "cards", CARD)
    if isinstance(hand, Misplaced):
        return hand
    if isinstance(cards, Misplaced):
        return cards
    drawn = cards + patrols * ONE[RANGER]
    if not covers(table.supply, hand) or not covers(table.deck, drawn):
        return clauses.misplaced("there are not so many cards in the box")
    table.hands[who], table.cards[who], table.patrols[who] = hand, cards, patrols
    table.supply -= hand
    table.deck -= drawn
    return None


def _counted(clauses: Clauses, clause: str, kinds: dict[str, int]) -> int | Misplaced:
    """Cards written as amounts and kinds: ``2 brick 1 wool``."""
    words = clauses.words(clause)
    held = 0
    for amount, name in zip(words[::2], (*words[1::2], ""), strict=False):
        if name not in kinds or not (amount.isascii() and amount.isdigit()) or int(amount) > EACH:
            facts = {"clause": clause, "kinds": ", ".join(kinds)}
            return clauses.misplaced("{clause} needs amounts and kinds, of {kinds}", facts)
        held += int(amount) * ONE[kinds[name]]
    return held


def _appoint(table: WorkingPosition, who: int, clauses: Clauses) -> Misplaced | None:
    """The hero before a player, on side A or B."""
    words = clauses.words("hero")
    if "hero" not in clauses or table.watch is None:
        return None
    name, _, side = " ".join(words).rpartition("-")
    company = table.watch.company
    if name not in HERO_AT or side not in ("A", "B"):
        return clauses.misplaced("{hero} is not a hero with its side; write mance-A", {"hero": " ".join(words)})
    before = company.holder(HERO_AT[name])
    if before not in (None, who):
        facts = {"hero": name, "seat": table.ground.seats[before or 0]}
        return clauses.misplaced("{hero} lies before {seat}", facts)
    holdings = list(company.holdings)
    holdings[who] = Holding(HERO_AT[name], worn=side == "B")
    table.watch = table.watch._replace(company=company._replace(holdings=tuple(holdings)))
    return None


def _most(counts: list[int], fewest: int) -> int:
    """The only place with most, if it has enough; else nobody."""
    best = max(counts)
    return counts.index(best) if best >= fewest and counts.count(best) == 1 else NOBODY
