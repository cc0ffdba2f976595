"""Traps that make a post answer a machine: storms, loops, bounces, lists; and quoted moves that nobody plays."""

import random
from collections.abc import Callable

from tests.hostile.hostile_draft import Draft, Target, Trap, bundle, plain, sound


def _marked(name: str, value: str) -> Trap:
    """Anna's own move, sent by a machine that says so."""
    return lambda rng, target: sound(rng, target).put(name, value.format(n=rng.randrange(999), us=target.address)).raw()


def _listed(name: str, value: str) -> Trap:
    """Anna's move as a mailing list passes it on, to our bare address."""

    def trap(rng: random.Random, target: Target) -> bytes:
        return sound(rng, target).put(name, value.format(n=rng.randrange(999))).put("To", target.address).raw()

    return trap


def _report(sender: str, report_type: str = "delivery-status") -> Trap:
    def trap(rng: random.Random, target: Target) -> bytes:
        status = f"Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; {target.sender}\nAction: failed\nStatus: 5.1.1\n"
        body = bundle("b", [plain(target.orders), b"Content-Type: message/delivery-status\n\n" + status.encode()])
        draft = sound(rng, target).put("From", sender.format(us=target.address)).text(body)
        return draft.put("Content-Type", f"multipart/report; report-type={report_type}; boundary=b").raw()

    return trap


def _bounce_of_bounce(rng: random.Random, target: Target) -> bytes:
    draft = sound(rng, target).put("From", "MAILER-DAEMON@mx.example (Mail Delivery System)")
    return draft.put("Return-Path", "<>").put("Auto-Submitted", "auto-replied").raw()


def _forged_bounce(address: str, name: str = "nobody@mx.example") -> Trap:
    """A bounce that would silence somebody else at the table, if what it comes to or brings back were not checked."""

    def trap(rng: random.Random, target: Target) -> bytes:
        mailbox, _, home = target.address.rpartition("@")
        made_up = {
            "code": "".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=16)),
            "name": rng.randbytes(16).hex(),
        }
        ours = {"game": target.game, "turn": target.turn, "epoch": target.epoch, "home": home}
        block = "Final-Recipient: rfc822; boris@example.com\nAction: failed\nStatus: 5.1.1\n"
        status = b"Content-Type: message/delivery-status\n\n" + block.encode()
        held = f"Content-Type: text/rfc822-headers\n\nMessage-ID: <{name.format(**made_up, **ours)}>\n".encode()
        draft = sound(rng, target).put("From", "MAILER-DAEMON@mx.example").put("Subject", "failure notice")
        draft = draft.put("To", f"{mailbox}{address.format(**made_up, **ours)}@{home}").drop("Delivered-To")
        draft = draft.text(bundle("b", [plain("gone"), status, held]))
        return draft.put("Content-Type", "multipart/report; report-type=delivery-status; boundary=b").raw()

    return trap


def _report_bomb(rng: random.Random, target: Target) -> bytes:
    block = f"Final-Recipient: rfc822; {target.sender}\nAction: failed\n\n"
    status = rng.choice([block * 2_000, "Final-Recipient:" + " " * 60_000, "Action: failed\n" * 9_000, "\n" * 90_000])
    body = bundle("b", [plain("x"), b"Content-Type: message/delivery-status\n\n" + status.encode()])
    draft = sound(rng, target).text(body)
    return draft.put("Content-Type", "multipart/report; report-type=delivery-status; boundary=b").raw()


def _old_bounce(rng: random.Random, target: Target) -> bytes:
    said = rng.choice(
        ["Hi. This is the qmail-send program at x.\n<a@b.example>:\n", "failed: a@b.example\n", "a@" * 90, "<" * 190]
    )
    return sound(rng, target).put("Return-Path", "<>").text(said * rng.choice([1, 40, 900])).raw()


def _quoted(write: Callable[[str], str], kind: str = "text/plain") -> Trap:
    """A mail from Anna herself in which every move is quoted: the answer is a question, never a move."""

    def trap(rng: random.Random, target: Target) -> bytes:
        above = rng.choice(["", "Hello!\n\n", "\n\n\n"]) if kind == "text/plain" else ""
        draft = sound(rng, target).put("Content-Type", f"{kind}; charset=utf-8")
        return draft.text(above + write(target.orders).replace("{us}", target.address)).raw()

    return trap


def _attributed(line: str) -> Trap:
    """Quoted without any sign, below the words of a mail program."""
    return _quoted(lambda orders: f"{line}\n\n{orders}\n")


def _plain(draft: Draft, text: str) -> bytes:
    return draft.text(text).raw()


TRAPS: dict[str, Trap] = {
    "T6 out of office": _marked("Auto-Submitted", "auto-replied"),
    "T6 generated": _marked("Auto-Submitted", "auto-generated; n={n}"),
    "T6 notified": _marked("Auto-Submitted", "Auto-Notified (really)"),
    "T6 X-Autoreply": _marked("X-Autoreply", "yes"),
    "T6 X-Autorespond": _marked("X-Autorespond", "{n}"),
    "T6 Precedence auto_reply": _marked("Precedence", "auto_reply"),
    "T6 Precedence bulk": _marked("Precedence", "bulk"),
    "T6 Precedence junk": _marked("Precedence", "Junk"),
    "T6 Precedence list": _listed("Precedence", "list"),
    "T6 list": _listed("List-Id", "Camels <camels{n}.example.org>"),
    "T6 list without an id": _listed("List-Unsubscribe", "<mailto:leave{n}@example.org>"),
    "T6 list that answers by itself": _marked("List-Id", "<camels{n}.example.org>\nAuto-Submitted: auto-replied"),
    "T6 our own mail comes back": _marked("X-Loop", "{us}"),
    "T6 from ourselves": _marked("From", "Caravan Post <{us}>"),
    "T13 null sender": _marked("Return-Path", "<>"),
    "T13 failed recipients": _marked("X-Failed-Recipients", "anna{n}@example.net"),
    "T6 bounce": _report("MAILER-DAEMON@mx.example"),
    "T6 bounce under another name": _report("Anna <someone@example.net>"),
    "T6 bounce from ourselves": _report("{us}"),
    "T6 receipt for reading": _report("Anna <someone@example.net>", "disposition-notification"),
    "T6 bounce of a bounce": _bounce_of_bounce,
    "T6 bounce with a forged ticket": _forged_bounce("+{game}.blue.{turn}.{epoch}.{code}"),
    "T6 bounce to an address of a mail that was never sent": _forged_bounce("+bounce-{name}"),
    "T6 bounce to an address that names a player": _forged_bounce("+bounce-boris=example.com"),
    "T6 bounce of a mail that was never sent": _forged_bounce("", "{name}@{home}"),
    "T12 report bomb": _report_bomb,
    "T12 bounce of an old form": _old_bounce,
    "T5 quoted move": _quoted(lambda orders: f"On Mon, 16 Nov 2026 at 10:12, X wrote:\n> {orders}\n"),
    "T5 deeply quoted move": _quoted(lambda orders: f">>> > {orders}\n"),
    "T5 quoted after blanks": _quoted(lambda orders: f"  \u00a0\u200f > {orders}\n"),
    "T5 quoted fence": _quoted(lambda orders: f"> --- orders ---\n> {orders}\n> --- end ---\n"),
    "T5 fence below our mark": _quoted(
        lambda orders: f"##- caravan-post -## above\n--- orders ---\n{orders}\n--- end ---\n"
    ),
    "T5 our mark changed by a phone": _quoted(lambda orders: f"##\u2014 Caravan\u2011Post \u2014##\n{orders}\n"),
    "T5 Outlook line": _quoted(lambda orders: f"{'_' * 32}\nFrom: X\nSent: now\n\n{orders}\n"),
    "T5 original message": _quoted(lambda orders: f"-----Original Message-----\n{orders}\n"),
    "T5 original message in Russian": _quoted(
        lambda orders: f"-------- \u0418\u0441\u0445\u043e\u0434\u043d\u043e\u0435 --------\n{orders}\n"
    ),
    "T5 headers of another mail": _quoted(
        lambda orders: f"Van: X\nVerzonden: 16 nov\nAan: Anna\nOnderwerp: x\n\n{orders}\n"
    ),
    "T5 header with our address": _attributed("*\u05de\u05d0\u05ea:* Caravan Post <{us}>"),
    "T5 attribution with our address": _attributed("On Mon, 16 Nov 2026 at 10:12, Caravan Post <{us}> wrote:"),
    "T5 broken attribution": _attributed("On Mon, 16 Nov 2026 at 10:12, Caravan Post <\n{us}> wrote:"),
    "T11 forwarded by Gmail": _attributed("---------- Forwarded message ---------\nFrom: Caravan Post <{us}>"),
    "T11 forwarded by Apple": _attributed("Begin forwarded message:"),
    "T5 signature": _quoted(lambda orders: f"\n-- \n{orders}\n"),
    "T5 rest of a broken quoted line": _quoted(lambda orders: f"> {'x' * 70}\n{orders}\n"),
    "T5 HTML quote": _quoted(lambda orders: f"<blockquote type=cite>{orders}</blockquote>", "text/html"),
    "T5 HTML quote never closed": _quoted(lambda orders: f"<BlockQuote><p>{orders}</div></p>", "text/html"),
    "T5 HTML quote of Outlook": _quoted(lambda orders: f"<div ID=divRplyFwdMsg></div>{orders}", "text/html"),
    "T5 HTML quote of Outlook, answered twice": _quoted(
        lambda orders: f"<div id='x_appendonsend'></div><p>{orders}", "text/html"
    ),
    "T5 HTML quote of Yahoo": _quoted(lambda orders: f'<div class="a yahoo_quoted">{orders}</div>', "text/html"),
    "T5 HTML signature": _quoted(lambda orders: f'<div class="gmail_signature">{orders}</div>', "text/html"),
    "T5 HTML with a sign of quotation": _quoted(lambda orders: f"<div>&gt; {orders}</div>", "text/html"),
    "T5 HTML with our mark": _quoted(lambda orders: f"<p>##- caravan-post -##</p><p>{orders}</p>", "text/html"),
    "T5 empty answer": lambda rng, target: _plain(sound(rng, target), "\n" * rng.randrange(9)),
}
