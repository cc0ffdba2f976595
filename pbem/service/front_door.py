"""The door of a post as its settings want it, for every way in which letters come."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pbem.service.post_folder import open_post, open_store
from pbem.settings.sections import Settings
from pbem.store.arrivals import Arrival
from pbem.store.door import Door, Limits
from pbem.store.envelopes import split_by_seat
from pbem.store.rows import LetterRow

if TYPE_CHECKING:
    from pbem.workflow.context import PostContext


def open_door(context: "PostContext") -> Door:
    """The door of an open post."""
    return Door(context.store, _limits(context.settings), partial(is_genuine, context))


@contextmanager
def open_closed_door(settings: Settings) -> Iterator[Door]:
    """The door of a post of which only the store is open. The rest is opened when a letter must be looked at."""
    with open_store(settings) as store:
        yield Door(store, _limits(settings), partial(is_genuine_by_settings, settings))


def is_genuine_by_settings(settings: Settings, arrival: Arrival) -> bool:
    """Whether a letter is a player's own, looked up in a post that is opened for it."""
    with open_post(settings) as context:
        return is_genuine(context, arrival)


def is_genuine(context: "PostContext", arrival: Arrival) -> bool:
    """Whether a letter is a player's own: good ticket, registered sender, not doubted by our mail server."""
    from pbem.workflow.genuine_letters import find_name

    letter = LetterRow(
        *(0, arrival.raw, context.now(), arrival.intake, arrival.env_from, arrival.env_to),
        state="received",
        reason="",
        attempts=0,
        game=None,
        seat=None,
        sha256="",
        begun=0,
    )
    letters = [replace(letter, env_to=each.env_to) for each in split_by_seat(arrival.raw, arrival.env_to)]
    with context.store.reading() as transaction:
        return any(find_name(context, transaction, each)[0] for each in letters)


def _limits(settings: Settings) -> Limits:
    post = settings.post
    return Limits(post.stranger_bytes, post.strangers_bytes, post.player_bytes)
