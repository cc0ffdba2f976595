"""The front desk: what the post says to people and to strangers, apart from any table.

Nobody is answered whose address our mail server does not vouch for, so no forged sender makes us write to anybody.
Nothing of a stranger's letter is kept or passed on: only a count under a keyed digest of the address.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from engine import registry
from pbem.locale.cldr import join_list
from pbem.mail.post_ticket import TicketKind, format_post_address, format_post_tag
from pbem.mail.reading import Authenticity, Letter
from pbem.mail.writing.occasions import Correspondent
from pbem.mail.writing.post_mails import PostEnvelope, PostPage, PostSentences, find_post_sentences, write_post_mail
from pbem.people.names import fold_name, free_name
from pbem.settings.front_desk import INVITED, NOBODY
from pbem.store.rows import LetterRow, NewMail, PersonRow
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext

WELCOMES_IN_ALL: Final = 3
QUIET: Final = 90
"""Without an answer to so many welcomes, an address gets none for so many days."""
_HUSHED: Final = "hushed"
_CAME_BACK: Final = "came back"


@dataclass(frozen=True, slots=True)
class Desk:
    """What an answer to a person needs: the post, the transaction, the person, and their letter."""

    context: PostContext
    transaction: Transaction
    person: PersonRow
    letter: Letter
    row: LetterRow

    @property
    def language(self) -> str:
        """The language that the person is written to in."""
        return language_of(self.context, self.transaction, self.person)

    @property
    def zone(self) -> str:
        """The time zone that the person lives in, as far as we know."""
        return self.transaction.wishes_of(self.person.id).get("zone", self.context.settings.time.zone)

    @property
    def sentences(self) -> PostSentences:
        """Sentences in that language."""
        return find_post_sentences(self.language)


def is_open(context: PostContext, letter: Letter) -> bool:
    """Whether a letter without a ticket may be answered at all: our mail server vouches for who wrote it."""
    lobby = context.settings.lobby
    if lobby.strangers == NOBODY or context.identity.authserv_id is None:
        return False
    return letter.authentic is Authenticity.PASS and not _matches(letter.sender, lobby.block)


def join_pages(pages: Sequence[PostPage]) -> PostPage:
    """One mail for everything that a letter asked for: the last thing above, what was done before it below."""
    last, *others = reversed(pages)
    told = tuple(f"{each.headline.rstrip('.')}. {each.lead}".strip() for each in reversed(others))
    return replace(
        last,
        lines=(*last.lines, *(line for each in reversed(others) for line in each.lines)),
        after=(*told, *last.after),
        attached=next((each.attached for each in pages if each.attached is not None), None),
    )


def not_understood(desk: Desk) -> PostPage:
    """What can be asked for, to somebody who asked for something else."""
    say, order = desk.sentences.say, desk.sentences.order
    buttons = ((say("button_tables"), order("tables")), (say("button_games"), order("my games")))
    return PostPage(say("head_not_understood"), buttons=buttons, after=(say("open_own"),))


def rename(transaction: Transaction, person: PersonRow, name: str) -> PersonRow:
    """Call a person something else; with a number if others are called so."""

    def is_taken(key: str) -> bool:
        other = transaction.person_named(key)
        return other is not None and other.id != person.id

    called = free_name(name, is_taken)
    renamed = replace(person, name=called, name_key=fold_name(called))
    transaction.save_person(renamed)
    return renamed


def welcome(context: PostContext, transaction: Transaction, address: str) -> bool:
    """Welcome a stranger; False if the limits do not allow it, or the post does not want it."""
    lobby, today = context.settings.lobby, context.now().date()
    stranger, domain = _without_plus(address), address.lower().rpartition("@")[2]
    if lobby.strangers == INVITED or (lobby.allow and not _matches(address, lobby.allow)):
        return False
    limits = (("welcome", stranger, 1), ("welcome to domain", domain, lobby.welcomes_by_domain))
    quiet = str(today - timedelta(days=QUIET))
    if (
        is_hushed(context, transaction, address)
        or _noted(context, transaction, "welcome", stranger, since=quiet) >= WELCOMES_IN_ALL
        or any(_noted(context, transaction, what, about, since=str(today)) >= most for what, about, most in limits)
        or transaction.used("welcome", since=str(today)) >= lobby.welcomes
    ):
        return False
    for what, about, _ in limits:
        _note(context, transaction, what, about, str(today))
    transaction.count_use("welcome", str(today))
    _send_welcome(context, transaction, address)
    return True


def _send_welcome(context: PostContext, transaction: Transaction, address: str) -> None:
    """The one mail to a stranger: nothing in it comes from the letter."""
    language, day = context.settings.post.language, context.now().date().toordinal()
    say, post = find_post_sentences(language).say, context.composer.post
    gettext, order = find_post_sentences(language).gettext, find_post_sentences(language).order
    games = [registry.find_game(key) for key in registry.game_keys()]
    listed = [f"{gettext(game.title)} ({game.players[0]}-{game.players[-1]})" for game in games if game is not None]
    page = PostPage(
        say("subject_welcome", post.name),
        say("lead_welcome"),
        ((say("button_yes"), order("yes")), (say("button_never"), order("no more mail"))),
        after=(say("games", join_list(tuple(listed), language)), say("not_you")),
        point=say("point_welcome"),
        subject=say("subject_welcome", post.name),
        kind="welcome",
    )
    reader = Correspondent("", address, language, context.settings.time.zone)
    reply_to, tag = reply_address(context, "hi", str(day), sender=address)
    envelope = PostEnvelope(reader, "", day, reply_to, context.now(), tag)
    mail = write_post_mail(post, envelope, page)
    transaction.enqueue([NewMail(mail.message_id, mail.to, mail.kind, mail.raw)])


def may_invite(context: PostContext, transaction: Transaction, address: str) -> bool:
    """Whether an address that nobody is known at may get an invitation: one in 90 days, and none after a no."""
    lobby, today = context.settings.lobby, context.now().date()
    quiet = str(today - timedelta(days=QUIET))
    if is_hushed(context, transaction, address) or _matches(address, lobby.block):
        return False
    mailbox = _without_plus(address)
    if (lobby.allow and not _matches(address, lobby.allow)) or _noted(
        context, transaction, "invited", mailbox, since=quiet
    ):
        return False
    _note(context, transaction, "invited", mailbox, str(today))
    return True


def send_invitation(context: PostContext, transaction: Transaction, address: str, page: PostPage, place: int) -> None:
    """The one mail to an address that never wrote to us."""
    reader = Correspondent("", address, context.settings.post.language, context.settings.time.zone)
    reply_to, tag = reply_address(context, "in", str(place))
    envelope = PostEnvelope(reader, "", place, reply_to, context.now(), tag)
    mail = write_post_mail(context.composer.post, envelope, page)
    transaction.enqueue([NewMail(mail.message_id, mail.to, mail.kind, mail.raw)])


def address_digest(context: PostContext, address: str) -> str:
    """What stands for an address that nobody is known at, where a person's id would stand."""
    return address_digests(context, address)[0]


def address_digests(context: PostContext, address: str) -> list[str]:
    """All that may stand for such an address: the first by the key of today, others by keys before it."""
    return [f"@{each}" for each in _digests(context, _without_plus(address))]


def hush(context: PostContext, transaction: Transaction, address: str) -> None:
    """Write to an address no more; only a keyed digest of it is kept."""
    _note(context, transaction, _HUSHED, _without_plus(address), "9999-12-31")


def leave_alone(context: PostContext, transaction: Transaction, address: str) -> None:
    """Write to an address no more for some time, because a mail to it came back."""
    _note(context, transaction, _CAME_BACK, _without_plus(address), str(context.now().date()))


def is_hushed(context: PostContext, transaction: Transaction, address: str) -> bool:
    """Whether somebody has asked us not to write to an address, or a mail to it came back not long ago."""
    mailbox, quiet = _without_plus(address), str(context.now().date() - timedelta(days=QUIET))
    return bool(
        _noted(context, transaction, _HUSHED, mailbox, since="0000-01-01")
        or _noted(context, transaction, _CAME_BACK, mailbox, since=quiet)
    )


def answer(desk: Desk, page: PostPage) -> None:
    """Answer a person's letter."""
    send_page(desk.context, desk.transaction, desk.person, page, ticket=page.ticket, answers=desk.letter)


def tell(
    context: PostContext, transaction: Transaction, person: PersonRow, page: PostPage, *, place: int | None = None
) -> None:
    """Write to a person who has not just written, unless they want no mail. `place` is one that they may answer for."""
    addresses = transaction.addresses_of(person.id)
    if person.state == "confirmed" and addresses and not is_hushed(context, transaction, addresses[0].address):
        send_page(context, transaction, person, page, ticket=None if place is None else ("in", str(place)))


def language_of(context: PostContext, transaction: Transaction, person: PersonRow) -> str:
    """The language that a person is written to in."""
    return transaction.wishes_of(person.id).get("language", context.settings.post.language)


def send_page(
    context: PostContext,
    transaction: Transaction,
    person: PersonRow,
    page: PostPage,
    *,
    to: str = "",
    ticket: tuple[TicketKind, *tuple[str, ...]] | None = None,
    answers: Letter | None = None,
) -> None:
    """Write to a person, at the address that mails go to or at another one; `ticket` is what an answer is about."""
    key = f"mails to person {person.id}"
    number = int(transaction.load_setting(key) or 0) + 1
    transaction.save_setting(key, str(number))
    wishes = transaction.wishes_of(person.id)
    language = language_of(context, transaction, person)
    zone = wishes.get("zone", context.settings.time.zone)
    to = to or transaction.addresses_of(person.id)[0].address
    reader = Correspondent(person.name, to, language, zone, plain=wishes.get("plain") == "on")
    if ticket is None:
        reply_to, tag = reply_address(context, "me", person.id, str(person.generation))
    else:
        reply_to, tag = reply_address(context, *ticket)
    envelope = PostEnvelope(
        reader,
        person.id,
        number,
        reply_to,
        context.now(),
        tag,
        thread=answers.subject if answers is not None and answers.subject.isprintable() else "",
        answers=(answers.message_id or "") if answers is not None else "",
    )
    mail = write_post_mail(context.composer.post, envelope, page)
    transaction.enqueue([NewMail(mail.message_id, mail.to, mail.kind, mail.raw)])


def reply_address(context: PostContext, kind: TicketKind, *about: str, sender: str = "") -> tuple[str, str]:
    """The reply address, and the subject tag that is needed if the address cannot carry the ticket."""
    if context.settings.post.plus_addressing:
        return format_post_address(context.identity, kind, *about, sender=sender), ""
    return context.identity.address, format_post_tag(context.identity, kind, *about, sender=sender)


def _matches(address: str, listed: Sequence[str]) -> bool:
    mailbox, domain = address.lower(), address.lower().rpartition("@")[2]
    return any(each.lower() in (mailbox, domain, f"@{domain}") for each in listed)


def _without_plus(address: str) -> str:
    mailbox, _, domain = address.lower().rpartition("@")
    return f"{mailbox.partition('+')[0]}@{domain}"


def _note(context: PostContext, transaction: Transaction, what: str, about: str, day: str) -> None:
    """Count something for an address or a domain that nobody is known at."""
    transaction.count_use(f"{what} {_digests(context, about)[0]}", day)


def _noted(context: PostContext, transaction: Transaction, what: str, about: str, *, since: str) -> int:
    """How often it was counted from a day on, also by keys that were replaced since."""
    return sum(transaction.used(f"{what} {each}", since=since) for each in _digests(context, about))


def _digests(context: PostContext, about: str) -> list[str]:
    """What is kept instead of an address or a domain: a digest with the key of today, and those with older keys."""
    said, post = f"caravan-post/stranger\0{about}".encode(), context.identity
    keys = (post.ticket_key, *post.older_keys, *post.stolen_keys)
    return [hmac.digest(key, said, hashlib.sha256).hex()[:32] for key in keys]
