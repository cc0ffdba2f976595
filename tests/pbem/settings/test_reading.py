"""A file of settings is read whole, or every mistake in it is told with its place and a remedy."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.settings.kinds import MAIL_ADDRESS, Mistake, Problem, Secret
from pbem.settings.load import read_settings, read_text
from pbem.settings.sections import FolderMailerSettings, MaildirMailerSettings, Settings, SmtpSettings

HOME = Path("/srv/post")


def good(text: str, environ: dict[str, str] | None = None) -> Settings:
    found = read_text(text, HOME, environ or {})
    assert isinstance(found, Settings), found
    return found


def problems(text: str, folder: Path = HOME) -> tuple[Problem, ...]:
    found = read_text(text, folder, {})
    assert isinstance(found, tuple), "nothing was found wrong"
    return found


def test_an_empty_file_has_every_default_and_no_way_in() -> None:
    settings = good("")
    assert settings.post.address == "caravan@example.org"
    assert (settings.maildir, settings.imap, settings.lmtp) == (None, None, None)
    assert settings.out == FolderMailerSettings(HOME / "outgoing")
    assert settings.time.per_turn == timedelta(days=3)


def test_a_way_in_is_opened_by_its_section_standing_there() -> None:
    settings = good("[in.lmtp]\n[in.maildir]\npath = 'box'\n")
    assert settings.lmtp is not None
    assert settings.lmtp.port == 8024
    assert settings.maildir is not None
    assert settings.maildir.path == HOME / "box"
    assert settings.imap is None


def test_files_are_meant_from_the_folder_of_the_settings_unless_absolute() -> None:
    assert good("").store.url == "sqlite:////srv/post/post.db"
    assert good("[store]\nurl = 'sqlite:////var/lib/post.db'").store.url == "sqlite:////var/lib/post.db"
    assert good("[out]\nkind = 'maildir'\npath = '/mail'").out == MaildirMailerSettings(Path("/mail"))
    assert good("[log]\nfile = 'post.log'").log.file == HOME / "post.log"


def test_lengths_of_time_are_read_as_written() -> None:
    time = good("[time]\nper_turn = '1w'\ngrace = '0s'\nreminders = ['1d12h', '90m']\nabsence = '2w'").time
    assert time.absence == timedelta(days=14)
    assert good("[time]\nabsence = '0s'").time.absence == timedelta()
    assert time.per_turn == timedelta(days=7)
    assert time.grace == timedelta()
    assert time.reminders == (timedelta(hours=36), timedelta(minutes=90))


@pytest.mark.parametrize(
    ("text", "place", "wrong", "write"),
    [
        ("[post]\nadress = 'a@b.org'", "post.adress", "not a key", "did you mean address?"),
        ("[post]\naddress = 'caravan'", "post.address", '"caravan" is not a mail address', '"caravan@example.org"'),
        ("[post]\naddress = 'a@b.org\\nBcc: x'", "post.address", "is not a mail address", "write for example"),
        ('[post]\nname = "a\\nb"', "post.name", "is not text", '"Caravan Post"'),
        ("[post]\nplus_addressing = 'yes'", "post.plus_addressing", '"yes"', "write true or false"),
        (
            "[post]\nanswers_per_hour = true",
            "post.answers_per_hour",
            "true is not a whole number",
            "write for example 20",
        ),
        ("[post]\ndomains = 'b.org'", "post.domains", "is not a list", '["games.example.org"]'),
        ("[post]\ndomains = ['b.org', 7]", "post.domains", "7 is not the name", '"mail.example.org"'),
        (
            "[post]\nplus_addressing = false\n[out]\nkind = 'smtp'\nhost = 'x.org'\nbounces = 'verp'",
            "out.bounces",
            "plus_addressing is false",
            'write bounces = "plain"',
        ),
        ("[store]\nurl = 'mysql://x'", "store.url", "is not the address of an SQLite file", "sqlite:///post.db"),
        ("[in.imap]\nport = 70000", "in.imap.port", "70000 is not a whole number from 1 to 65535", "write for example"),
        ("[in.imap]\nafter = 'delete'", "in.imap.after", '"delete" is not known', 'one of "move", "flag"'),
        ("[in.pop3]\n", "in.pop3", "not a section", "known are [in.maildir], [in.imap], [in.lmtp]"),
        ("[outbox]\n", "outbox", "not a section", "did you mean [out]?"),
        ("post = 3", "post", "is a section", "write [post] on a line of its own"),
        ("[out]\nkind = 'pigeon'", "out.kind", '"pigeon" is not known', '"folder", "maildir", "smtp"'),
        ("[out]\nhost = 'mx.example.org'", "out.host", 'no meaning with kind = "folder"', 'kind = "smtp"'),
        ("[time]\nper_turn = 3", "time.per_turn", "3 is not a length of time", '"3d"'),
        ("[time]\nper_turn = '0s'", "time.per_turn", '"0s" is not a length of time', '"3d"'),
        ("[time]\ngrace = '3h2d'", "time.grace", '"3h2d" is not a length of time', '"1h30m"'),
        ("[time]\nper_turn = '999999d'", "time.per_turn", '"999999d" is too long', 'write at most "1000d"'),
        ("[store]\nkeep_sent = '999999d'", "store.keep_sent", '"999999d" is too long', 'write at most "36500d"'),
        ("[store]\npatience = '2h'", "store.patience", '"2h" is too long', 'write at most "1h"'),
        ("[in.maildir]\nevery = '999999w'", "in.maildir.every", '"999999w" is too long', 'write at most "1d"'),
        ("[in.imap]\ntimeout = '999999d'", "in.imap.timeout", '"999999d" is too long', 'write at most "1h"'),
        ("[time]\nabsence = '999999w'", "time.absence", '"999999w" is too long', 'write at most "36500d"'),
        ("[post]\nlargest_letter = 1", "post.largest_letter", "from 16384 to 262144", "write for example 262144"),
        ("[time]\nreminders = ['1d', '200w']", "time.reminders", '"200w" is too long', 'at most "1000d"'),
        ("[time]\nbank = '30d'", "time.bank", 'a bank of "30d" is more than its cap, "14d"', 'cap = "30d" or more'),
        ("[time]\nbank = '14d'\ncap = '2d'", "time.bank", '"14d" is more than its cap, "2d"', "or a smaller bank"),
        (
            "[post]\nlanguage = 'fr'",
            "post.language",
            '"fr" is not known',
            ", ".join(f'"{code}"' for code in LANGUAGE_CODES),
        ),
        ("[time]\nabsence = '12h'", "time.absence", '"12h" is not a number of whole days', '"21d", or "0d" for none'),
        ("[time]\nabsence = '1d12h'", "time.absence", "is not a number of whole days", '"21d"'),
        ("[time]\nabsence = 21", "time.absence", "21 is not a number of whole days", '"21d"'),
        ("[time]\nzone = 'Mars/Olympus'", "time.zone", "is not a known time zone", '"Europe/Berlin"'),
        ("[time]\nzone = '../etc/passwd'", "time.zone", "is not a known time zone", '"UTC"'),
        ("[log]\nfile = 3", "log.file", "3 is not the name of a file", "post.log"),
        ("[post\n", "post.toml", "is not TOML", "line 1"),
    ],
)
def test_a_mistake_says_where_it_is_what_is_wrong_and_what_to_write(
    text: str, place: str, wrong: str, write: str
) -> None:
    (problem,) = problems(text)
    assert problem.key == place
    assert wrong in problem.mistake
    assert write in f"{problem.mistake}; {problem.advice}"
    assert str(problem) == f"{place}: {problem.mistake}; {problem.advice}"


def test_all_mistakes_are_told_at_once() -> None:
    found = problems("[post]\nname = 1\n[time]\ngrace = 1\n[in.lmtp]\nport = 0\n[log]\nlevl = 1\n")
    assert {problem.key for problem in found} == {"post.name", "time.grace", "in.lmtp.port", "log.levl"}


def test_a_file_that_is_not_there_is_a_problem_and_no_traceback(tmp_path: Path) -> None:
    found = read_settings(tmp_path / "post.toml", {})
    assert isinstance(found, tuple)
    assert "pbem init" in found[0].advice
    (tmp_path / "post.toml").write_bytes(b"\xff\xfe")
    found = read_settings(tmp_path / "post.toml", {})
    assert isinstance(found, tuple)
    assert "UTF-8" in found[0].advice


def test_a_file_is_told_by_its_whole_name(tmp_path: Path) -> None:
    for wrong in (None, "[post"):
        if wrong is not None:
            (tmp_path / "post.toml").write_text(wrong, "utf-8")
        found = read_settings(tmp_path / "post.toml", {})
        assert isinstance(found, tuple)
        (problem,) = found
        assert problem.key == str(tmp_path / "post.toml")


def test_a_folder_stands_for_the_settings_in_it(tmp_path: Path) -> None:
    found = read_settings(tmp_path, {})
    assert isinstance(found, tuple)
    (problem,) = found
    assert problem.key == str(tmp_path / "post.toml")
    (tmp_path / "post.toml").write_text("", "utf-8")
    settings = read_settings(tmp_path, {})
    assert isinstance(settings, Settings)
    assert settings.folder == tmp_path


def test_a_mark_of_the_encoding_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "post.toml").write_bytes(b"\xef\xbb\xbf[post]\nname = 'Oasis'\n")
    settings = read_settings(tmp_path / "post.toml", {})
    assert isinstance(settings, Settings)
    assert settings.post.name == "Oasis"


def test_what_is_no_text_is_no_address() -> None:
    assert isinstance(MAIL_ADDRESS.parse("\udcff@x.net"), Mistake)
    assert isinstance(MAIL_ADDRESS.parse("a@\udcff.net"), Mistake)


def test_a_secret_comes_from_the_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "pass").write_text("open sesame\n", "utf-8")
    text = "[out]\nkind = 'smtp'\nuser = 'me'\npassword_file = 'pass'"
    (tmp_path / "post.toml").write_text(text, "utf-8")
    settings = read_settings(tmp_path / "post.toml", {})
    assert isinstance(settings, Settings)
    assert isinstance(settings.out, SmtpSettings)
    assert settings.out.password == Secret("open sesame")
    assert settings.out.user == "me"
    assert settings.out.password is not None
    assert settings.out.password.file == tmp_path / "pass"


def test_the_environment_goes_before_the_file() -> None:
    settings = good("[in.imap]\npassword_file = 'nowhere'", {"PBEM_IN_IMAP_PASSWORD": "tea"})
    assert settings.imap is not None
    assert settings.imap.password == Secret("tea")
    assert good("", {"PBEM_POST_TICKET_KEY": "k"}).post.ticket_key == Secret("k")


@pytest.mark.parametrize("text", ["password_file = 'nowhere'", "password_file = 7", "password_file = 'empty'"])
def test_a_secret_that_cannot_be_had_is_a_problem(tmp_path: Path, text: str) -> None:
    (tmp_path / "empty").touch()
    (problem,) = problems(f"[in.imap]\n{text}", tmp_path)
    assert problem.key == "in.imap.password_file"
    assert "PBEM_IN_IMAP_PASSWORD" in problem.advice


def test_a_key_that_is_not_there_is_to_be_brought_back_and_not_to_be_made_anew(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, said in [("ticket.key", "is not there; restore it from your backup"), ("folder", "is a folder")]:
        (problem,) = problems(f"[post]\nticket_key_file = '{name}'", tmp_path)
        assert said in str(problem)
        assert str(tmp_path / name) in problem.mistake
        assert "PBEM_POST_TICKET_KEY" in problem.advice


def test_a_password_in_the_file_itself_is_refused_and_not_repeated() -> None:
    (problem,) = problems("[in.imap]\npassword = 'open sesame'")
    assert problem.key == "in.imap.password"
    assert "PBEM_IN_IMAP_PASSWORD" in problem.advice
    assert "sesame" not in str(problem)


def test_a_password_does_not_travel_in_clear_except_on_this_machine() -> None:
    near = "[out]\nkind = 'smtp'\nsecurity = 'none'\nhost = '127.0.0.1'"
    assert isinstance(good(near, {"PBEM_OUT_PASSWORD": "x"}).out, SmtpSettings)
    far = read_text(near.replace("127.0.0.1", "mx.example.org"), HOME, {"PBEM_OUT_PASSWORD": "x"})
    assert isinstance(far, tuple)
    assert far[0].key == "out.security"
