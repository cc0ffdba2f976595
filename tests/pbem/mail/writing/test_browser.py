"""Every kind of mail in every language, looked at in a real browser on a small screen."""

from collections.abc import Callable

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from tests.browser.chromium import look

PHONE = 360
"""Points across a small telephone."""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", sorted(LANGUAGE_CODES))
def test_a_mail_fits_a_telephone_can_be_tapped_and_can_be_read(
    language: str,
    theme: str,
    write_mails: Callable[..., dict[str, Mail]],
    composer: Composer,
    read: Callable[[Mail], dict[str, str]],
) -> None:
    pages = {name: read(mail)["text/html"] for name, mail in write_mails(composer, language).items()}
    seen = look(pages, width=PHONE, dark=theme == "dark")
    assert seen.keys() == pages.keys()
    assert {name: page.width for name, page in seen.items() if page.width > PHONE} == {}
    assert {name: page.low for name, page in seen.items() if page.low} == {}
    assert {name: page.faint for name, page in seen.items() if page.faint} == {}
