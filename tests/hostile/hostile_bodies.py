"""Traps in bodies: structures that explode or have two readings, and packings that hide what is inside."""

import base64
import random
from collections.abc import Callable

from tests.hostile.hostile_draft import Target, Trap, bundle, from_a_stranger, plain, sound

_Body = Callable[[random.Random, Target], bytes]
_HIDING = ("display:none", "DISPLAY : NONE", "visibility:hidden", "mso-hide:all", "font-size:0px")


def _multipart(body: _Body, *, kind: str = "mixed", boundary: str = "b", said: str | None = None) -> Trap:
    """Anna's mail as a multipart; `said` is its Content-Type where that is the trap."""
    declared = said if said is not None else f'multipart/{kind}; boundary="{boundary}"'
    return lambda rng, target: sound(rng, target).put("Content-Type", declared).text(body(rng, target)).raw()


def _one_part(rng: random.Random, target: Target) -> bytes:
    return bundle("b", [plain(target.orders)])


def _declared(content_type: str) -> Trap:
    """A sound multipart body under a Content-Type that is not sound."""
    return _multipart(_one_part, said=content_type)


def _nested(rng: random.Random, target: Target) -> bytes:
    depth = rng.choice([5, 6, 50, 1_000])
    opening = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level) for level in range(1, depth + 1)
    )
    closing = b"".join(b"\n--b%d--\n" % level for level in range(depth, 0, -1))
    return b"--b\n" + opening + plain(target.orders) + closing + b"--b--\n"


def _nested_messages(rng: random.Random, target: Target) -> bytes:
    return b"Content-Type: message/rfc822\n\n" * rng.choice([10, 500]) + plain(target.orders)


def _many_parts(rng: random.Random, target: Target) -> bytes:
    return bundle("b", [plain(target.orders)] * 21) if rng.random() < 0.5 else b"--b\n\n" * 28_000 + b"--b--\n"


def _many_in_two_levels(rng: random.Random, target: Target) -> bytes:
    inner = bundle("c", [plain("x")] * rng.choice([10, 19]))
    return bundle("b", [b"Content-Type: multipart/mixed; boundary=c\n\n" + inner] * 3)


def _same_boundary(rng: random.Random, target: Target) -> bytes:
    return bundle("b", [b"Content-Type: multipart/mixed; boundary=b\n\n" + bundle("b", [plain(target.orders)])])


def _never_closed(rng: random.Random, target: Target) -> bytes:
    return bundle("b", [plain(target.orders)] * rng.choice([1, 3]), closed=False)


def _header_bomb_in_part(rng: random.Random, target: Target) -> bytes:
    bomb = rng.choice([b";", b';"', b"; a*0*=x", b"("]) * rng.choice([1_000, 20_000])
    return bundle("b", [b"Content-Type: text/plain" + bomb + b"\n\n" + target.orders.encode()])


def _many_headers_in_part(rng: random.Random, target: Target) -> bytes:
    return bundle("b", [b"X: y\n" * rng.choice([101, 20_000]) + b"\n" + target.orders.encode()])


def _packed(encoding: str, pack: Callable[[bytes], bytes]) -> Trap:
    def trap(rng: random.Random, target: Target) -> bytes:
        body = pack(target.orders.encode() + b"\n" * rng.randrange(5))
        return sound(rng, target).put("Content-Transfer-Encoding", encoding).text(body).raw()

    return trap


def _in_charset(charset: str, write: Callable[[str], bytes]) -> Trap:
    """Orders that show only to someone who believes the charset."""

    def trap(rng: random.Random, target: Target) -> bytes:
        draft = sound(rng, target).put("Content-Type", f"text/plain; charset={charset}")
        packed = base64.b64encode(write(target.orders + "\u05d0"))
        return draft.put("Content-Transfer-Encoding", "base64").text(packed).raw()

    return trap


def _utf7(text: str) -> bytes:
    return b"+" + base64.b64encode(text.encode("utf-16-be")).rstrip(b"=") + b"-"


def _text(text: Callable[[random.Random, Target], str]) -> Trap:
    return lambda rng, target: sound(rng, target).text(text(rng, target)).raw()


def _to_bare_address(text: Callable[[random.Random, Target], str]) -> Trap:
    return lambda rng, target: sound(rng, target).put("To", target.address).text(text(rng, target)).raw()


def _flowed(rng: random.Random, target: Target) -> bytes:
    body = rng.choice([" \n", "> \n", ">" * 100 + " \n", "-- \n"]) * 15_000
    return from_a_stranger(rng, target).put("Content-Type", "text/plain; format=flowed; delsp=yes").text(body).raw()


def _long_lines(rng: random.Random, target: Target) -> bytes:
    sign = rng.choice([">", "-", "_", ":", " ", "*", "a", "From:", "@", "a@", "<a@b", "\u2014", "1:", "##-", "[", "0-"])
    line = (sign * 10_000)[:10_000]
    return from_a_stranger(rng, target).text("\n".join([line] * rng.choice([1, 5]))).raw()


def _short_lines(rng: random.Random, target: Target) -> bytes:
    line = rng.choice(
        [">", "-- ", "On 1:", "From: a", "a@b:", "--- orders ---", "____", "", "x:", "Sent from my x", "1:"]
    )
    return from_a_stranger(rng, target).text(f"{line}\n" * rng.choice([1_000, 9_000])).raw()


def _html(source: Callable[[random.Random, Target], str]) -> Trap:
    def trap(rng: random.Random, target: Target) -> bytes:
        draft = sound(rng, target).put("Content-Type", "text/html; charset=utf-8")
        return draft.text(source(rng, target)).raw()

    return trap


def _wrong_nesting(rng: random.Random, target: Target) -> str:
    count = rng.choice([300, 5_000])
    return rng.choice(
        ["<b>" * 300 + "<div>" * 90 + "</b>" * count, "</p>" * count, "<a><table>" * 150, "<p><b><i>" * 100]
    )


TRAPS: dict[str, Trap] = {
    "0.3 nested multiparts": _multipart(_nested),
    "0.3 nested messages": lambda rng, t: (
        sound(rng, t).put("Content-Type", "message/rfc822").text(_nested_messages(rng, t)).raw()
    ),
    "T12 28,000 parts": _multipart(_many_parts),
    "T12 parts in parts": _multipart(_many_in_two_levels),
    "T4 boundary missing": _declared("multipart/mixed"),
    "T4 boundary empty": _declared('multipart/mixed; boundary=""'),
    "T4 boundary twice": _declared("multipart/mixed; boundary=x; boundary=b"),
    "T4 boundary too long": _declared('multipart/mixed; boundary="' + "b" * 71 + '"'),
    "T4 boundary of odd signs": _declared('multipart/mixed; boundary="b;.*(\u00e9"'),
    "T4 boundary with a final blank": _declared('multipart/mixed; boundary="b "'),
    "T4 boundary in pieces (RFC 2231)": _declared("multipart/mixed; boundary*0=; boundary*1=b"),
    "T4 boundary with a charset (RFC 2231)": _declared("multipart/mixed; boundary*=us-ascii''b"),
    "T4 boundary never occurs": _declared("multipart/mixed; boundary=elsewhere"),
    "T4 boundary is a beginning": _multipart(lambda rng, t: b"--bb\n\nx\n--bb--\n"),
    "T4 comment in the type": _declared("multipart(x)/mixed; boundary=b"),
    "T4 type of no form": _declared("multipart; boundary=b"),
    "T4 text type of no form": _declared("text"),
    "T4 same boundary inside": _multipart(_same_boundary),
    "T4 boundary never closed": _multipart(_never_closed),
    "T4 nothing inside": _multipart(lambda rng, t: b"--b--\n"),
    "T4 multipart packed": lambda rng, t: (
        sound(rng, t)
        .put("Content-Type", "multipart/mixed; boundary=b")
        .put("Content-Transfer-Encoding", "base64")
        .text(base64.b64encode(_one_part(rng, t)))
        .raw()
    ),
    "0.3 header bomb in a part": _multipart(_header_bomb_in_part),
    "T12 thousands of headers in a part": _multipart(_many_headers_in_part),
    "T4 charset in pieces (RFC 2231)": lambda rng, t: (
        sound(rng, t).put("Content-Type", "text/plain; charset*0=utf; charset*1=-7").raw()
    ),
    "T4 charset twice": lambda rng, t: (
        sound(rng, t).put("Content-Type", "text/plain; charset=utf-8; charset=utf-7").raw()
    ),
    "T4 encrypted": lambda rng, t: sound(rng, t).put("Content-Type", 'multipart/encrypted; boundary="b"').raw(),
    "T4 S/MIME envelope": lambda rng, t: sound(rng, t).put("Content-Type", "application/pkcs7-mime").raw(),
    "T4 orders in an attachment": _multipart(
        lambda rng, t: bundle("b", [b"Content-Disposition: attachment\n" + plain(t.orders)])
    ),
    "T4 orders in an attached mail": _multipart(
        lambda rng, t: bundle("b", [b"Content-Type: message/rfc822\n\n" + plain(t.orders)])
    ),
    "T4 orders before the first part": _multipart(lambda rng, t: t.orders.encode() + b"\n" + bundle("b", [plain("")])),
    "T4 orders after the last part": _multipart(lambda rng, t: bundle("b", [plain("")]) + t.orders.encode()),
    "T4 bad base64": _packed("base64", lambda data: base64.b64encode(data) + b"!*"),
    "T4 padding inside base64": _packed("base64", lambda data: base64.b64encode(b"a") + base64.b64encode(data)),
    "T4 text as base64": _packed("base64", lambda data: data),
    "T4 uuencoded": _packed("x-uuencode", lambda data: b"begin 644 x\n" + data),
    "T4 packed in an odd way": _packed("gzip", lambda data: data),
    "T4 UTF-7": _in_charset("utf-7", _utf7),
    "T4 UTF-7 by another name": _in_charset("unicode-1-1-utf-7", _utf7),
    "T4 unknown charset": _in_charset("x-caravan", str.encode),
    "T4 punycode as charset": _in_charset("punycode", lambda text: text.encode("punycode")),
    "T4 codec as charset": _in_charset("unicode_escape", lambda text: text.encode("unicode_escape") + b"\xff"),
    "T4 zip as charset": _in_charset("zlib", lambda text: b"x\x9c" + text.encode()),
    "T4 endless charset": _in_charset("c" * 900, str.encode),
    "T4 text too long": _to_bare_address(lambda rng, t: f"{t.orders}\n" + "word " * 14_000),
    "T4 too many words": _to_bare_address(lambda rng, t: f"{t.orders}\n" * rng.choice([201, 420])),
    "T4 endless line of words": _to_bare_address(lambda rng, t: f"{t.orders} " * 500),
    "T4 long lines of one sign": _long_lines,
    "T4 thousands of short lines": _short_lines,
    "T4 flowed text of blanks": _flowed,
    "T4 HTML too deep": _html(lambda rng, t: "<div>" * rng.choice([401, 40_000]) + t.orders),
    "T4 HTML wrongly nested": lambda rng, t: (
        from_a_stranger(rng, t).put("Content-Type", "text/html").text(_wrong_nesting(rng, t)).raw()
    ),
    "T4 HTML of attributes": _html(
        lambda rng, t: "<p " + " ".join(f"a{n}=1" for n in range(rng.choice([50, 15_000]))) + f" {t.orders}"
    ),
    "T4 HTML comment never closed": _html(lambda rng, t: "<!--" * rng.choice([1, 20_000]) + t.orders),
    "T4 HTML tag never closed": _html(lambda rng, t: "<a " * rng.choice([1, 20_000]) + t.orders),
    "T4 HTML quote never closed": _html(lambda rng, t: '<a b="' + "<a b='" * rng.choice([1, 9_001]) + t.orders),
    "T4 HTML script never closed": _html(lambda rng, t: "<script>" * rng.choice([1, 9_000]) + t.orders),
    "T4 HTML of entities": _html(lambda rng, t: "&#x26;" * 30_000 + "&" * 9_000),
    "T10 orders hidden in HTML": _html(lambda rng, t: f'<p>hi</p><p style="x;{rng.choice(_HIDING)}">{t.orders}</p>'),
    "T10 orders in an HTML comment": _html(lambda rng, t: f"<p>hi</p><!-- {t.orders} --><title>{t.orders}</title>"),
    "T10 orders struck out": _html(
        lambda rng, t: f"<p>no: <{(tag := rng.choice(['s', 'del', 'strike']))}>{t.orders}</{tag}></p>"
    ),
}
