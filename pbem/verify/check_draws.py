"""Checks hidden values, draws and beacon rounds by replaying the events.

Sealed values are compared with what the rules hide, draws with the opened seed. A round must be named before it is
published, be true, and be used at once; whether a draw uses the value of its round shows when the seed is open.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeAlias

from notation.phrasebook import hides
from pbem.events.chain import BY
from pbem.events.kinds import (
    ChanceDealt,
    GameStarted,
    InvitationAccepted,
    MovesMade,
    RoundAwaited,
    RoundPublished,
    TurnPlayed,
)
from pbem.events.payload import SECOND_FORM
from pbem.proof.draws import Sealer, commit_blind_key, commit_seed, commitment, seat_lot
from pbem.proof.public_beacon import Beacon, Pulse, round_for
from pbem.tables.consequences import draft_moves, take_out_words
from pbem.tables.fold import BrokenHistoryError, apply_event, fold
from pbem.tables.replay_draws import replay_draw
from pbem.tables.table import LEVEL, PLAYER, PLAYERS_OWN, BeaconState, Table
from pbem.verify.check_seats import check_asked, check_forced
from pbem.verify.finding import DRAWS, RECORD, SEALS, Finding
from pbem.verify.read_proof import RecordedEvent, RecordProof


def check_secrets_opened(record_proof: RecordProof) -> Iterator[Finding]:
    """A game that is over must have opened its secrets; in the second form no other may."""
    if record_proof.is_over and not record_proof.closing.seed:
        yield Finding(SEALS, record_proof.last_line, "the game is over, but its secrets are not opened")
    elif record_proof.form == SECOND_FORM and record_proof.closing.seed and not record_proof.is_over:
        yield Finding(SEALS, record_proof.last_line, "its secrets are opened, but the game is not over")


def check_openings(record_proof: RecordProof) -> Iterator[Finding]:
    """Every opened value must fit its commitment, every told text its seal, and the secrets their promises."""
    game, closing = record_proof.recorded[0].event.game, record_proof.closing
    first, proof = record_proof.recorded[0], record_proof.opened.promised
    seed, key = bytes.fromhex(closing.seed), bytes.fromhex(closing.blind)
    if seed and commit_seed(game, seed) != proof.get("seed"):
        yield Finding(SEALS, first.line, "the seed is not the one that was promised before anybody accepted")
    if key and commit_blind_key(game, key) != proof.get("blind"):
        yield Finding(SEALS, first.line, "the blind key is not the one that was promised before anybody accepted")
    second = record_proof.form == SECOND_FORM
    for recorded, epoch in zip(record_proof.recorded, record_proof.epochs, strict=True):
        event = recorded.event
        if [name for name, _ in event.fields] != _sealed_fields(recorded, second=second):
            yield Finding(SEALS, recorded.line, f"event {event.seq} has not one seal for each move that it hides")
        if second and _has_words(recorded):
            yield Finding(SEALS, recorded.line, f"event {event.seq} has words in its moves")
        for (name, _), given in zip(event.fields, event.commitments, strict=True):
            opening = recorded.openings.get(name)
            if opening is None and seed:
                yield Finding(SEALS, recorded.line, f"field {name} of event {event.seq} is never opened")
            elif opening is not None and commitment(game, opening) != given:
                yield Finding(SEALS, recorded.line, f"field {name} of event {event.seq} was sealed as something else")
            elif opening is not None and name == BY and (not seed or opening.value not in PLAYERS_OWN):
                yield Finding(SEALS, recorded.line, f"event {event.seq} tells too early, or oddly, who prepared it")
            elif (
                opening is not None
                and key
                and Sealer(game, key).open(*opening[:3], epoch if second else None) != opening
            ):
                yield Finding(SEALS, recorded.line, f"field {name} of event {event.seq} is blinded by another key")
        for name, told in event.told.items():
            if not told.is_true(game, event.seq, name):
                yield Finding(SEALS, recorded.line, f"{name} of event {event.seq} was sealed as something else")


def check_seating(record_proof: RecordProof) -> Iterator[Finding]:
    """Seats that were drawn must be written in seat order, and have the lots that follow from the opened seed."""
    first, opened = record_proof.recorded[0], record_proof.opened
    seated, seed = opened.seated, bytes.fromhex(record_proof.closing.seed)
    if seated is None:
        yield Finding(RECORD, first.line, "the seats that were drawn are not some seats of the game in their order")
    elif seated and seed:
        happened = [recorded.event.payload for recorded in record_proof.recorded]
        starts = next((place for place, each in enumerate(happened) if isinstance(each, GameStarted)), 0)
        taken = (each for each in happened[:starts] if isinstance(each, InvitationAccepted))
        stirred = {each.seat: each.entropy_sha256 for each in taken}
        lots = [seat_lot(seed, first.event.game, stirred.get(seat, "")) for seat in seated if starts]
        if lots != sorted(lots):
            yield Finding(DRAWS, first.line, "who sits where is not what the seed draws")


def _has_words(recorded: RecordedEvent) -> bool:
    """Whether a move has free words in it, open or sealed, which shows without the rules."""
    made = recorded.event.payload
    if not isinstance(made, MovesMade):
        return False
    opened = (opening.value for opening in recorded.openings.values())
    return any('"' in move for move in (made.phrase, *(made.plies or ()), *opened))


def _sealed_fields(recorded: RecordedEvent, *, second: bool) -> list[str]:
    """What an event must seal: the moves that are shown as hidden, and who prepared the player's own."""
    made = recorded.event.payload
    if not isinstance(made, MovesMade):
        return []
    hidden = [str(place) for place, move in enumerate(made.plies or (made.phrase,)) if hides(move)]
    return [*hidden, BY] if second and isinstance(made, TurnPlayed) and made.by == PLAYER else hidden


def check_play(record_proof: RecordProof) -> Iterator[Finding]:
    """The first event that hides something else than the rules hide, or that the seed does not draw."""
    first, *others = record_proof.recorded
    try:
        table = fold([first.event])
    except (BrokenHistoryError, KeyError, TypeError, ValueError, AttributeError):
        yield Finding(DRAWS, first.line, "the first event opens no game")
        return
    seed = bytes.fromhex(record_proof.closing.seed)
    for recorded in others:
        # Hashes prove that nothing was changed later, not that it made sense: the payload may be anything.
        try:
            wrong = _check_event(table, recorded, seed, taken_in=recorded.event.seq <= record_proof.taken_in)
            table = apply_event(table, recorded.event)
        except (BrokenHistoryError, LookupError, TypeError, ValueError, AttributeError):
            wrong = Finding(DRAWS, recorded.line, f"event {recorded.event.seq} does not follow from those before it")
        if wrong is not None:
            yield wrong
            return


def _check_event(table: Table, recorded: RecordedEvent, seed: bytes, *, taken_in: bool) -> Finding | None:
    made = recorded.event.payload if isinstance(recorded.event.payload, MovesMade) else None
    if made is not None and recorded.entry is not None:
        draft = draft_moves(table, made.seat, recorded.entry.moves, by=made.by, letter=made.letter)
        payload = draft.payload
        if table.is_second_form and take_out_words(table.game, recorded.entry.moves)[1]:
            return Finding(SEALS, recorded.line, f"event {recorded.event.seq} has words in its moves")
        if isinstance(made, TurnPlayed) and isinstance(payload, TurnPlayed):
            payload = replace(payload, asked=made.asked, due=made.due)
        if payload != made:
            return Finding(
                SEALS, recorded.line, f"event {recorded.event.seq} tells something else than everybody may know"
            )
        fields = draft.sealed.fields if draft.sealed is not None else ()
        opened = {name: opening.value for name, opening in recorded.openings.items() if name != BY}
        if dict(fields) != opened:
            return Finding(SEALS, recorded.line, f"what event {recorded.event.seq} seals is not what its moves hide")
    if (wrong := check_asked(table, recorded) or check_forced(table, recorded)) is not None:
        return wrong
    if taken_in:
        by = made.by if made is not None else "record"
        return (
            None if by == "record" else Finding(DRAWS, recorded.line, "this event was taken in, but not from a record")
        )
    if made is not None and made.by == "record":
        return Finding(DRAWS, recorded.line, "this event was not taken in, though it says so")
    redrawn = replay_draw(table, recorded.event, seed) if seed else None
    if redrawn is None or redrawn.fits:
        return None
    return Finding(DRAWS, recorded.line, f"event {recorded.event.seq} is not what the seed draws here")


Beacons: TypeAlias = Callable[[str], Beacon | None]
"""Finds a beacon by the name in a record."""

ALONE: Final = 1
"""The level of proof without a beacon."""
_DIGITS: Final = re.compile(r"(?:[0-9a-f]{2}){1,200}")


def check_rounds(record_proof: RecordProof, find: Beacons) -> Iterator[Finding]:
    """The first thing that is wrong with the level of proof, or with the rounds that draws depend on."""
    first, *others = record_proof.recorded
    proof = record_proof.opened.promised
    level, name = proof.get("level"), proof.get("beacon")
    if isinstance(level, bool) or level not in (ALONE, LEVEL):
        yield Finding(DRAWS, first.line, f"draws of level {level} cannot be checked here")
        return
    beacon = find(name) if level == LEVEL and isinstance(name, str) else None
    if (level == LEVEL and beacon is None) or (level == ALONE and name is not None):
        yield Finding(DRAWS, first.line, f"draws of level {level} that are bound to {name} cannot be checked here")
        return
    rounds = BeaconState()
    for recorded in others:
        wrong = _check_round(recorded, rounds, beacon)
        if wrong:
            yield Finding(DRAWS, recorded.line, wrong)
            return
        rounds = rounds.after(recorded.event.payload, recorded.event.at) if beacon is not None else rounds


def _check_round(recorded: RecordedEvent, rounds: BeaconState, beacon: Beacon | None) -> str:
    """What is wrong with an event in the present state of the rounds; empty if nothing is."""
    event, happened = recorded.event, recorded.event.payload
    if beacon is None:
        stray = isinstance(happened, RoundAwaited | RoundPublished)
        return f"event {event.seq} tells of a beacon that nothing is bound to" if stray else ""
    if isinstance(happened, RoundAwaited):
        try:
            named = round_for(beacon, datetime.fromisoformat(event.at))
        except (ValueError, TypeError, OverflowError):
            return f"event {event.seq} happened at no moment"
        if happened.round != named:
            return f"event {event.seq} names round {happened.round}; round {named} is the first ten minutes later"
        if happened.out != f"{beacon.time_of(named):%Y-%m-%dT%H:%M:%SZ}":
            return f"event {event.seq} says that round {named} is out at another moment than it is"
    if isinstance(happened, RoundPublished):
        pulse = Pulse(happened.round, happened.signature)
        if not rounds.round or pulse.round != rounds.round:
            return f"event {event.seq} tells of round {pulse.round}, which was not awaited"
        if not _DIGITS.fullmatch(pulse.signature) or not beacon.is_true(pulse):
            return f"event {event.seq} tells what the beacon never said in round {pulse.round}"
    drawn = isinstance(happened, GameStarted | ChanceDealt) or (
        isinstance(happened, TurnPlayed) and happened.by == "chance"
    )
    return (
        f"event {event.seq} was drawn before its round was out" if drawn and rounds.value_at(event.at) is None else ""
    )


def late_rounds(record_proof: RecordProof, find: Beacons, arrivals: Sequence[tuple[int, datetime]]) -> tuple[int, int]:
    """How many rounds were published before the first mail that names them arrived, and how many mails name.

    `arrivals` are the numbers of the last events that mails name, and when the mails arrived.
    """
    beacon, late, known = find(str(record_proof.opened.promised.get("beacon"))), 0, 0
    for recorded in record_proof.recorded:
        came = [moment for seq, moment in arrivals if seq >= recorded.event.seq]
        if isinstance(recorded.event.payload, RoundAwaited) and beacon is not None and came:
            known += 1
            late += min(came) > beacon.time_of(recorded.event.payload.round)
    return late, known
