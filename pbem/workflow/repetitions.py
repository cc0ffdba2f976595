"""Letters that say again what nothing came of before: a program that answers every mail writes them, header or not.

The first is answered, as a person's would be. The same words again, at the same place and with nothing changed since,
would get the same answer, so they get none: two programs that write to each other fall silent after two rounds. Numbers
that a program counts on, and times of day, do not make other words of them; places on a board do. Somebody who tries in
other words is answered, up to a few times a day.
"""

import hashlib
import hmac
import re
from datetime import timedelta
from typing import Final

from pbem.mail.commands.letter_line import Question
from pbem.mail.commands.letter_rules import L4
from pbem.mail.post_commands.person import SayNo, SayYes
from pbem.mail.post_commands.reader import PostLetter
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext

_SMALL_TALK: Final = 3
"""How many letters a day are answered that hold no order at all, whatever their words."""
_SAME_ORDERS: Final = 20
"""How often in two days the post itself does the same for the same words."""
_SAME_QUESTION: Final = 2
"""How often the same words are answered that may be a move or an order: somebody may have missed the first answer."""
_PATH: Final = re.compile(r"\W*\d{1,2}-\d{1,2}\W*")
"""A path on a board, such as 17-18."""


def is_repeated(
    context: PostContext, transaction: Transaction, place: str, words: str, *, most: int = 1, in_all: int = 0
) -> bool:
    """Whether a letter from a place gets no answer: its words were answered before, or too many were today.

    `in_all` bounds letters of one day with whatever words; 0 is no bound. The letter is counted.
    """
    today = context.now().date()
    same = f"said before {place} {_digest(context, words)}"
    every = f"answered in vain {place}"
    if transaction.used(same, since=str(today - timedelta(days=1))) >= most:
        return True
    if in_all and transaction.used(every, since=str(today)) >= in_all:
        return True
    transaction.count_use(same, str(today))
    transaction.count_use(every, str(today))
    return False


def is_asked_again(
    context: PostContext, transaction: Transaction, place: str, head: str, words: str, question: Question
) -> bool:
    """Whether a letter to a table with which nothing was done gets no answer. `head` says how the table stands."""
    if question.rule == L4:
        return is_repeated(context, transaction, place, words, in_all=_SMALL_TALK)
    return is_repeated(context, transaction, f"{place} {head}", words, most=_SAME_QUESTION)


def is_said_again(context: PostContext, transaction: Transaction, person: str, words: str, parsed: PostLetter) -> bool:
    """Whether a person's letter to the post itself gets no answer. Programs that answer every mail begin with a yes."""
    if not parsed.commands:  # of two letters with nothing in them for us, one is answered
        return is_repeated(context, transaction, f"not understood {person}", words, in_all=1)
    if all(isinstance(each, SayYes | SayNo) for each in parsed.commands):
        return is_repeated(context, transaction, person, words, in_all=_SMALL_TALK)
    most = _SAME_QUESTION if parsed.unread else _SAME_ORDERS
    return is_repeated(context, transaction, f"asked for by {person}", words, most=most)


def _digest(context: PostContext, words: str) -> str:
    said = " ".join(_without_counters(words))
    return hmac.digest(context.identity.ticket_key, f"caravan-post/said\0{said}".encode(), hashlib.sha256).hex()[:32]


def _without_counters(words: str) -> list[str]:
    return ["#" if _is_counter(word) else word for word in words.casefold().split()]


def _is_counter(word: str) -> bool:
    """Whether a word is a number that is another one each time, and no place or path on a board."""
    return sum(map(str.isdigit, word)) >= 3 and not _PATH.fullmatch(word)
