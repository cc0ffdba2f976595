"""Games whose history went back: a new epoch after a restore, and the hold of a game that a letter has shown to be old.

A letter with a good reply address from a history that we do not have proves that the database is older than it was. The
game is held: its clocks stand still, nothing follows by itself, and a new epoch begins, so that no draw comes again as
players have seen it. Players send their moves again. Those for the turn at hand are played, those for later turns are
kept until their turn comes; when play has come as far as any letter has shown that it was, the hold ends. If the moves
cannot be found again, the operator lets the shorter history stand, and whoever wrote a letter that was kept is asked.
"""

import json
from typing import Final, NamedTuple

from pbem.events.chain import Draft
from pbem.events.history_mark import RESTORE
from pbem.events.kinds import GamePaused, GameResumed, TurnUndone
from pbem.events.post_kinds import GameRestored
from pbem.mail.writing import occasions
from pbem.store.store import HELD, Transaction
from pbem.tables.decision import ALL, REFEREE, Notice
from pbem.tables.table import INVITING, PLAYING, ROLLBACK, Table
from pbem.tables.ticket_history import History
from pbem.workflow import announce
from pbem.workflow.queue_mail import queue_for_observers
from pbem.workflow.sender_checks import KnownSender
from pbem.workflow.session import GameSession

POST: Final = "post"
"""The author of what the post does by itself."""
ROLLBACK_REFEREE: Final = "rollback-referee"


class Hold(NamedTuple):
    """How far a held game had come as far as letters show, and the letters that are kept, each with its turn."""

    turn: int
    letters: dict[int, int]


def open_epoch(table: Table, reason: str = "") -> tuple[Draft, ...]:
    """The events by which a game that was put back goes on in a new epoch; none if nothing is asked there any more."""
    if table.stage not in (INVITING, PLAYING):
        return ()
    if table.is_second_form:
        return (Draft(GameRestored(reason, by=POST)),)
    # The first form of proof has no such event; taking back the turn at hand opens an epoch too.
    return (Draft(TurnUndone(table.turn, by=RESTORE)),) if table.stage == PLAYING else ()


def restore_game(session: GameSession, reason: str = "") -> bool:
    """Let a game go on from an older copy, and tell everybody; False if there is nothing to go on."""
    drafts = open_epoch(session.table, reason)
    if ROLLBACK in session.table.pauses:
        drafts = (*drafts, Draft(GameResumed(ROLLBACK, by=POST)))
    session.apply_events(drafts)
    _wake_letters(session, all_of_them=True)
    announce.notify_events(session)
    session.save()
    return bool(drafts)


def accept_rollback(session: GameSession) -> bool:
    """Let the shorter history of a held game stand; False if it is not held. Its epoch began with the hold."""
    if ROLLBACK not in session.table.pauses:
        return False
    session.apply_events([Draft(GameResumed(ROLLBACK, by=POST))])
    _wake_letters(session, all_of_them=True)
    announce.notify_events(session)
    session.save()
    return True


def must_be_kept(session: GameSession, known: KnownSender, letter: int) -> bool:
    """Whether a letter is kept for a later turn of a held game, which it may have shown to be old just now."""
    table, place = session.table, known.place
    if table.stage != PLAYING:
        return False
    is_proof = place.history(table) is History.LOST
    if is_proof:
        _hold(session, place.turn)
    elif ROLLBACK not in table.pauses or place.history(table) is History.OURS or place.turn <= table.turn:
        return False
    hold = load_hold(session)
    _save_hold(session, Hold(max(hold.turn, place.turn), {**hold.letters, letter: place.turn}))
    return True


def _hold(session: GameSession, turn: int) -> None:
    """Hold a game, and tell its players and the referee."""
    drafts = open_epoch(session.table)
    if ROLLBACK not in session.table.pauses:
        drafts = (*drafts, Draft(GamePaused(ROLLBACK, by=POST)))
    session.apply_events(drafts)
    about = str(max(turn, session.table.turn))
    announce.send_notices(session, (Notice(ALL, ROLLBACK, about=about), Notice(REFEREE, ROLLBACK_REFEREE, about=about)))
    queue_for_observers(session, occasions.NewsMail(tuple(session.news)))


def go_on(session: GameSession) -> None:
    """After a letter to a held game: let kept letters be tried whose turn has come, or end the hold."""
    if ROLLBACK in session.table.pauses and not _wake_letters(session):
        end_hold(session)


def end_hold(session: GameSession) -> None:
    """End the hold of a game that has come as far as it was."""
    if ROLLBACK not in session.table.pauses:
        return
    hold = load_hold(session)
    if session.table.turn >= hold.turn and not hold.letters:
        session.apply_events([Draft(GameResumed(ROLLBACK, by=POST))])
        _forget_hold(session)


def held_games(transaction: Transaction) -> list[str]:
    """The games that may be held because their history went back."""
    return [name.removeprefix(HELD) for name, kept in transaction.load_settings(HELD).items() if kept]


def _wake_letters(session: GameSession, *, all_of_them: bool = False) -> bool:
    """Let kept letters be handled again: those for turns that have come, or all. Whether there were any."""
    hold = load_hold(session)
    due = {letter for letter, turn in hold.letters.items() if all_of_them or turn <= session.table.turn}
    woken = [letter for letter in sorted(due) if session.transaction.retry_waiting(letter)]
    if all_of_them:
        _forget_hold(session)
    elif due:
        kept = {letter: turn for letter, turn in hold.letters.items() if letter not in due}
        _save_hold(session, hold._replace(letters=kept))
    return bool(woken)


def load_hold(session: GameSession) -> Hold:
    """What is known of a held game; nothing, if it is not held."""
    kept = session.transaction.load_setting(_name(session))
    if not kept:
        return Hold(0, {})
    turn, letters = json.loads(kept)
    return Hold(int(turn), {int(letter): int(its) for letter, its in letters})


def _save_hold(session: GameSession, hold: Hold) -> None:
    session.transaction.save_setting(_name(session), json.dumps([hold.turn, sorted(hold.letters.items())]))


def _forget_hold(session: GameSession) -> None:
    if session.transaction.load_setting(_name(session)) is not None:
        session.transaction.save_setting(_name(session), "")


def _name(session: GameSession) -> str:
    return f"{HELD}{session.row.id}"
