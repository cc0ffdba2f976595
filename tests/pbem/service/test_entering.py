"""Only a post that is there is entered, and only one process at a time is its clerk."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.entering import BusyOfficeError, enter, open_store, take_key
from pbem.service.founding import database_of
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError


def test_a_database_that_is_missing_is_not_made_in_passing(settings: Settings) -> None:
    database_of(settings).unlink()
    for way in (open_store, enter, take_key):
        with pytest.raises(StoreRefusedError, match="is not there"), way(settings):
            pass
    assert not database_of(settings).exists()


def test_without_the_key_of_its_tickets_nobody_enters(settings: Settings) -> None:
    keyless = replace(settings, post=replace(settings.post, ticket_key=None))
    with pytest.raises(StoreRefusedError, match="ticket_key_file"), enter(keyless):
        pass
    with open_store(keyless) as store:
        assert store.counters().received == 0, "letters are kept all the same"


def test_the_second_clerk_is_told_who_the_first_is(settings: Settings) -> None:
    with take_key(settings):
        with pytest.raises(BusyOfficeError, match=f"process {os.getpid()}"), take_key(settings):
            pass
        with enter(settings):
            pass  # looking is free
    with take_key(settings):
        pass


def test_a_process_that_dies_leaves_no_key_behind(settings: Settings) -> None:
    child = os.fork()
    if not child:
        with take_key(settings):
            os._exit(9)
    os.waitpid(child, 0)
    with take_key(settings):
        pass


def test_the_key_lies_beside_the_database(settings: Settings, tmp_path: Path) -> None:
    with take_key(settings):
        assert (tmp_path / "post/post.db.lock").read_text("ascii") == f"{os.getpid()}\n"
