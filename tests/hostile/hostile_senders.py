"""Traps in who a mail is from: two readings of one From line, look-alikes, and vouching that is not ours."""

import random

from tests.hostile.hostile_draft import Draft, Target, Trap, from_a_stranger, sound, vouched


def _from(value: str) -> Trap:
    """A trap made of one From line; `{anna}` is the registered sender, `{n}` a number."""

    def trap(rng: random.Random, target: Target) -> bytes:
        mailbox = target.sender.partition("@")[0]
        line = value.format(anna=target.sender, mailbox=mailbox, home=target.home, n=rng.randrange(10**6))
        return sound(rng, target).put("From", line).raw()

    return trap


def _two_froms(rng: random.Random, target: Target) -> bytes:
    lines = [f"Anna <{target.sender}>", "Mallory <mallory@evil.example>"]
    rng.shuffle(lines)
    draft = sound(rng, target).drop("From")
    draft = draft.top("From", lines[0]) if rng.random() < 0.5 else draft.add("from", lines[0])
    return draft.add(rng.choice(["From", "FROM", "fRoM"]), lines[1]).raw()


def _blank_before_colon(rng: random.Random, target: Target) -> bytes:
    raw = from_a_stranger(rng, target).raw()
    hidden = f"From{rng.choice([' ', chr(9), '  '])}: Anna <{target.sender}>\r\n".encode()
    return hidden + raw if rng.random() < 0.5 else raw.replace(b"\r\nSubject:", b"\r\n" + hidden + b"Subject:", 1)


def _folded_address(rng: random.Random, target: Target) -> bytes:
    cut = rng.randrange(1, len(target.sender))
    return sound(rng, target).put("From", f"Anna <{target.sender[:cut]}\n {target.sender[cut:]}>").raw()


def _lookalike(rng: random.Random, target: Target) -> bytes:
    twins = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "n": "\uff4e", "x": "\u0445", "p": "\u0440", "c": "\u0441"}
    places = [at for at, sign in enumerate(target.sender) if sign in twins]
    at = rng.choice(places)
    forged = target.sender[:at] + twins[target.sender[at]] + target.sender[at + 1 :]
    return sound(rng, target).put("From", f"Anna <{forged}>").raw()


def _invisible_sign(rng: random.Random, target: Target) -> bytes:
    at = rng.randrange(1, len(target.sender))
    sign = rng.choice(["\u200b", "\u200e", "\u202e", "\u00ad", "\ufeff", "\u2060"])
    return sound(rng, target).put("From", f"<{target.sender[:at]}{sign}{target.sender[at:]}>").raw()


def _eight_bit_from(rng: random.Random, target: Target) -> bytes:
    name = bytes(rng.randrange(0x80, 0x100) for _ in range(6)) + b"\xff"
    return sound(rng, target).put("From", name + f" <{target.sender}>".encode()).raw()


def _nested_comments(rng: random.Random, target: Target) -> bytes:
    depth = rng.choice([1, 5, 100, 450])
    return sound(rng, target).put("From", "(" * depth + ")" * depth + f" {target.sender}").raw()


def _spoofed(results: str) -> Trap:
    """Anna's From line and a stolen ticket, but what our server found says otherwise."""

    def trap(rng: random.Random, target: Target) -> bytes:
        line = results.format(server=target.authserv_id, home=target.home, n=rng.randrange(10**6))
        return sound(rng, target).put("Authentication-Results", line).raw()

    return trap


def _guessed(draft: Draft, rng: random.Random, target: Target) -> Draft:
    """A forger who knows everything but the code of the ticket."""
    code = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=16))
    return draft.put("To", target.reply_to.replace(target.reply_to.partition("@")[0][-16:], code))


def _foreign_results(rng: random.Random, target: Target) -> bytes:
    server = rng.choice(["mx.evil.example", f"{target.authserv_id}.evil.example", f"x{target.authserv_id}", '"', ";"])
    draft = _guessed(sound(rng, target), rng, target)
    return draft.put("Authentication-Results", vouched(target).replace(target.authserv_id, server, 1)).raw()


def _ours_below_foreign(rng: random.Random, target: Target) -> bytes:
    draft = _guessed(sound(rng, target), rng, target)
    return draft.top("Authentication-Results", "mx.evil.example; dmarc=pass header.from=evil.example").raw()


def _ours_below_ours(rng: random.Random, target: Target) -> bytes:
    method = rng.choice(["dmarc=fail header.from={h}", "dmarc=fail header.from={h}; dkim=none", "dmarc=permerror"])
    return (
        sound(rng, target).top("Authentication-Results", f"{target.authserv_id}; {method.format(h=target.home)}").raw()
    )


def _results_bomb(rng: random.Random, target: Target) -> bytes:
    size = rng.choice([900, 4000, 20000])
    bomb = rng.choice(
        ["(" * size, ";" * size, '"\\' * (size // 2), " " * size + "x", "(" * (size // 2) + ")" * (size // 2)]
    )
    return from_a_stranger(rng, target).top("Authentication-Results", f"{target.authserv_id}; {bomb}").raw()


TRAPS: dict[str, Trap] = {
    "T3 two From lines": _two_froms,
    "T3 blank before the colon of From": _blank_before_colon,
    "T3 From folded inside the address": _folded_address,
    "T3 name is another address": _from("{anna} <mallory{n}@evil.example>"),
    "T3 quoted name is another address": _from('"{anna}" <mallory{n}@evil.example>'),
    "T3 encoded name is another address": _from("=?utf-8?q?{mailbox}=40{home}?= <mallory{n}@evil.example>"),
    "T3 stranger named before Anna": _from("mallory{n}@evil.example <{anna}>"),
    "T3 two addresses": _from("{anna}, mallory{n}@evil.example"),
    "T3 two angle addresses": _from("Anna <{anna}> <mallory{n}@evil.example>"),
    "T3 address after the angle address": _from("<{anna}> mallory{n}@evil.example"),
    "T3 group": _from("friends{n}: {anna};"),
    "T3 empty group": _from("undisclosed{n}:;"),
    "T3 source route": _from("<@evil{n}.example:{anna}>"),
    "T3 percent route": _from("<{mailbox}%{home}@evil{n}.example>"),
    "T3 comment in the address": _from("{mailbox}(c{n})@{home}"),
    "T3 comment after the address": _from("{anna} (mallory{n}@evil.example)"),
    "T3 quoted mailbox": _from('"{mailbox}"@{home}'),
    "T3 quoted pair": _from("Anna\\{n} <{anna}>"),
    "T3 unclosed quote": _from('"Anna {n} <{anna}>'),
    "T3 unclosed angle": _from("Anna {n} <{anna}"),
    "T3 blank in the address": _from("<{mailbox} @{home}>"),
    "T3 address literal": _from("<{mailbox}@[192.0.2.7]>"),
    "T3 final dot": _from("<{anna}.>"),
    "T3 double dot": _from("<{mailbox}..x@{home}>"),
    "T3 encoded word as address": _from("=?utf-8?q?{mailbox}=40{home}?="),
    "T3 encoded word as mailbox": _from("<=?utf-8?q?{mailbox}?=@{home}>"),
    "T3 NUL-like escape": _from("<{anna}\x01>"),
    "T3 empty From": _from(""),
    "T3 null From": _from("<>"),
    "T3 no From": lambda rng, target: sound(rng, target).drop("From").raw(),
    "T3 look-alike letters": _lookalike,
    "T3 invisible sign in the address": _invisible_sign,
    "T3 domain with two ASCII forms": _from("<{mailbox}@stra\u00dfe{n}.example>"),
    "T3 look-alike in ASCII": _from("<{mailbox}@xn--exmple-cua{n}.net>"),
    "T3 8-bit From": _eight_bit_from,
    "0.3 nested comments in From": _nested_comments,
    "T3 our server says fail": _spoofed("{server}; dmarc=fail (p=reject{n}) header.from={home}"),
    "T3 our server vouches for another domain": _spoofed("{server}; dmarc=pass header.from=evil{n}.example"),
    "T3 signature of another domain": _spoofed("{server}; dkim=pass header.d=evil{n}.example; spf=none"),
    "T3 envelope of another domain": _spoofed("{server}; spf=pass smtp.mailfrom=anna@evil{n}.example; dkim=fail"),
    "T3 comment that says pass": _spoofed("{server}; dmarc=fail (dmarc=pass header.from={home}{n})"),
    "T3 quoted pass": _spoofed('{server}; dmarc=fail reason="; dmarc=pass header.from={home}{n}"'),
    "T3 foreign Authentication-Results": _foreign_results,
    "T3 ours forged below a foreign one": _ours_below_foreign,
    "T3 ours forged below our own": _ours_below_ours,
    "T4 Authentication-Results bomb": _results_bomb,
}
