"""Tables that wait for players, while nobody writes: seats that are kept, reminders, and the end of a table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.clock.time_control import control_from_terms
from pbem.locale.cldr import format_day, format_length
from pbem.mail.writing.post_mails import PostPage, PostSentences, find_post_sentences
from pbem.mail.writing.terms import say_pace, say_rest, say_times
from pbem.store.rows import PersonRow, PlaceRow
from pbem.store.store import Transaction
from pbem.tables.table import AT_ONCE, FORCED
from pbem.workflow.context import PostContext
from pbem.workflow.front_desk import language_of, tell
from pbem.workflow.gather import REMINDED, Gathering, close_gathering, find_gathering, free_place, lapses_at
from pbem.workflow.open_seats import tell_waiting

ASKED_FOR: Final = "mailed about seat "
"""What is counted, with the number of the seat and the person, when somebody is told that a seat is kept for them."""


def say_all_terms(sentences: PostSentences, gathering: Gathering) -> tuple[str, ...]:
    """What somebody agrees to who sits down, in words: as the invitation to a table of the operator has it."""
    say, code, terms = sentences.say, sentences.locale.code, gathering.notice.terms
    control = control_from_terms(terms)
    rest = say_rest(say, code, control, gathering.game, pencils=True, forced=terms.get(FORCED) == AT_ONCE)
    return (say_pace(say, code, control), *say_times(say, code, control), *rest)


def look_after(context: PostContext, transaction: Transaction, table: str) -> str:
    """Remind the opener of a table that waits for players, or let it go away; what was done, for the log."""
    gathering = find_gathering(transaction, table)
    if gathering is None:
        return ""
    now, lapses, kept = context.now(), lapses_at(context, gathering.notice), context.settings.lobby.invitations
    if now >= lapses:
        tell_gone(context, transaction, gathering, close_gathering(transaction, gathering, lapsed=True))
        return "table lapsed"
    freed = [place for place in gathering.places if place.state == "asked" and place.created_at + kept <= now]
    for place in freed:
        free_place(transaction, place)
        tell_declined(context, transaction, gathering)
    asked = [place for place in transaction.places_at(table) if place.state == "asked"]
    for place in asked:
        _remind(context, transaction, gathering, place)
    reminds = gathering.notice.created_at + REMINDED
    moments = [moment for place in asked for moment in (place.created_at + kept / 2, place.created_at + kept)]
    later = [each for each in (*moments, reminds) if each > now]
    transaction.save_notice(replace(gathering.notice, due_at=min((*later, lapses))))
    key, since = f"reminded of {table}", str(gathering.notice.created_at.date())
    if reminds > now or transaction.used(key, since=since):
        return "seat offered on" if freed else "table looked after"
    transaction.count_use(key, str(now.date()))
    opener = transaction.find_person(gathering.notice.opener)
    if opener is not None:
        sentences = find_post_sentences(language_of(context, transaction, opener))
        say, order = sentences.say, sentences.order
        buttons = [(say("button_keep"), order("keep", table)), (say("button_close"), order("close", table))]
        if gathering.may_start:
            buttons.insert(0, (say("button_start"), order("start", table)))
        day = format_day(lapses.date(), language_of(context, transaction, opener))
        head = say("head_waits", table)
        lead = f"{say('begins_when', gathering.missing)} {say('lapses', day)}"
        tell(context, transaction, opener, PostPage(head, lead, tuple(buttons), subject=head))
    return "table reminded"


def _remind(context: PostContext, transaction: Transaction, gathering: Gathering, place: PlaceRow) -> None:
    """Remind a person once of a seat that is kept for them. An address that nobody is known at is written to once."""
    person, kept = transaction.find_person(place.person), context.settings.lobby.invitations
    key, since = f"reminded of seat {place.id} {place.person}", str(place.created_at.date())
    if person is None or place.created_at + kept / 2 > context.now() or transaction.used(key, since=since):
        return
    if not transaction.used(f"{ASKED_FOR}{place.id} {person.id}", since=since):
        return  # somebody who blocks the one who asked, or was asked too often, has had no mail about it
    transaction.count_use(key, str(context.now().date()))
    sentences = find_post_sentences(language_of(context, transaction, person))
    say, order, language = sentences.say, sentences.order, sentences.locale.code
    head = say("head_still_kept", gathering.notice.id)
    buttons = ((say("button_sit"), order("yes")), (say("button_decline"), order("no")))
    pace = format_length(gathering.notice.pace, language)
    lead = say("terms_of", sentences.gettext(gathering.game.title), len(gathering.places), pace)
    after = (say("kept_until", format_day((place.created_at + kept).date(), language)),)
    page = PostPage(head, lead, buttons, say_all_terms(sentences, gathering), after, subject=head)
    tell(context, transaction, person, page, place=place.id)


def tell_declined(context: PostContext, transaction: Transaction, gathering: Gathering) -> None:
    """Tell the opener that somebody who was invited does not come, and those who wait that a seat is free again."""
    if not gathering.notice.word:
        sit = {place.person for place in gathering.taken}
        tell_waiting(context, transaction, gathering.notice.game, gathering.notice.id, but=sit)
    opener = transaction.find_person(gathering.notice.opener)
    if opener is not None:
        say = find_post_sentences(language_of(context, transaction, opener)).say
        head = say("head_declined", gathering.notice.id)
        tell(context, transaction, opener, PostPage(head, say("declined"), subject=head))


def tell_gone(
    context: PostContext, transaction: Transaction, gathering: Gathering, people: Sequence[PersonRow]
) -> None:
    """Tell everybody who sat at a table that it has gone away."""
    for person in people:
        sentences = find_post_sentences(language_of(context, transaction, person))
        say, order = sentences.say, sentences.order
        head = say("head_gone_away", gathering.notice.id)
        again = order("open", sentences.gettext(gathering.game.title), "seats", str(len(gathering.places)))
        buttons = ((say("button_again"), again), (say("button_tables"), order("tables")))
        tell(context, transaction, person, PostPage(head, say("gone_away"), buttons, subject=head))
