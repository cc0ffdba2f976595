"""Traps in tickets: forged, stale, early, stolen, doubled. Everything else about the mail is in order."""

import random
from typing import Any

from tests.hostile.hostile_draft import Draft, Target, Trap, from_a_stranger, sound
from tests.old_tickets import format_old_address, format_old_tag

_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def _ticket(target: Target, **changes: Any) -> str:
    said: dict[str, Any] = {
        "game": target.game,
        "seat": target.seat,
        "turn": target.turn,
        "epoch": target.epoch,
    } | changes
    return format_old_address(target.key, target.address, **said)


def _sent_to(rng: random.Random, target: Target, *addresses: str) -> bytes:
    return sound(rng, target).put("To", ", ".join(addresses)).raw()


def _altered(rng: random.Random, target: Target) -> bytes:
    mailbox, _, home = target.reply_to.partition("@")
    at = rng.randrange(1, 17)
    letter = rng.choice(_LETTERS.replace(mailbox[-at], ""))
    return _sent_to(rng, target, f"{mailbox[:-at]}{letter}{mailbox[len(mailbox) - at + 1 :]}@{home}")


def _moved(old: str, new: str) -> Trap:
    """A good code carried over to something else."""

    def trap(rng: random.Random, target: Target) -> bytes:
        said = f"{target.game}.{target.seat}.{target.turn}.{target.epoch}."
        fields: dict[str, Any] = {"game": target.game, "seat": target.seat, "turn": target.turn, "epoch": target.epoch}
        other = dict(fields)
        other[old] = new if isinstance(fields[old], str) else int(fields[old]) + rng.randrange(1, 9)
        return _sent_to(rng, target, target.reply_to.replace(said, ".".join(map(str, other.values())) + "."))

    return trap


def _of_other_key(rng: random.Random, target: Target) -> bytes:
    forged = format_old_address(
        rng.randbytes(32), target.address, game=target.game, seat=target.seat, turn=target.turn, epoch=target.epoch
    )
    return _sent_to(rng, target, forged)


def _shape(rng: random.Random, target: Target) -> bytes:
    mailbox, _, home = target.reply_to.partition("@")
    odd = rng.choice(
        [
            f"{mailbox[:-1]}@{home}",
            f"{mailbox}a@{home}",
            f"{mailbox}.{mailbox}@{home}",
            f"{mailbox.replace('.', '..')}@{home}",
            f"{mailbox.replace(str(target.turn), '0' + str(target.turn))}@{home}",
            mailbox.replace(str(target.turn), "\u0661") + f"@{home}",
            f"{mailbox.replace('+', '++')}@{home}",
            f"{'x' * 70}{mailbox}@{home}",
        ]
    )
    return _sent_to(rng, target, odd)


def _contradicting(rng: random.Random, target: Target) -> bytes:
    return _sent_to(rng, target, target.reply_to, _ticket(target, turn=target.turn + rng.choice([-1, 1, 5])))


def _in_subject(rng: random.Random, target: Target) -> bytes:
    tag = format_old_tag(rng.randbytes(16), game=target.game, seat=target.seat, turn=target.turn, epoch=target.epoch)
    return sound(rng, target).put("To", target.address).put("Subject", f"Re: {tag * rng.choice([1, 3])}").raw()


def _subject_bomb(rng: random.Random, target: Target) -> bytes:
    subject = rng.choice(["[" * 900, "[a " * 300, "[a-" * 300, "[" + "a-" * 450, "[a b 1.0 " * 100])
    return _to_bare_address(rng, target).put("Subject", subject).raw()


def _to_bare_address(rng: random.Random, target: Target) -> Draft:
    """A letter that nobody vouches for, without a ticket."""
    return sound(rng, target).put("To", target.address).drop("Authentication-Results")


TRAPS: dict[str, Trap] = {
    "T3 ticket with one letter changed": _altered,
    "T3 ticket of another key": _of_other_key,
    "T3 ticket of no form": _shape,
    "T11 code carried to another game": _moved("game", "mistral-2"),
    "T11 code carried to another seat": _moved("seat", "blue"),
    "T11 code carried to another turn": _moved("turn", ""),
    "T11 code carried to another epoch": _moved("epoch", ""),
    "T11 stale ticket": lambda rng, t: _sent_to(rng, t, _ticket(t, turn=t.turn - rng.randrange(1, 9))),
    "T16 ticket of a turn to come": lambda rng, t: _sent_to(rng, t, _ticket(t, turn=t.turn + rng.randrange(1, 9))),
    "T8 ticket of another epoch": lambda rng, t: _sent_to(rng, t, _ticket(t, epoch=t.epoch + rng.randrange(1, 9))),
    "T11 ticket of a game that is not here": lambda rng, t: _sent_to(rng, t, _ticket(t, game="mistral-2")),
    "T11 two tickets": _contradicting,
    "T11 stolen ticket": lambda rng, t: from_a_stranger(rng, t).raw(),
    "T15 stolen ticket and Message-ID": lambda rng, t: from_a_stranger(rng, t).put("Message-ID", f"<1@{t.home}>").raw(),
    "T3 no ticket": lambda rng, t: _to_bare_address(rng, t).raw(),
    "T3 no ticket, and our server says fail": lambda rng, t: (
        _to_bare_address(rng, t)
        .top("Authentication-Results", f"{t.authserv_id}; dmarc=fail header.from={t.home}")
        .raw()
    ),
    "T3 forged ticket in the subject": _in_subject,
    "T4 subject bomb": _subject_bomb,
}
