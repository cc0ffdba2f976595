"""Records that show the rules of the Watch at work, with the state that they expect at their last move.

A record is named for the rule it shows (``BW-C4-a-breach.turns``) or is a whole game. Beside what every record has,
these say what shall come of them, in headers that are compared with the view at the end:

- ``[Shows "…"]``: what the record is for;
- ``[Wall "red blue / - / yellow / black"]``: the guards on each section; ``[Camps "giant / - / -"]``: each clan's;
- ``[Clearings "0 1 0 0"]``, ``[Gift "A=climber"]``, ``[Breaches "1"]``, ``[Frostfangs "24 8 8"]``, ``[Pool "13"]``;
- ``[Heroes "red=tarly-B …"]``, ``[Hands "red=3 …"]``, ``[Points …]``, ``[Patrols …]``, ``[Developments …]``;
- ``[Holds.red "1 ore"]``, ``[Owns.red "recruits"]``, ``[Roads.red "12-17"]``: what one player has;
- ``[Ends "points"]``, or ``breaches`` or ``wildlings``: how the game is over.
"""

from typing import TYPE_CHECKING, Any

import pytest

from engine.brotherhood.full_game import GAME
from engine.game import PUBLIC
from notation import Ending
from tests.engine.recorded import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable

SHELF = Shelf(GAME)
RECORDS, read, last = SHELF.names, SHELF.read, SHELF.last
COMMON = ("Format", "Game", "Rules", "Id", "Result", "Shows", *(option.name for option in GAME.options))


def each(facts: dict[str, Any]) -> str:
    return " ".join(f"{name}={fact}" for name, fact in facts.items())


def rows(lists: Any) -> str:
    return " / ".join(" ".join(row) or "-" for row in lists)


def counted(cards: dict[str, int]) -> str:
    return " ".join(f"{count} {name}" for name, count in cards.items()) or "nothing"


def ending(view: Any) -> str:
    if view["watch"]["breaches"] >= 3:
        return "breaches"
    return "wildlings" if len(view["watch"]["gift"]) >= 8 else "points"


def state(name: str, header: str) -> str:
    """What a header says, as it really is at the end of a record."""
    position = last(name)
    header, _, seat = header.partition(".")
    view = GAME.view(position, seat or PUBLIC)
    watch = view["watch"]
    found: dict[str, Callable[[], object]] = {
        "Wall": lambda: rows(watch["sections"]),
        "Camps": lambda: rows(watch["camps"].values()),
        "Clearings": lambda: " ".join(map(str, watch["clearings"])),
        "Gift": lambda: each(dict(sorted(watch["gift"].items()))) or "-",
        "Breaches": lambda: str(watch["breaches"]),
        "Frostfangs": lambda: " ".join(map(str, watch["frostfangs"].values())),
        "Pool": lambda: str(watch["tokens"]["pool"]),
        "Used": lambda: str(sum(watch["tokens"]["used"].values())),
        "Heroes": lambda: each({who: f"{h['hero']}-{h['side']}" for who, h in watch["heroes"]["before"].items()}),
        "Hands": lambda: each({who: hand["count"] for who, hand in view["hands"].items()}),
        "Developments": lambda: each({who: cards["count"] for who, cards in view["developments"].items()}),
        "Deck": lambda: str(view["deck"]),
        "Hexes": lambda: str(len(view["hexes"])),
        "Points": lambda: each(view["points"]),
        "Patrols": lambda: each(view["patrols"]),
        "Longest": lambda: str(view["longest"]),
        "Largest": lambda: str(view["largest"]),
        "Tormund": lambda: view["tormund"] or "camp",
        "Waits": lambda: view["waits_for"],
        "Ends": lambda: ending(view),
        "Winner": lambda: view["winner"],
        "Holds": lambda: counted(view["hands"][seat]["cards"]),
        "Owns": lambda: " ".join(view["developments"][seat]["cards"]),
        "Roads": lambda: " ".join("{}-{}".format(*path) for path in view["roads"][seat]),
    }
    return str(found[header]())


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_stands_and_is_canonical(name: str) -> None:
    SHELF.assert_stands(name)
    assert read(name).header("Shows")


@pytest.mark.parametrize("name", RECORDS)
def test_it_leads_to_what_its_headers_say(name: str) -> None:
    told = {header: text for header, text in read(name).headers if not header.startswith("Seat.")}
    expected = {header: text for header, text in told.items() if header not in COMMON}
    assert expected
    assert {header: state(name, header) for header in expected} == expected


@pytest.mark.parametrize("name", RECORDS)
def test_whatever_chance_and_players_did_could_be_listed_or_said(name: str) -> None:
    for step in SHELF.steps(name):
        assert step.ply.seat in GAME.to_act(step.before)


@pytest.mark.parametrize("hero", range(1, 12))
def test_every_hero_has_a_record(hero: int) -> None:
    assert [name for name in RECORDS if name.startswith(f"BW-J{hero}-")]


@pytest.mark.parametrize("ends", ["points", "breaches", "wildlings"])
def test_every_ending_has_a_whole_game(ends: str) -> None:
    whole = [name for name in RECORDS if read(name).header("Ends") == ends]
    assert whole
    assert all(read(name).entries[-1].moves == (Ending("normal"),) for name in whole)
