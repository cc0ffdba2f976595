"""A new file says the defaults, and the manual says the same as the file and the code."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.settings.durations import format_duration, parse_duration
from pbem.settings.load import environment_variable, read_text
from pbem.settings.new_file import default_toml
from pbem.settings.sections import (
    ALWAYS,
    INTAKES,
    MAILER_KIND_ABOUT,
    MAILERS,
    MaildirMailerSettings,
    Settings,
    SmtpSettings,
)
from pbem.settings.setting_keys import keys_of

HOME = Path("/srv/post")
SECTIONS = ALWAYS | {f"in.{name}": section for name, section in INTAKES.items()}


def test_a_new_file_means_what_an_empty_one_means() -> None:
    assert read_text(default_toml(), HOME, {}) == read_text("", HOME, {})


@pytest.mark.parametrize("kind", MAILERS)
def test_every_line_that_is_commented_out_is_right_too(kind: str) -> None:
    text = re.sub(r"^#(?=[\[\w])", "", default_toml({"out.kind": kind}), flags=re.MULTILINE)
    begin, end = text.index("\n[out]"), text.index("\n# How much time")
    inner = [key.written for key in keys_of(MAILERS[kind])]
    out = [line for line in text[begin:end].splitlines() if line.partition(" =")[0] in {"[out]", "kind", *inner}]
    # Two kinds have a key of the same name, so only the lines of the kind chosen may stay, and each once.
    kept = {line.partition(" =")[0]: line for line in (reversed(out) if kind == "folder" else out)}
    rest = "\n".join(line for name, line in kept.items() if name != "[out]")
    settings = read_text(f"{text[:begin]}\n[out]\n{rest}{text[end:]}", HOME, {})
    assert isinstance(settings, Settings), settings
    assert None not in (settings.maildir, settings.imap, settings.lmtp)
    assert type(settings.out) is MAILERS[kind]


def test_what_was_chosen_stands_in_the_new_file() -> None:
    chosen = {
        "post.address": "a@b.org",
        "out.kind": "maildir",
        "out.path": Path("boxes"),
        "in.maildir.path": Path("in"),
    }
    settings = read_text(default_toml(chosen | {"time.per_turn": timedelta(hours=36)}), HOME, {})
    assert isinstance(settings, Settings)
    assert settings.post.address == "a@b.org"
    assert settings.out == MaildirMailerSettings(HOME / "boxes")
    assert settings.maildir is not None
    assert settings.maildir.path == HOME / "in"
    assert settings.time.per_turn == timedelta(hours=36)


def test_a_file_with_a_secret_is_named_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "ticket.key").write_text("abc", "utf-8")
    text = default_toml({"post.ticket_key_file": "ticket.key", "out.kind": "smtp", "out.host": "mx.example.org"})
    settings = read_text(text, tmp_path, {})
    assert isinstance(settings, Settings)
    assert settings.post.ticket_key is not None
    assert settings.post.ticket_key.reveal() == "abc"
    assert settings.out == SmtpSettings(host="mx.example.org")


def test_a_choice_that_is_no_key_is_our_own_mistake() -> None:
    with pytest.raises(KeyError, match=r"post\.adress"):
        default_toml({"post.adress": "a@b.org"})


@pytest.mark.parametrize("text", ["3d", "12h", "1h30m", "45s", "14d", "1d6h5m4s", "0s"])
def test_lengths_of_time_are_written_as_they_are_read(text: str) -> None:
    span = parse_duration(text)
    assert span is not None
    assert format_duration(span) == text


@pytest.mark.parametrize("text", ["", "3", "d", "3 days", "-3d", "1.5h", "30m1h", "3d3d", "9999999d"])
def test_what_is_no_length_of_time_is_not_read(text: str) -> None:
    assert parse_duration(text) is None


def test_the_manual_has_every_key_with_its_default_and_its_sentence_and_no_other(root: Path) -> None:
    page = (root / "docs/configuration.md").read_text("utf-8")
    expected: dict[str, list[str]] = {}
    for where, section in [*SECTIONS.items(), *((f"out: {kind}", section) for kind, section in MAILERS.items())]:
        place = where.partition(":")[0]
        expected[where] = [
            f"| `{key.written}` | `{key.example}` | "
            + key.about
            + (f" Or `{environment_variable(place, key.name)}`." if key.hidden else "")
            + " |"
            for key in keys_of(section)
        ]
    found: dict[str, list[str]] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = part.partition("\n")[0]
        if named := re.match(r"`\[(.+?)\]`(?: kind = \"(\w+)\")?", title):
            where = f"{named[1]}: {named[2]}" if named[2] else named[1]
            found[where] = re.findall(r"^\| `.*\|$", part, re.MULTILINE)
    assert found == expected
    assert MAILER_KIND_ABOUT in page
