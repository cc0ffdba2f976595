"""Traps in headers: bombs, injections, line ends that smuggle, and lines of no form."""

import random
from collections.abc import Callable

from tests.hostile.hostile_draft import Draft, Target, Trap, from_a_stranger, sound, vouched

_SIZES = (1_000, 2_000, 20_000, 64_000, 200_000)


def _stranger(change: Callable[[Draft, random.Random, Target], Draft]) -> Trap:
    return lambda rng, target: change(from_a_stranger(rng, target), rng, target).raw()


def _anna(change: Callable[[Draft, random.Random, Target], Draft]) -> Trap:
    return lambda rng, target: change(sound(rng, target), rng, target).raw()


def _bomb(sign: str) -> Trap:
    """A Content-Type with one sign repeated."""
    return _anna(lambda draft, rng, _: draft.put("Content-Type", "text/plain" + sign * rng.choice(_SIZES)))


def _line(line: bytes) -> Trap:
    """A mail with one odd line among its headers."""

    def trap(rng: random.Random, target: Target) -> bytes:
        before = rng.choice([b"\r\nSubject:", b"\r\nFrom:", b"\r\nContent-Type:"])
        return sound(rng, target).raw().replace(before, b"\r\n" + line + before, 1)

    return trap


def _subject(subject: str) -> Trap:
    return _stranger(lambda draft, rng, _: draft.put("Subject", subject.format(n=rng.randrange(10**6))))


def _folds(rng: random.Random, target: Target) -> bytes:
    lines = rng.choice([600, 2_000, 30_000])
    return sound(rng, target).put("Subject", "x" + "\n y" * lines).raw()


def _smuggled(end: bytes) -> Trap:
    """A second mail behind an end of data that one server sees and another does not."""

    def trap(rng: random.Random, target: Target) -> bytes:
        second = b"MAIL FROM:<" + target.sender.encode() + b">\r\nRCPT TO:<x>\r\nDATA\r\n" + sound(rng, target).raw()
        return from_a_stranger(rng, target).raw() + end + second

    return trap


def _bare_returns(rng: random.Random, target: Target) -> bytes:
    raw = sound(rng, target).raw()
    at = rng.randrange(1, len(raw) - 1)
    return raw[:at] + b"\r" + raw[at:] if raw[at : at + 1] != b"\n" else raw[:at] + b"\r\r" + raw[at:]


def _nul(rng: random.Random, target: Target) -> bytes:
    raw = sound(rng, target).raw()
    at = rng.randrange(len(raw))
    return raw[:at] + b"\0" * rng.choice([1, 5]) + raw[at:]


def _message_id(rng: random.Random, target: Target) -> bytes:
    guess = rng.choice(["<>", "<" + "a" * 5000 + "@b>", "no brackets", "<a b@c>", "<a@b><c@d>", "\x01", "<\u00e9@b>"])
    return from_a_stranger(rng, target).put("Message-ID", guess).raw()


def _two_of(name: str) -> Trap:
    return _anna(lambda draft, rng, _: draft.add(name, rng.choice(["text/html", "base64", "attachment", "<x@y>"])))


def _many(name: str, most: int) -> Trap:
    def change(draft: Draft, rng: random.Random, target: Target) -> Draft:
        for number in range(rng.choice([most + 1, most * 2])):
            draft = draft.add(name, f"from a{number} by b{number}")
        return draft

    return _anna(change)


def _only(raw: bytes) -> Trap:
    return lambda rng, target: raw * rng.choice([1, 3, 1000])


TRAPS: dict[str, Trap] = {
    "0.3 semicolon bomb": _bomb(";"),
    "0.3 semicolon and quote bomb": _bomb(';"'),
    "0.3 parameter bomb": _bomb("; a=b"),
    "0.3 backslash bomb": _bomb('; a="\\'),
    "T4 comment bomb in Content-Type": _bomb("("),
    "T4 blank bomb": _bomb("   x"),
    "T12 header block too large": _anna(lambda draft, rng, _: draft.add("X-Big", "b" * rng.choice([33_000, 100_000]))),
    "T12 long Subject": _anna(lambda draft, rng, _: draft.put("Subject", "s" * rng.choice([999, 5_000, 30_000]))),
    "T12 long From": _anna(lambda draft, rng, t: draft.put("From", "A" * rng.choice([990, 9_000]) + f" <{t.sender}>")),
    "T12 thousands of recipients": _anna(lambda d, rng, t: d.put("To", f"{t.reply_to}, " * rng.choice([50, 600]))),
    "T12 too many headers": _many("X-Filler", 100),
    "T12 thousands of headers": _many("X", 1_400),
    "T6 Received storm": _many("Received", 50),
    "T12 folding bomb": _folds,
    "T12 mail too large": _anna(lambda draft, rng, _: draft.text("a" * (256 * 1024 + rng.randrange(1_000)))),
    "0.4 newline in an encoded Subject": _subject("=?UTF-8?Q?=0ABcc:_x{n}@evil.example?= \u00e9"),
    "0.4 CRLF in a base64 Subject": _subject("=?utf-8?b?DQpCY2M6IHhAZXZpbC5leGFtcGxlDQoNCmhp?= {n}"),
    "0.4 NUL in an encoded Subject": _subject("=?utf-8?q?a=00b=7F=1B[2J{n}?="),
    "T10 markup in the Subject": _subject("<script>alert({n})</script> {{{{7*7}}}} %s"),
    "T10 overriding direction in the Subject": _subject("=?utf-8?q?=E2=80=AE{n}=E2=81=A6?="),
    "T4 endless encoded words": _subject("=?utf-8?q?{n}" + "=?utf-8?q?" * 90),
    "T4 encoded word of an odd charset": _subject("=?utf-7?q?+AGEAYgBj-{n}?= =?zip?b?eJwDAAAAAAE=?= =?punycode?q?a-?="),
    "0.4 blank before a colon": _line(b"Subject : x"),
    "0.4 tab before a colon": _line(b"To\t: x"),
    "T20 header without a colon": _line(b"no colon here"),
    "T20 blank continuation": _line(b" \t "),
    "T20 control sign in a name": _line(b"X-\x01Odd: x"),
    "T20 8-bit name": _line(b"X-\xc3\xa9: x"),
    "T20 colon only": _line(b": x"),
    "T20 continuation before all": lambda rng, target: b" x\r\n" + sound(rng, target).raw(),
    "T20 LF dot CRLF": _smuggled(b"\n.\r\n"),
    "T20 LF dot LF": _smuggled(b"\n.\n"),
    "T20 CR dot CR": _smuggled(b"\r.\r"),
    "T20 CRLF dot CR": _smuggled(b"\r\n.\r"),
    "T20 CRLF dot LF": _smuggled(b"\r\n.\n"),
    "T20 whole second mail in the body": _smuggled(b"\r\n..\r\n"),
    "T20 carriage return alone": _bare_returns,
    "T20 NUL": _nul,
    "T15 odd Message-ID": _message_id,
    "T3 two Subjects": _two_of("Subject"),
    "T3 two Message-IDs": _two_of("Message-ID"),
    "T3 two Content-Types": _two_of("Content-Type"),
    "T3 two transfer encodings": lambda rng, t: sound(rng, t).add("Content-Transfer-Encoding", "base64").raw(),
    "T4 8-bit headers": _stranger(
        lambda draft, rng, _: draft.add("X-Raw", rng.randbytes(200).translate(None, b"\r\n\0"))
    ),
    "T17 nothing": _only(b""),
    "T17 blank lines": _only(b"\r\n"),
    "T17 one letter": _only(b"a"),
    "T17 colons": _only(b":"),
    "T17 only a body": _stranger(lambda draft, rng, _: Draft((), draft.body)),
    "T17 noise": lambda rng, _: rng.randbytes(rng.choice([1, 50, 5_000])),
    "T17 noise below good headers": lambda rng, t: from_a_stranger(rng, t).raw() + rng.randbytes(3_000),
    "T3 envelope line on top": lambda rng, t: (
        b"From " + t.sender.encode() + b" Mon Nov 16\r\n" + from_a_stranger(rng, t).raw()
    ),
    "T3 vouched twice": _stranger(lambda draft, rng, t: draft.add("Authentication-Results", vouched(t))),
}
