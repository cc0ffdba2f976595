"""A new table: what is played, by whom, and on which terms, checked before anybody is invited.

Only the players' acceptance begins the game; what chance has to draw for it is drawn then.
"""

from collections.abc import Mapping
from typing import Any

from engine.chance import KeyedDealer
from engine.game import Game, Seat, Setup
from engine.verdict import Verdict
from pbem.events.chain import Draft
from pbem.events.to_record import opened
from pbem.tables import table_rules
from pbem.tables.decision import Refused
from pbem.tables.silence import POLICIES


def open_table(
    game: Game[Any],
    *,
    names: Mapping[Seat, str],
    options: Mapping[str, str],
    terms: Mapping[str, Any],
) -> Draft | Refused:
    """The first event of a game in which `names` say who sits where, in seat order; or why it cannot be played so."""
    known = [option.name for option in game.options]
    facts: dict[str, object] = {"title": game.title, "known": ", ".join(known)}
    for name in options:
        if name not in known:
            says = "{title} has no header {name}; it has {known}"
            return Refused(table_rules.O1, says, {**facts, "name": name})
    silence = terms.get("silence", "wait")
    if silence not in POLICIES:
        says = "there is no way to treat silence called {silence}; there is {known}"
        return Refused(table_rules.O1, says, {"silence": silence, "known": ", ".join(POLICIES)})
    seats = tuple(names)
    strangers = [seat for seat in seats if seat not in game.seats]
    if strangers:
        facts |= {"seat": strangers[0], "seats": ", ".join(game.seats)}
        return Refused(table_rules.O1, "{title} has no seat {seat}; it has {seats}", facts)
    # What is drawn for the trial is thrown away; only whether a game can begin so is of interest.
    trial = game.start(game.lay_out(Setup(seats, tuple(options.items())), KeyedDealer(b"trial")))
    if isinstance(trial, Verdict):
        return Refused(trial.rule, trial.says, trial.facts)
    return opened(game, seats=seats, names=names, options=options, terms=terms)
