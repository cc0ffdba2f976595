"""A referee's letters: what they would do is said back with a ticket for exactly that, and done by the second letter.

The ticket is for one list of acts at one head of a game's chain: it is good once, for two days, and if the game has
moved on nothing happens but that we ask again. What is decided, and whether it is allowed, is the same as at the shell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Final

from engine.game import PUBLIC
from pbem.locale.cldr import join_list
from pbem.mail.post_commands import court as orders
from pbem.mail.post_commands.court import CourtOrder
from pbem.mail.post_commands.person import SayNo, SayYes
from pbem.mail.post_commands.reader import parse_post_letter
from pbem.mail.reading import Letter
from pbem.mail.writing.post_mails import PostPage
from pbem.render.players import show_name
from pbem.store.rows import LetterRow, PendingRow, PersonRow
from pbem.store.store import Transaction
from pbem.tables.cases import find_case
from pbem.tables.decision import REFEREE
from pbem.tables.fold import BrokenHistoryError, apply_drafts
from pbem.tables.table import Table
from pbem.workflow.context import CaseReader, PostContext
from pbem.workflow.court_acts import CourtAct, changed_record, find_act, name_seat, say_act, say_refusal, seat_in
from pbem.workflow.front_desk import Desk, answer, language_of, send_page, tell
from pbem.workflow.open_game import Guest
from pbem.workflow.referee_acts import carry_out, tell_everybody
from pbem.workflow.referees import find_referee, make_person, referees_of
from pbem.workflow.repetitions import is_said_again
from pbem.workflow.session import GameSession

COURT: Final = "court"
"""The kind of act that waits for a referee's second letter."""
_LAST_TABLE: Final = "last table that was decided at by "
"""Where a referee's next order is for, if it does not say: what would be done there is said back first."""
GOOD_FOR: Final = timedelta(hours=48)


def hear_referee(desk: Desk, wanted: Sequence[CourtOrder], *, table: str = "", case: int = 0) -> None:
    """Answer what a referee asks for: cases are shown, and of what would be done there is one question a table."""
    table = table or desk.transaction.load_setting(f"{_LAST_TABLE}{desk.person.id}") or ""
    asked: dict[str, list[CourtOrder]] = {}
    for order in _with_reasons(wanted):
        about = order.table or table
        own = replace(order, table=about, case=order.case or (case if about == table else 0))
        if order.act == orders.SHOW:
            _answer(desk, _show_case(desk, own), own.table, own.case)
        else:
            asked.setdefault(about, []).append(own)
    for about, own_orders in asked.items():
        page = _ask_about(desk, about, own_orders)
        _answer(desk, page, about, own_orders[0].case)


def _answer(desk: Desk, page: PostPage, table: str, case: int) -> None:
    """Answer a letter; if nothing is asked, the answer to it is about the table and the case."""
    is_known = find_referee(desk.context, desk.transaction, table, desk.letter.sender) is not None
    if page.ticket is None and is_known:
        page = replace(page, ticket=("court", table, str(case)))
    answer(desk, page)


def _with_reasons(wanted: Sequence[CourtOrder]) -> Iterator[CourtOrder]:
    """The orders, each with the reason that stands on the next line if it has none of its own."""
    rest = list(wanted)
    while rest:
        order = rest.pop(0)
        if order.act == orders.REASON:
            continue
        if not order.reason and rest and rest[0].act == orders.REASON:
            order = replace(order, reason=rest[0].reason)
        yield order


def _open_session(desk: Desk, table: str) -> GameSession | PostPage:
    """The game at a table where the writer decides; or what is said to somebody who does not."""
    say = desk.sentences.say
    if not table:
        return PostPage(say("head_which_table"), say("which_table"))
    row = desk.transaction.find_game(table)
    if row is None or find_referee(desk.context, desk.transaction, table, desk.letter.sender) is None:
        return PostPage(say("head_not_referee", table), say("not_referee"))
    try:
        return GameSession(desk.context, desk.transaction, row)
    except BrokenHistoryError:
        return PostPage(say("head_nothing_done", table), say("table_is_held"))


def _show_case(desk: Desk, order: CourtOrder) -> PostPage:
    """The page about a case."""
    session = _open_session(desk, order.table)
    if isinstance(session, PostPage):
        return session
    number = order.case or len(session.table.cases)
    case = find_case(session.table, number)
    if case is None:
        return _nothing_done(desk, order.table, desk.sentences.say("no_such_case", number))
    viewer = seat_in(session.table, order.seat) if order.seat else PUBLIC
    reader = CaseReader(desk.language, desk.zone)
    if desk.context.case_page is None:
        raise LookupError("this post was opened without pages about cases")
    shown = desk.context.case_page(
        desk.context, desk.transaction, table=order.table, case=number, viewer=viewer, reader=reader
    )
    return (
        shown
        if shown is not None
        else _nothing_done(desk, order.table, desk.sentences.say("no_warrant", name_seat(desk, session.table, viewer)))
    )


def how_to_rule(desk: Desk, table: str) -> PostPage:
    """What a referee can write, to one whose letter was not understood."""
    say = desk.sentences.say
    return PostPage(say("head_not_understood"), say("how_to_rule"), ticket=("court", table, "0"))


def _nothing_done(desk: Desk, table: str, why: str) -> PostPage:
    return PostPage(desk.sentences.say("head_nothing_done", table), why)


def _ask_about(desk: Desk, table: str, wanted: Sequence[CourtOrder]) -> PostPage:
    """Say back what would happen at one table, and ask for a second letter."""
    session = _open_session(desk, table)
    if isinstance(session, PostPage):
        return session
    desk.transaction.save_setting(f"{_LAST_TABLE}{desk.person.id}", table)
    acts: list[CourtAct] = []
    for order in wanted:
        act = find_act(desk, session, order)
        if isinstance(act, str):
            return _nothing_done(desk, table, act)
        acts.append(act)
    return ask(desk, session, acts)


def ask(desk: Desk, session: GameSession, acts: Sequence[CourtAct], *, again: bool = False) -> PostPage:
    """Keep some acts until the second letter, and say back what they would do; or why they cannot be done."""
    say, transaction, table = desk.sentences.say, desk.transaction, session.row.id
    if sum(act.act == orders.SUBSTITUTE for act in acts) > 1:
        return _nothing_done(desk, table, say("one_at_a_time"))
    ahead = session.table
    for act in acts:
        decision = act.decide(session, ahead)
        if not decision.drafts:
            return _nothing_done(desk, table, say_refusal(desk, decision))
        ahead = apply_drafts(ahead, decision.drafts)
    for each in transaction.pending_of(desk.person.id):
        if each.kind == COURT and each.data.get("table") == table:
            transaction.drop_pending(each.id)
    data = {"table": table, "head": session.row.head_hash, "acts": [asdict(act) for act in acts]}
    seconds = _second_referees(desk, table) if any(act.act == orders.WARRANT for act in acts) else []
    until = desk.context.now() + GOOD_FOR
    number = transaction.add_pending(
        desk.person.id, COURT, data | {"seconds": [each.id for each in seconds]}, until=until
    )
    page = _question(desk, session, acts, ahead, again=again)
    for case in sorted({act.case for act in acts if act.case}):
        _take_case(desk, table, case)
    if not seconds:
        return replace(page, ticket=("yes", str(number)))
    for second in seconds:
        own = replace(desk, person=second)
        head = own.sentences.say("head_second", show_name(desk.person.name), table)
        asked = replace(_question(own, session, acts, ahead, again=False), headline=head, subject=head)
        send_page(desk.context, transaction, second, asked, ticket=("yes", str(number)))
    return PostPage(
        say("head_second_asked", table), say("second_asked", _names(seconds, desk.language)), (), page.lines
    )


def _names(people: Sequence[PersonRow], language: str) -> str:
    return join_list(tuple(show_name(each.name) for each in people), language)


def _second_referees(desk: Desk, table: str) -> list[PersonRow]:
    """The other referees of a table: what a seat hides is opened by two, where there are two."""
    found = referees_of(desk.context, desk.transaction, table)
    people = [each.person or make_person(desk.context, desk.transaction, each) for each in found]
    return [each for each in people if each.id != desk.person.id]


def _take_case(desk: Desk, table: str, case: int) -> None:
    """The first referee who answers a case has it, and the others are told."""
    key = f"case {case} of {table} is with"
    if desk.transaction.load_setting(key):
        return
    desk.transaction.save_setting(key, desk.person.id)
    for each in _second_referees(desk, table):
        say = replace(desk, person=each).sentences.say
        head = say("head_taken", show_name(desk.person.name), case, table)
        tell(desk.context, desk.transaction, each, PostPage(head, say("taken"), subject=head))


def _question(desk: Desk, session: GameSession, acts: Sequence[CourtAct], ahead: Table, *, again: bool) -> PostPage:
    """What would happen, and the buttons for yes and no."""
    say, order, table = desk.sentences.say, desk.sentences.order, session.row.id
    said = [say_act(desk, act, session.table) for act in acts]
    reasons = [say("act_reason", act.reason) for act in acts if act.reason and act.act != orders.RESUME]
    return PostPage(
        say("head_confirm", table),
        " ".join(said),
        ((say("button_do"), order("yes")), (say("button_do_not"), order("no"))),
        (*(line for act in acts for line in changed_record(desk, act, session.table, ahead)), *reasons),
        (*([say("asked_again")] if again else []), say("good_until")),
    )


def receive_second(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, pending: PendingRow
) -> tuple[bool, str]:
    """The second letter of a referee: do it, drop it, or ask again if the game has moved on."""
    table = str(pending.data.get("table"))
    person = find_referee(context, transaction, table, letter.sender)
    seconds = pending.data.get("seconds", ())
    if person is None or person.id not in (seconds or [pending.person]):
        return False, "other-sender"
    desk = Desk(context, transaction, person, letter, row)
    commands = parse_post_letter(letter.words).commands
    if any(isinstance(each, SayNo) for each in commands):
        transaction.drop_pending(pending.id)
        page = PostPage(desk.sentences.say("head_dropped"), desk.sentences.say("nothing_changes"))
        _answer(desk, page, table, 0)
        return True, "dropped"
    if not any(isinstance(each, SayYes) and not each.more for each in commands):
        wanted = [each for each in commands if isinstance(each, CourtOrder)]
        hear_referee(desk, wanted, table=table)
        return bool(wanted), "carried-out" if wanted else "nothing-understood"
    return _confirm(desk, pending, table)


def _confirm(desk: Desk, pending: PendingRow, table: str) -> tuple[bool, str]:
    """Do what was agreed to, if the game stands where it stood."""
    acts = [CourtAct.from_json(each) for each in pending.data.get("acts", ())]
    desk.transaction.drop_pending(pending.id)
    session = _open_session(desk, table)
    if isinstance(session, PostPage):
        _answer(desk, session, table, 0)
        return False, "refused"
    case = next((act.case for act in acts if act.case), 0)
    if session.row.head_hash != pending.data.get("head"):
        asker = desk.transaction.find_person(pending.person)
        _answer(desk, ask(replace(desk, person=asker or desk.person), session, acts, again=True), table, case)
        return False, "moved-on"
    newcomer, done = _newcomer(desk, acts), []
    for act in acts:
        decision = act.decide(session, session.table)
        if not decision.drafts:
            raise RuntimeError(f"what was weighed at {table} cannot be done: {decision}")
        comes = newcomer if act.act == orders.SUBSTITUTE else None
        carry_out(session, decision, comes, inbox_id=None if comes is not None else desk.row.id)
        done.append(decision)
    tell_everybody(session, done, newcomer)
    session.save()
    page = _done(desk, session, acts, case)
    _answer(desk, page, table, case)
    asker = desk.transaction.find_person(pending.person)
    if asker is not None and asker.id != desk.person.id:
        own = replace(desk, person=asker)
        send_page(
            desk.context, desk.transaction, asker, _done(own, session, acts, case), ticket=("court", table, str(case))
        )
    return True, "carried-out"


def _newcomer(desk: Desk, acts: Sequence[CourtAct]) -> Guest | None:
    """Who takes a seat, as the seat's row needs it."""
    for act in acts:
        person = desk.transaction.find_person(act.person) if act.person else None
        if person is not None:
            address = desk.transaction.addresses_of(person.id)[0].address
            zone = desk.transaction.wishes_of(person.id).get("zone", desk.context.settings.time.zone)
            return Guest(act.seat, person.name, address, language_of(desk.context, desk.transaction, person), zone)
    return None


def _done(desk: Desk, session: GameSession, acts: Sequence[CourtAct], case: int) -> PostPage:
    """What was done, and what there is to do about the case."""
    say, order = desk.sentences.say, desk.sentences.order
    number = case or (len(session.table.cases) if acts[0].act == orders.OPEN else 0)
    found = find_case(session.table, number)
    is_open = found is not None and found.is_open
    buttons = [(say("button_show_case"), f"{order('show case')} {number}")] if found is not None else []
    buttons += [(say("button_close_case"), f"{order('close case')} {number}")] if is_open else []
    said = " ".join(say_act(desk, act, session.before) for act in acts)
    after = (say("case_stays_open", number),) if is_open else ()
    return PostPage(say("head_done", session.row.id), said, tuple(buttons), after=after)


def answer_late(context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter) -> bool:
    """Tell a referee whose question is closed that nothing was done; False if the sender is none."""
    person = transaction.person_at(letter.sender)
    holds = person is not None and any(each == person.id for each, _ in transaction.offices(REFEREE))
    named = (context.settings.post.referee or "").lower() == letter.sender.lower()
    if person is None or not (holds or named):
        return False
    if is_said_again(context, transaction, person.id, letter.words, parse_post_letter(letter.words)):
        return False
    desk = Desk(context, transaction, person, letter, row)
    answer(desk, PostPage(desk.sentences.say("head_gone"), desk.sentences.say("question_closed")))
    return True
