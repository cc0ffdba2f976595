"""A secret is shown to nobody who did not ask for it by name."""

import pickle

import pytest

from pbem.settings.kinds import Secret
from pbem.settings.sections import ImapSettings, PostSettings


def test_no_text_form_of_a_secret_shows_it() -> None:
    secret = Secret("open sesame")
    shown = [
        str(secret),
        repr(secret),
        f"{secret}",
        f"{secret:>12}",
        "".join(map(str, [secret])),
        repr(ImapSettings(password=secret)),
    ]
    assert all("<secret>" in text and "sesame" not in text for text in shown)
    assert secret.reveal() == "open sesame"
    assert "sesame" not in repr(PostSettings(ticket_key=secret))


def test_a_secret_is_not_written_by_accident() -> None:
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(Secret("open sesame"))


def test_secrets_are_equal_when_their_words_are() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
