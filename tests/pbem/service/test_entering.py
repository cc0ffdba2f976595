"""Only a post that is there is entered."""

from dataclasses import replace

import pytest

from pbem.service.post_folder import open_post, open_store
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError


def test_a_database_that_is_missing_is_not_made_in_passing(settings: Settings) -> None:
    settings.database.unlink()
    for way in (open_store, open_post):
        with pytest.raises(StoreRefusedError, match=r"is not there; .* put a backup in its place"), way(settings):
            pass
    assert not settings.database.exists()


def test_a_database_that_is_empty_is_not_taken_for_a_new_post(settings: Settings) -> None:
    settings.database.write_bytes(b"")
    for way in (open_store, open_post):
        with pytest.raises(StoreRefusedError, match=r"is empty: .* put a backup in its place"), way(settings):
            pass
    assert not settings.database.stat().st_size


def test_without_the_key_of_its_tickets_nobody_enters(settings: Settings) -> None:
    keyless = replace(settings, post=replace(settings.post, ticket_key=None))
    with pytest.raises(StoreRefusedError, match="ticket_key_file"), open_post(keyless):
        pass
    with open_store(keyless) as store:
        assert store.counters().received == 0, "letters are kept all the same"
