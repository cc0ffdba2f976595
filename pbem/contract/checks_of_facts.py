"""Checks of what a game says about itself, who may sit down to it, and how its moves are written."""

import re
from collections.abc import Sequence
from typing import Final

from engine import CHANCE, PUBLIC, GameRules, KeyedDealer, Setup, Verdict, registry
from notation import WORDS, read_moves, read_text, write_moves
from pbem.contract.playouts import ContractError, expect, lay_out, playouts, some_positions

KEY_RULE: Final = "a game's key is small letters and digits, begins with a letter, and joins words by hyphens"
_RULE_CODE: Final = re.compile(r"[A-Z]{2,3}-[A-Z]?[0-9]+")
_RULE_NAME: Final = re.compile(r"[a-z]+(-[a-z]+)*")
_SEAT: Final = registry.KEY
"""A seat is part of the reply addresses of mails, as a table's name is."""


def states_its_facts(game: GameRules) -> None:
    """It has a key, a title, an edition, seats, numbers of players and options, each usable everywhere."""
    expect(registry.KEY.fullmatch(game.key), "{!r}: {}", game.key, KEY_RULE)
    expect(registry.find_game(game.key, game.edition) is game, "{} is not found by its key and edition", game.key)
    expect(game.title and game.edition, "title or edition is empty")
    expect(len(set(game.seats)) == len(game.seats), "a seat is named twice: {}", game.seats)
    for seat in game.seats:
        expect(seat not in (CHANCE, PUBLIC, *WORDS), "{!r} has a meaning of its own and cannot be a seat", seat)
        expect(_SEAT.fullmatch(seat) and len(seat) <= 24, "{!r} cannot stand in a reply address", seat)
    fewest, most = min(game.players), max(game.players)
    expect(1 <= fewest <= most <= len(game.seats), "{} to {} players, but {} seats", fewest, most, len(game.seats))
    names = [option.name for option in game.options]
    expect(len(set(names)) == len(names), "an option is named twice: {}", names)


def editions_differ_in_name(game: GameRules) -> None:
    """All editions of the game have its key, and names that differ."""
    editions = registry.list_editions(game.key)
    names = [each.edition for each in editions]
    expect(len(set(names)) == len(names), "two editions have one name: {}", names)
    expect({each.key for each in editions} == {game.key}, "the editions have different keys")


def rules_can_be_printed(game: GameRules) -> None:
    """Every rule has a code, a name, a text, a source and an example."""
    for rule in game.rules:
        expect(_RULE_CODE.fullmatch(rule.code), "{!r} is not a code such as SW-2 or TD-C1", rule.code)
        expect(all([rule.name, rule.text, rule.source, rule.obeys]), "a part of rule {} is empty", rule.code)
        expect(rule.ruling is None or rule.ruling.why, "the ruling {} has no reason", rule.code)
        expect(_RULE_NAME.fullmatch(rule.name), "{!r} is not a name such as not-now", rule.name)


def codes_mean_one_rule(game: GameRules) -> None:
    """No code of the game means another rule, in the game itself or in any other that is installed."""
    others = [each for key in registry.game_keys() for each in registry.list_editions(key) if each is not game]
    meanings = {rule.code: rule for other in others for rule in other.rules}
    for rule in game.rules:
        expect(meanings.setdefault(rule.code, rule) == rule, "{} means two rules", rule.code)


def impossible_tables_are_refused(game: GameRules) -> None:
    """A table with nobody, with a seat twice, with an unknown seat or with too many is refused under a rule."""
    first, most = game.seats[0], max(game.players)
    for seats in [(), (first, first), ("nobody", first), (*game.seats, *game.seats)[: most + 1]]:
        refusal = game.start(game.lay_out(Setup(seats), KeyedDealer(b"wrong")))
        if not isinstance(refusal, Verdict):
            raise ContractError(f"{seats} may sit down")
        expect(refusal.rule in game.rules, "{} is refused under a rule that is not in the list", seats)
        expect(refusal.detail, "{} is refused without a sentence", seats)


def every_kind_of_move_occurs(game: GameRules, records: Sequence[str] = ()) -> None:
    """Every kind of move that the game names occurs in random games, or in records of rare moves; and no other."""
    seen = {type(ply.move) for players in game.players for each in playouts(game, players) for ply in each.plies}
    for text in records:
        for reading in read_text(text):
            record = reading.record
            if record is None or record.game is None or record.game.key != game.key:
                continue
            seats = {*record.seats, CHANCE}
            seen |= {type(move) for entry in record.entries if entry.who in seats for move in entry.moves}
    missing, strange = (
        sorted(kind.__name__ for kind in kinds) for kinds in ({*game.moves} - seen, seen - {*game.moves})
    )
    expect(not strange, "not among the moves of the game: {}", ", ".join(strange))
    expect(not missing, "never made: {}; give records in which they are", ", ".join(missing))


def laying_out_is_complete(game: GameRules, players: int) -> None:
    """Laying out completes a set-up from the dealer alone, and changes nothing when it is done again."""
    setup = lay_out(game, players)
    named, known = {name for name, _ in setup.options}, {option.name for option in game.options}
    drawn = {option.name for option in game.options if option.drawn}
    expect(setup.seats == game.seats[:players], "laying out changed the seats")
    expect(drawn <= named, "not drawn: {}", ", ".join(sorted(drawn - named)))
    expect(named <= known, "drawn, but no option of the game: {}", ", ".join(sorted(named - known)))
    expect(game.lay_out(setup, KeyedDealer(b"other")) == setup, "laying out again changes a complete set-up")
    expect(lay_out(game, players) == setup, "the same dealer lays out differently")


def seats_come_in_any_order(game: GameRules, players: int) -> None:
    """A table can have its seats in any order, and the view shows them in that order."""
    setup = game.lay_out(Setup(game.seats[:players][::-1]), KeyedDealer(b"order"))
    position = game.start(setup)
    expect(not isinstance(position, Verdict), "seats in reverse order are refused: {}", position)
    seats = tuple(game.view(position, PUBLIC)["seats"])
    expect(seats == setup.seats, "the view has the seats {}, not {}", seats, setup.seats)


def moves_can_be_written_and_read(game: GameRules, players: int) -> None:
    """Every move that is made or listed can be written, and reads as the same move."""
    moves = {ply.move for each in playouts(game, players) for ply in each.plies}
    moves |= {ply.move for position in some_positions(game, players, 5) for ply in game.legal(position)}
    for move in moves:
        text = write_moves(game, (move,))
        expect(read_moves(game, text) == (move,), "{} is written {!r} and does not read back", move, text)
