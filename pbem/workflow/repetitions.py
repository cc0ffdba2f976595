"""Letters that say again what nothing came of before: a program that answers every mail writes them, header or not.

The first is answered, as a person's would be. The same words again, at the same place and with nothing changed since,
would get the same answer, so they get none: two programs that write to each other fall silent after two rounds. Numbers
that a program counts on, and times of day, do not make other words of them; places on a board do. A program also fills
other words into the same form, so a longer letter is alike where half of its pairs of words were said before. Somebody
who asks in words of their own is answered, a dozen times a day.
"""

import hashlib
import hmac
import re
from datetime import timedelta
from itertools import pairwise
from typing import Final

from pbem.mail.commands.letter_line import Question
from pbem.mail.commands.letter_rules import L4
from pbem.mail.post_commands.person import SayNo, SayYes
from pbem.mail.post_commands.reader import PostLetter
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext

_SMALL_TALK: Final = 12
"""How many letters a day to a table are answered that hold no order at all, whatever their words."""
_AT_THE_POST: Final = 3
"""The same for letters to the post itself that hold a yes or a no alone."""
_ALIKE: Final = 1
"""How many of them that are filled into a form of words that was answered already."""
_SKETCH: Final = 24
"""Pairs of words that are remembered of a letter: of any two letters the same ones, so that they can be compared."""
_FORM: Final = 4
"""Pairs of words that a letter has at least that is compared: two short questions may well begin alike."""
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

    `in_all` bounds letters of one day with whatever words, and letters of one form are fewer; 0 is no bound. The letter
    is counted.
    """
    today = context.now().date()
    yesterday = str(today - timedelta(days=1))
    same = f"said before {place} {_digest(context, words)}"
    every, alike = f"answered in vain {place}", f"answered alike {place}"
    if transaction.used(same, since=yesterday) >= most:
        return True
    counted = [same, every]
    if in_all:
        if transaction.used(every, since=str(today)) >= in_all:
            return True
        sketch = [f"pair {place} {pair}" for pair in _sketch(context, words)]
        known = sum(transaction.used(pair, since=yesterday) > 0 for pair in sketch)
        if len(sketch) >= _FORM and 2 * known >= len(sketch):
            if transaction.used(alike, since=yesterday) >= _ALIKE:
                return True
            counted.append(alike)
        counted += sketch
    for key in counted:
        transaction.count_use(key, str(today))
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
        return is_repeated(context, transaction, person, words, in_all=_AT_THE_POST)
    most = _SAME_QUESTION if parsed.unread else _SAME_ORDERS
    return is_repeated(context, transaction, f"asked for by {person}", words, most=most)


def _sketch(context: PostContext, words: str) -> list[str]:
    """Digests of a few pairs of neighbouring words: those with the lowest ones, which follow from the words alone."""
    said = _without_counters(words)
    return sorted({_digest(context, " ".join(pair)) for pair in pairwise(said)})[:_SKETCH]


def _digest(context: PostContext, words: str) -> str:
    said = " ".join(_without_counters(words))
    return hmac.digest(context.identity.ticket_key, f"caravan-post/said\0{said}".encode(), hashlib.sha256).hex()[:32]


def _without_counters(words: str) -> list[str]:
    return ["#" if _is_counter(word) else word for word in words.casefold().split()]


def _is_counter(word: str) -> bool:
    """Whether a word is a number that is another one each time, and no place or path on a board."""
    return sum(map(str.isdigit, word)) >= 3 and not _PATH.fullmatch(word)
