"""The draws of a disputed turn: what each is bound to, and whether the committed seed brings it, signed by the post.

Of draws that were taken in with a record it can only be said that they were: no seed of this post brings them. Nor can
anything be said where somebody has put another seed into the database.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbem.disputes.case_file import Drawn
from pbem.disputes.replayed_history import History
from pbem.events.chain import Event, phrase_of
from pbem.proof.commitments import commit_seed
from pbem.proof.signing import Signer
from pbem.proof.statements import Statement, sign_statement
from pbem.tables.redraw import redraw
from pbem.tables.table import Table


def prove_draws(
    history: History, events: Iterable[Event], seed: bytes, viewer: str, signer: Signer | None
) -> Iterator[Drawn]:
    """Draw again what chance has settled. The picks themselves are shown once the seed is open."""
    for event in events:
        table = history.before(event)
        if event.seq <= table.proof.get("taken_in", 0):
            if event.kind == "dealt":
                yield _unknown(table, event, _said(history, event, viewer))
            continue
        redrawn = redraw(table, event, seed)
        if redrawn is None or not redrawn.picks:
            continue
        if not is_promised(table, seed):
            # Whatever another seed draws says nothing of the one that was promised.
            yield replace(_unknown(table, event, _said(history, event, viewer)), lost=True)
            continue
        picks = [f"{pick.purpose}: {pick.outcome} of {pick.many}" for pick in redrawn.picks] if history.is_over else []
        yield Drawn(
            event.seq,
            _said(history, event, viewer),
            table.epoch,
            table.moves.length,
            table.moves.head,
            redrawn.fits,
            picks=tuple(picks),
            statement=_state(table, event, signer, follows=redrawn.fits) if signer is not None else (),
        )


def is_promised(table: Table, seed: bytes) -> bool:
    """Whether a seed is the one that was committed to before anybody accepted."""
    return commit_seed(table.id, seed) == table.proof.get("seed")


def _said(history: History, event: Event, viewer: str) -> str:
    return phrase_of(event, None if history.is_over else viewer)


def _unknown(table: Table, event: Event, said: str) -> Drawn:
    """A draw whose seed is not here: the post that would sign anything about it would say what it cannot know."""
    return Drawn(event.seq, said, table.epoch, table.moves.length, table.moves.head, None)


def _state(table: Table, event: Event, signer: Signer, *, follows: bool) -> tuple[str, ...]:
    """What the post says about a draw, for the referee to keep until the seed is open."""
    statement = Statement(
        post=signer.name,
        game=table.id,
        event=(event.seq, event.hash),
        seed=str(table.proof.get("seed", "")),
        place=(table.epoch, table.moves.length, table.moves.head),
        follows=follows,
        key=signer.key_id,
    )
    return sign_statement(statement, signer)
