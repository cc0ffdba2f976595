"""The events played again: sealed values against what was hidden, and every draw against the opened seed."""

from collections.abc import Iterator

from notation.phrasebook import hides
from pbem.events.annotations import MOVES
from pbem.events.moves import PLIES
from pbem.proof.commitments import Sealer, commit_blind_key, commit_seed, commitment
from pbem.tables.fold import BrokenHistoryError, fold, step
from pbem.tables.redraw import redraw
from pbem.tables.table import Table
from pbem.tables.veiling import make_draft
from pbem.verify.finding import DRAWS, SEALS, Finding
from pbem.verify.read_proof import Testimony, Told


def judge_secrecy(testimony: Testimony) -> Iterator[Finding]:
    """Whether a game that is over hides its secrets still."""
    if testimony.told[-1].event.kind in ("ended", "declined") and not testimony.closing.seed:
        yield Finding(SEALS, testimony.last_line, "the game is over, but its secrets are not opened")


def judge_openings(testimony: Testimony) -> Iterator[Finding]:
    """Whether whatever is open was sealed so."""
    game, closing = testimony.told[0].event.game, testimony.closing
    first, proof = testimony.told[0], testimony.told[0].event.data["proof"]
    seed, key = bytes.fromhex(closing.seed), bytes.fromhex(closing.blind)
    if seed and commit_seed(game, seed) != proof.get("seed"):
        yield Finding(SEALS, first.line, "the seed is not the one that was promised before anybody accepted")
    if key and commit_blind_key(game, key) != proof.get("blind"):
        yield Finding(SEALS, first.line, "the blind key is not the one that was promised before anybody accepted")
    for told in testimony.told:
        sealed = told.event.sealed
        if [name for name, _ in (sealed.fields if sealed else ())] != _hidden_places(told):
            yield Finding(SEALS, told.line, f"event {told.event.seq} has not one seal for each move that it hides")
        for (name, _), given in zip(sealed.fields if sealed else (), told.event.commitments, strict=True):
            opening = told.openings.get(name)
            if opening is None and seed:
                yield Finding(SEALS, told.line, f"field {name} of event {told.event.seq} is never opened")
            elif opening is not None and commitment(game, opening) != given:
                yield Finding(SEALS, told.line, f"field {name} of event {told.event.seq} was sealed as something else")
            elif opening is not None and key and Sealer(game, key).open(*opening[:3]) != opening:
                yield Finding(SEALS, told.line, f"field {name} of event {told.event.seq} is blinded by another key")


def _hidden_places(told: Told) -> list[str]:
    """The places of the moves of which everybody reads that something is hidden."""
    data = told.event.data
    if told.event.kind not in MOVES:
        return []
    moves = data.get(PLIES) or [data["phrase"]]
    return [str(place) for place, move in enumerate(moves) if hides(str(move))]


def judge_play(testimony: Testimony) -> Iterator[Finding]:
    """The first event that hides something else than the rules hide, or is drawn otherwise than the seed says."""
    first, *others = testimony.told
    try:
        table = fold([first.event])
    except (BrokenHistoryError, KeyError, TypeError, ValueError, AttributeError):
        yield Finding(DRAWS, first.line, "the first event opens no game")
        return
    seed = bytes.fromhex(testimony.closing.seed)
    for told in others:
        # Hashes prove that nothing was changed later, not that it made sense: anything may stand in these data.
        try:
            wrong = _judge(table, told, seed, taken_in=told.event.seq <= testimony.taken_in)
            table = step(table, told.event)
        except (BrokenHistoryError, LookupError, TypeError, ValueError, AttributeError):
            wrong = Finding(DRAWS, told.line, f"event {told.event.seq} does not follow from those before it")
        if wrong is not None:
            yield wrong
            return


def _judge(table: Table, told: Told, seed: bytes, *, taken_in: bool) -> Finding | None:
    kind, data = told.event.kind, told.event.data
    if kind in MOVES and told.entry is not None:
        draft = make_draft(table, data["seat"], told.entry.moves, by=data["by"], letter=data["letter"])
        if dict(draft.data) != dict(data):
            return Finding(SEALS, told.line, f"event {told.event.seq} tells something else than everybody may know")
        fields = draft.sealed.fields if draft.sealed is not None else ()
        if dict(fields) != {name: opening.value for name, opening in told.openings.items()}:
            return Finding(SEALS, told.line, f"what event {told.event.seq} seals is not what its moves hide")
    if taken_in:
        by = data.get("by", "record") if kind in MOVES else "record"
        return None if by == "record" else Finding(DRAWS, told.line, "this event was taken in, but not from a record")
    if kind in MOVES and data["by"] == "record":
        return Finding(DRAWS, told.line, "this event was not taken in, though it says so")
    redrawn = redraw(table, told.event, seed) if seed else None
    if redrawn is None or redrawn.fits:
        return None
    return Finding(DRAWS, told.line, f"event {told.event.seq} is not what the seed draws here")
