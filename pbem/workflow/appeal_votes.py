"""An appeal at a table without a referee: the other players are asked by mail, and most of them decide.

They can let the turn be played again, or leave it. More than half of those who play must agree, but not the one whose
turn it was; where two play, both. Nothing that is hidden is opened to anybody. Who does not answer for two weeks leaves
it as it is.
"""

import json
import re
from collections.abc import Iterable
from typing import Final

from engine.game import Seat
from pbem.mail.post_commands.person import SayNo, SayYes
from pbem.mail.post_commands.reader import PostLine
from pbem.mail.writing.post_mails import PostPage, find_post_sentences
from pbem.render.players import show_name
from pbem.store.rows import PendingRow
from pbem.store.store import Transaction
from pbem.tables import cases
from pbem.tables.cases import CARRIED, LOST, WantedRuling, find_case
from pbem.tables.decision import Notice
from pbem.tables.table import DISMISS, ROLL_BACK, Case, Table
from pbem.tables.votes import OPEN_FOR
from pbem.workflow.context import PostContext
from pbem.workflow.front_desk import Desk, language_of, send_page
from pbem.workflow.referee_acts import carry_out, tell_everybody
from pbem.workflow.referees import decide_themselves
from pbem.workflow.session import GameSession

APPEAL: Final = "appeal"
"""The kind of question that waits for a player's vote."""


def ask_players(session: GameSession, notices: Iterable[Notice]) -> None:
    """Ask the other players about the appeals among some notices, if their table has no referee."""
    if not decide_themselves(session.transaction, session.row.id):
        return
    for notice in notices:
        number = re.match(r"case (\d+),", notice.about) if notice.kind == "appeal" else None
        case = None if number is None else find_case(session.table, int(number[1]))
        if case is not None:
            _ask_about(session, case)


def _ask_about(session: GameSession, case: Case) -> None:
    voters = find_voters(session.table, case)
    _save(session.transaction, session.row.id, case.number, {seat: True for seat in voters if seat == case.by})
    until = session.context.now() + OPEN_FOR
    for seat in voters:
        person = session.transaction.find_person(session.people[seat].person)
        if seat == case.by or person is None:
            continue
        kept = {"table": session.row.id, "case": case.number, "seat": seat}
        number = session.transaction.add_pending(person.id, APPEAL, kept, until=until)
        sentences = find_post_sentences(language_of(session.context, session.transaction, person))
        say, order = sentences.say, sentences.order
        who, words = show_name(session.table.name(case.by)), show_name(" ".join(case.words.split()), longest=400)
        head = say("head_vote", who, case.turn, session.row.id)
        page = PostPage(
            head,
            say("vote_words", who, words),
            ((say("button_play_again"), order("yes")), (say("button_leave_it"), order("no"))),
            after=(say("vote_how"),),
            subject=head,
        )
        to = session.people[seat].address
        send_page(session.context, session.transaction, person, page, to=to, ticket=("yes", str(number)))


def find_voters(table: Table, case: Case) -> tuple[Seat, ...]:
    """Who decides about an appeal: all who play but the author of the turn; where two play, both."""
    if len(table.active) <= 2:
        return table.active
    authors = {entry.who for entry in table.standing if entry.number == case.turn}
    return tuple(seat for seat in table.active if seat not in authors)


def receive_vote(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    """A player's answer: count it, and decide if that is enough."""
    transaction, table = desk.transaction, str(pending.data.get("table"))
    agrees = any(isinstance(each, SayYes) and not each.more for each in commands)
    if not agrees and not any(isinstance(each, SayNo) for each in commands):
        return False, "nothing-understood"
    transaction.drop_pending(pending.id)
    row = transaction.find_game(table)
    if row is None:
        raise LookupError(table)
    session = GameSession(desk.context, transaction, row)
    seat = str(pending.data.get("seat"))
    case = find_case(session.table, int(pending.data.get("case", 0)))
    if case is None or not case.is_open or session.people[seat].person != desk.person.id:
        return False, "late"
    votes = _load(transaction, table, case.number) | {seat: agrees}
    _save(transaction, table, case.number, votes)
    say = desk.sentences.say
    page = PostPage(say("head_voted", table), say("voted", agrees))
    send_page(desk.context, transaction, desk.person, page, to=desk.letter.sender, answers=desk.letter)
    voters = find_voters(session.table, case)
    needed = 2 if len(voters) <= 2 else len(voters) // 2 + 1
    if sum(votes.get(seat, False) for seat in voters) >= needed:
        _conclude(session, case, carried=True)
    elif sum(votes.get(seat, True) for seat in voters) < needed:
        _conclude(session, case, carried=False)
    return True, "voted"


def _conclude(session: GameSession, case: Case, *, carried: bool) -> None:
    """Let happen what most want, and close the case."""
    wanted = WantedRuling(ROLL_BACK if carried else DISMISS, CARRIED if carried else LOST)
    decision = cases.rule(session.table, case.number, wanted, session.dealer())
    if not decision.drafts:  # the turn is not there any more
        decision = cases.rule(session.table, case.number, WantedRuling(DISMISS, LOST), session.dealer())
    carry_out(session, decision)
    closing = cases.close(session.table, case.number)
    carry_out(session, closing)
    tell_everybody(session, [decision, closing])
    session.save()
    for person in {each.person for each in session.people.values()}:
        for pending in session.transaction.pending_of(person):
            about = (pending.kind, pending.data.get("table"), pending.data.get("case"))
            if about == (APPEAL, session.row.id, case.number):
                session.transaction.drop_pending(pending.id)


def close_expired(context: PostContext, transaction: Transaction) -> int:
    """Leave as it is what nobody has decided in time; how many cases that were."""
    closed = 0
    for pending in transaction.past_pending(APPEAL, context.now()):
        row = transaction.find_game(str(pending.data.get("table")))
        if row is None:
            continue
        session = GameSession(context, transaction, row)
        case = find_case(session.table, int(pending.data.get("case", 0)))
        if case is not None and case.is_open:
            _conclude(session, case, carried=False)
            closed += 1
    return closed


def _key(table: str, case: int) -> str:
    return f"votes in case {case} of {table}"


def _load(transaction: Transaction, table: str, case: int) -> dict[Seat, bool]:
    kept: dict[Seat, bool] = json.loads(transaction.load_setting(_key(table, case)) or "{}")
    return kept


def _save(transaction: Transaction, table: str, case: int, votes: dict[Seat, bool]) -> None:
    transaction.save_setting(_key(table, case), json.dumps(votes, sort_keys=True))
