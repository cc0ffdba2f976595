"""The verdict on a ply: the one authority on what is legal in Through the Desert.

Each question is asked once, in the order of the rules, so the first answer names the most basic rule broken.
A refusal says what stands in the way and offers the nearest places that would do.
"""

from collections.abc import Mapping

from engine.game import Ply
from engine.through_the_desert import rules
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.legal import (
    camel_places,
    can_place,
    colour_used,
    first_round,
    holds,
    leader_colours,
    quota,
    settle,
    stranded,
)
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.position import CAMELS, COLOUR_AT, KINDS, LAST, LEADERS, OVER, REMOVAL, Position
from engine.verdict import Rule, Verdict

OFFERED = 3
"""How many legal places a refusal names."""


def judge(position: Position, ply: Ply) -> Verdict | None:
    """None if the ply is legal, else the first rule it breaks."""
    position = settle(position)
    seat, move = ply
    ground = position.ground
    if position.phase == OVER:
        return Verdict(
            rules.S1, "the game is over: nothing can be played after turn {turn}", {"turn": position.turn - 1}
        )
    due = ground.seats[position.who]
    if seat != due:
        return _wrong_seat(position, ply, due)
    if type(move) is Camel:
        return _judge_camel(position, move)
    if type(move) is Leader:
        return _judge_leader(position, move)
    if type(move) is Remove:
        return _judge_removal(position, move)
    if type(move) is Pass:
        return _judge_pass(position)
    raise TypeError(f"not a move of this game: {move!r}")


def _wrong_seat(position: Position, ply: Ply, due: str) -> Verdict:
    seats = position.ground.seats
    seat, move = ply
    facts = {"seat": seat, "due": due, "turn": position.turn}
    if seat not in seats:
        return Verdict(rules.P1, "{seat} does not sit at this table; it is {due}'s turn", facts)
    if position.phase in (CAMELS, LAST) and position.placed:
        return Verdict(rules.T3, "{due} has a camel still to place in turn {turn}", facts)
    finished = position.turn - 1
    if position.phase in (CAMELS, LAST) and seat == seats[position.who - 1] and finished >= position.ground.camel_turn:
        if finished < position.ground.full_turn:
            return Verdict(rules.T2, "{seat} has one camel only in this first turn; now {due} plays", facts)
        if type(move) is Camel:
            facts |= {"colour": move.colour, "space": move.space}
            return Verdict(rules.T1, "{seat}'s turn is over before {colour} {space}; then {due} plays", facts)
        return Verdict(rules.T1, "{seat}'s turn is over; now {due} plays", facts)
    return Verdict(rules.P1, "it is {due}'s turn, not {seat}'s", facts)


def _judge_camel(position: Position, move: Camel) -> Verdict | None:
    if position.phase not in (CAMELS, LAST):
        return _too_early(position)
    colour = COLOUR_AT.get(move.colour)
    if colour is None or not position.herd(colour):
        return _refuse_camel(position, move, rules.C6, "the {colour} herd has no camel left")
    site = position.ground.sites.get(move.space)
    if site is None or not site.bit & position.free:
        return _no_room(position, move)
    own = position.camels[position.who * KINDS + colour]
    if not site.near & own:
        return _refuse_camel(position, move, rules.C2, "{space} touches no {colour} camel of {seat}'s")
    for index, caravan in enumerate(position.camels[colour::KINDS]):
        if site.near & caravan and index != position.who:
            return _beside_rival(position, move, index)
    return None


def _beside_rival(position: Position, move: Camel, rival: int) -> Verdict:
    grid = position.ground.grid
    theirs = position.camels[rival * KINDS + COLOUR_AT[move.colour]]
    at = grid.spaces(position.ground.sites[move.space].near & theirs)[0]
    facts = {"rival": position.ground.seats[rival], "at": at}
    return _refuse_camel(position, move, rules.C3, "{space} touches {rival}'s {colour} camel at {at}", facts)


def _no_room(position: Position, move: Camel) -> Verdict:
    obstacle = _obstacle(position, move.space)
    if obstacle is not None:
        return _refuse_camel(position, move, rules.C1, *obstacle)
    bit = position.ground.sites[move.space].bit
    area = next(area for area in position.areas if area.spaces & bit)
    facts = {"owner": position.ground.seats[area.who], "since": area.turn}
    return _refuse_camel(
        position, move, rules.C5, "{space} lies in the area that {owner} enclosed in turn {since}", facts
    )


def _obstacle(position: Position, space: str) -> tuple[str, dict[str, object]] | None:
    """Why nothing can stand on a space, as a sentence and its facts; None if it is free or only enclosed."""
    ground = position.ground
    site = ground.sites.get(space)
    if site is None:
        on_map = space in ground.grid.bits
        return (
            "{space} is a mountain or out of play" if on_map else "there is no space {space} on this board",
            {},
        )
    if site.bit & ground.oases:
        return "an oasis stands at {space}", {}
    for index, caravan in enumerate(position.camels):
        if site.bit & caravan:
            owner, colour = ground.seats[index // KINDS], COLOURS[index % KINDS]
            return "{owner}'s {other} camel stands at {space}", {"owner": owner, "other": colour}
    return None


def _refuse_camel(
    position: Position, move: Camel, rule: Rule, says: str, facts: Mapping[str, object] | None = None
) -> Verdict:
    seat = position.ground.seats[position.who]
    everything = {"space": move.space, "colour": move.colour, "seat": seat, **(facts or {})}
    return Verdict(rule, says, everything, instead=_nearest_camels(position, move))


def _nearest_camels(position: Position, move: Camel) -> tuple[Camel, ...]:
    """Legal camels nearest to the one refused: of its caravan if that can grow, else of any."""
    grid = position.ground.grid

    def places(colour: int) -> list[Camel]:
        spaces = grid.spaces(camel_places(position, position.who, colour))
        return [Camel(COLOURS[colour], space) for space in spaces]

    wanted = COLOUR_AT.get(move.colour)
    found = places(wanted) if wanted is not None else []
    if not found:
        found = [camel for colour in range(KINDS) for camel in places(colour)]
    if move.space in grid.bits:
        found.sort(key=lambda camel: grid.distance(camel.space, move.space))
    return tuple(found[:OFFERED])


def _judge_leader(position: Position, move: Leader) -> Verdict | None:
    if position.phase in (CAMELS, LAST):
        return _too_late(position, rules.L1, Camel(move.colour, move.space))
    if position.phase != LEADERS:
        return _too_early(position)
    who, ground = position.who, position.ground
    facts: dict[str, object] = {"space": move.space, "colour": move.colour, "seat": ground.seats[who]}
    colour = COLOUR_AT.get(move.colour)
    if colour is None or not holds(position, who, colour):
        gone = colour is not None and not position.leaders[who * KINDS + colour]
        rule = rules.P2 if gone else rules.L1
        says = "{seat} took the {colour} leader out of the game" if gone else "{seat} has no {colour} leader in hand"
        return Verdict(rule, says, facts, instead=_nearest_leaders(position, move))
    if first_round(position):
        if colour_used(position, colour):
            says = "a {colour} leader was placed in this first round already"
            return Verdict(rules.L5, says, facts, instead=_nearest_leaders(position, move))
        left = stranded(position, colour)
        if left is not None:
            says = "{colour} would leave {later} no colour for this first round"
            facts["later"] = ground.seats[left]
            return Verdict(rules.L5, says, facts, instead=_nearest_leaders(position, move))
    return _judge_leader_space(position, move, facts)


def _judge_leader_space(position: Position, move: Leader, facts: dict[str, object]) -> Verdict | None:
    ground = position.ground
    grid = ground.grid
    obstacle = _obstacle(position, move.space)
    if obstacle is not None:
        rule, says, more = rules.L2, *obstacle
    else:
        site = ground.sites[move.space]
        beside = next((index for index, leader in enumerate(position.leaders) if leader & site.near), None)
        if site.bit & ground.wet:
            rule, says, more = rules.L2, "a waterhole lies at {space}", {}
        elif site.near & ground.oases:
            more = {"at": grid.spaces(site.near & ground.oases)[0]}
            rule, says = rules.L3, "{space} touches the oasis at {at}"
        elif beside is not None:
            owner, other = ground.seats[beside // KINDS], COLOURS[beside % KINDS]
            more = {"owner": owner, "other": other, "at": grid.spaces(position.leaders[beside])[0]}
            rule, says = rules.L4, "{space} touches {owner}'s {other} leader at {at}"
        else:
            return None
    return Verdict(rule, says, {**facts, **more}, instead=_nearest_leaders(position, move))


def _nearest_leaders(position: Position, move: Leader) -> tuple[Leader, ...]:
    grid = position.ground.grid
    colours = [COLOURS[colour] for colour in leader_colours(position)]
    spaces = grid.spaces(position.leader_ground())
    colour = move.colour if move.colour in colours else colours[0]
    if move.space in grid.bits:
        spaces.sort(key=lambda space: grid.distance(space, move.space))
    return tuple(Leader(colour, space) for space in spaces[:OFFERED])


def _judge_removal(position: Position, move: Remove) -> Verdict | None:
    if position.phase in (CAMELS, LAST):
        return _too_late(position, rules.P2, Camel(move.colour, ""))
    if position.phase != REMOVAL:
        return _too_early(position)
    colour = COLOUR_AT.get(move.colour)
    if colour is not None and colour not in position.removed:
        return None
    still_open = tuple(Remove(name) for index, name in enumerate(COLOURS) if index not in position.removed)
    if colour is None:
        return Verdict(rules.P2, "there are no {colour} leaders", {"colour": move.colour}, instead=still_open)
    facts = {"colour": move.colour, "rival": position.ground.seats[position.removed.index(colour)]}
    return Verdict(rules.P2, "{rival} has already taken out {colour}", facts, instead=still_open)


def _judge_pass(position: Position) -> Verdict | None:
    if position.phase not in (CAMELS, LAST):
        return _too_early(position)
    if not can_place(position, position.who):
        return None
    grid = position.ground.grid
    colour = next(colour for colour in range(KINDS) if camel_places(position, position.who, colour))
    space = grid.spaces(camel_places(position, position.who, colour))[0]
    facts = {"seat": position.ground.seats[position.who], "example": f"{COLOURS[colour]} {space}"}
    says = "{seat} can still place a camel, for example {example}"
    return Verdict(rules.T3, says, facts, instead=(Camel(COLOURS[colour], space),))


def _too_early(position: Position) -> Verdict:
    """What comes before the camels is not finished."""
    facts = {"seat": position.ground.seats[position.who], "camels": quota(position)}
    if position.phase == REMOVAL:
        return Verdict(rules.P2, "{seat} must first take one leader out of the game", facts)
    return Verdict(rules.L1, "{seat} places a leader now; camels follow when all leaders stand", facts)


def _too_late(position: Position, rule: Rule, wanted: Camel) -> Verdict:
    """What comes before the camels is over; offered are camels like what was wanted."""
    facts = {"seat": position.ground.seats[position.who], "camels": quota(position)}
    says = "{seat} places camels now; all leaders stand"
    return Verdict(rule, says, facts, instead=_nearest_camels(position, wanted))
