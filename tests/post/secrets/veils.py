"""Veils over what follows from hidden values and says nothing of them: commitments, hashes, signatures.

A veil covers them only where docs/proof.md says that they stand, and only if they are the true ones of this town: the
hash of the very event, the commitment to the very field. A signature that the post has made gives way to what it signs.
Whatever else stands there stays bare, and two towns differ.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256

from pbem.events.kinds import GameOpened, PressSent
from pbem.events.post_kinds import MovePencilled
from pbem.events.told import EVERYBODY
from pbem.mail.format import CHECKPOINT_HEADER, HEAD_HEADER
from pbem.mail.reply_address import parse_ticket
from pbem.proof.public_log import format_root, grown_roots
from tests.post.post_games import TABLE
from tests.post.towns import Town

_HASH = r"(?P<hash>[0-9a-f]{64})"
_GAP = r"(?:\s|\||<[^<>]*>)+"
"""What may stand between two words of a page, a letter or a line."""
_HEADS = (
    rf"X-Caravan-Head: {TABLE} (?P<seq>\d+) {_HASH}",
    rf"\[%head (?P<seq>\d+) {_HASH}\]",
    rf"\b(?:before|after) (?P<seq>\d+){_GAP}{_HASH}",
    rf"has{_GAP}(?P<seq>\d+){_GAP}"
    + "events. This stands for all of them, and is the same for everybody:".replace(".", r"\.").replace(" ", _GAP)
    + rf"{_GAP}{_HASH}",
    rf"\bevent (?P<seq>\d+) (?:<code>)?{_HASH}",
    rf'"{TABLE}",(?P<seq>\d+),"{_HASH}"',
    rf'"seq": (?P<seq>\d+), "hash": "{_HASH}"',
)
_HEADER = re.compile(rf"{HEAD_HEADER}: {TABLE} (?P<seq>\d+) ")
_SEAL = re.compile(rf"{_HASH}(?={_GAP}log \d+ )")
"""The last event in the last lines of a mail, in any language; which one it is stands in the header."""
_FOOT = re.compile(r"(?P<before>(?:·|=C2=B7) )(?P<hash>[0-9a-f]{8})(?= (?:·|=C2=B7))")
"""The beginning of it in the footer."""
_WORDS = re.compile(rf'(?P<before>"(?:words|move)": ?)"{_HASH}"')
_EVENT = re.compile(
    r"\[%event (?P<seq>\d+) (?:[^\]\\]|\\+.)* (?P<hash>[0-9a-f]{64})\](?P<sealed>(?: \[%sealed [^\]]*\])*)"
)
_SEALED = re.compile(r"(?<=\[%sealed )(?P<field>\d+|by) (?P<commitment>[0-9a-f]{64})")
_SLIP = re.compile(rf"(?<=signature )(?P<one>[\w+/]{{44}}){_GAP}(?P<two>[\w+/]{{42}})(?P<pad>==|=3D=3D)")
_RECORD = re.compile(r"(?<=\[%signed )(?P<post>\S+ [0-9a-f]{64}) (?P<signature>[0-9a-f]{128})(?=\])")
_LETTER = re.compile(
    r"(?P<before>(?:letter|digest|sha256)(?:\W{1,5}| <code>)|SHA-256(?:\s+|</dt><dd><code>))(?P<hash>[0-9a-f]{64})"
)
_PROMISE = re.compile(rf'(?P<before>promised {TABLE} (?P<secret>seed|blind){_GAP}|"(?P<key>seed|blind)": "){_HASH}')
_SHORT_PROMISE = re.compile(r"\b[0-9a-f]{8}\b")
"""The beginning of a promise in the last line of an invitation."""
_ROOT = r"(?P<size>\d+)\s+(?P<root>[\w+/]{43}=)(?:3D)?"
_CHECKPOINT = re.compile(rf"(?<={CHECKPOINT_HEADER}: )(?P<origin>\S+) {_ROOT}\s+(?P<signature>[\w+/]{{91}})=?")
_LOG = re.compile(rf"\blog {_ROOT}")
_FILE = re.compile(r"\bfile (?P<hash>[0-9a-f]{64}) (?P<name>\S+)")
_ENCODED = re.compile(
    rb"(?P<fields>Content-Type: text/[^\r\n]*\r\n(?:[\w-]+: [^\r\n]*\r\n)*?Content-Transfer-Encoding: base64\r\n"
    rb"(?:[\w-]+: [^\r\n]*\r\n)*\r\n)(?P<body>[\w+/=\r\n]+)"
)
_TICKET = re.compile(rf"(?P<ticket>{TABLE}\.[a-z]+\.[0-9]+\.(?P<mark>[a-z2-7]{{6}})\.[a-z2-7]{{12}})(?=@|%40)")
_MASKED = re.compile(r"(?<=, mark )[a-z2-7]{6}\b|(?<=\.)[a-z2-7]{6}(?=\.\(code\))")
_CUT = re.compile(rb"=\r\n")


def _open(raw: bytes) -> bytes:
    """A mail with its soft line ends taken out, and with its texts in base64 as they are read."""
    pieces, end = [], 0
    for encoded in _ENCODED.finditer(raw):
        pieces += [_CUT.sub(b"", raw[end : encoded.start()]), _decode(encoded)]
        end = encoded.end()
    return b"".join((*pieces, _CUT.sub(b"", raw[end:])))


def _decode(found: re.Match[bytes]) -> bytes:
    """A text in base64 as it is read; as it is if it could have been written in another way."""
    encoded = b"".join(found["body"].split())
    decoded = b64decode(encoded)
    return found["fields"] + decoded if b64encode(decoded) == encoded else found[0]


class Veil:
    """Covers what one town has committed to, hashed and signed so far."""

    def __init__(self, town: Town, signed: Mapping[str, bytes]) -> None:
        """`signed` are all signatures that the post has made, as base64 and as digits, with what they are under."""
        events = town.events
        self._heads = {str(event.seq): event.hash for event in events}
        self._seals = {
            (str(event.seq), field): commitment
            for event in events
            for (field, _), commitment in zip(event.fields, event.commitments, strict=True)
        }
        self._words = {
            told.seal: event.seq
            for event in events
            if isinstance(event.payload, MovePencilled)
            or (isinstance(event.payload, PressSent) and event.payload.to != EVERYBODY)
            for told in event.told.values()
        }
        self._letters = {sha256(raw).hexdigest(): number for number, raw in enumerate(town.letters)}
        self._signed = signed
        (opened,) = (event.payload for event in events[:1] if isinstance(event.payload, GameOpened))
        self._promised = {str(secret): opened.commitment(secret) for secret in ("seed", "blind")}
        with town.context.store.reading() as at_desk:
            log = grown_roots(line.encode() for line in at_desk.log_lines())
        self._roots = {str(size): format_root(root) for size, root in enumerate(log)}
        self._marks = {each.mark for each in town.table.marks}
        self._identity = town.context.identity
        self._files: dict[str, str] = {}

    def see_files(self, parts: Mapping[str, bytes]) -> None:
        """Get to know files that lie side by side: their digests tell nothing that they do not tell themselves."""
        self._files = {name: sha256(content).hexdigest() for name, content in parts.items()}

    def cover_mail(self, raw: bytes) -> tuple[str, list[int]]:
        """A mail with its soft line ends taken out and covered, and the lengths of its lines as they are."""
        return self.cover(_open(raw).decode("utf-8", "replace")), [len(line) for line in raw.split(b"\r\n")]

    def cover(self, text: str) -> str:
        """A text with everything covered that says nothing."""
        text = _EVENT.sub(self._cover_event, text)
        for place in _HEADS:
            text = re.sub(place, self._cover_head, text)
        text = _TICKET.sub(self._cover_ticket, text)
        text = _MASKED.sub(lambda found: "(mark)" if found[0] in self._marks else found[0], text)
        if (header := _HEADER.search(text)) is not None:
            text = _SEAL.sub(lambda seal: self._cover_seal(seal, header["seq"]), text)
            text = _FOOT.sub(lambda foot: self._cover_foot(foot, header["seq"]), text)
        text = _WORDS.sub(self._cover_words, text)
        text = _SLIP.sub(self._cover_slip, text)
        text = _RECORD.sub(self._cover_record, text)
        text = _PROMISE.sub(self._cover_promise, text)
        short = self._promised["seed"][:8]
        text = _SHORT_PROMISE.sub(lambda found: "(commitment)" if found[0] == short else found[0], text)
        text = _CHECKPOINT.sub(self._cover_checkpoint, text)
        text = _LOG.sub(self._cover_root, text)
        text = _FILE.sub(self._cover_file, text)
        return _LETTER.sub(self._cover_letter, text)

    def _cover_head(self, found: re.Match[str]) -> str:
        return found[0].replace(found["hash"], "(head)") if self._heads.get(found["seq"]) == found["hash"] else found[0]

    def _cover_seal(self, found: re.Match[str], seq: str) -> str:
        return "(head)" if self._heads.get(seq) == found["hash"] else found[0]

    def _cover_foot(self, found: re.Match[str], seq: str) -> str:
        return f"{found['before']}(head)" if self._heads.get(seq, "")[:8] == found["hash"] else found[0]

    def _cover_words(self, found: re.Match[str]) -> str:
        """The seal of private words, or of a move that waits: nobody is told its salt."""
        return f'{found["before"]}"(words {self._words[found["hash"]]})"' if found["hash"] in self._words else found[0]

    def _cover_event(self, found: re.Match[str]) -> str:
        def cover_seal(seal: re.Match[str]) -> str:
            true = self._seals.get((found["seq"], seal["field"])) == seal["commitment"]
            return f"{seal['field']} (commitment)" if true else seal[0]

        sealed = _SEALED.sub(cover_seal, found["sealed"])
        return self._cover_head(found).removesuffix(found["sealed"]) + sealed

    def _cover_ticket(self, found: re.Match[str]) -> str:
        """A reply address of ours: its mark is cut out of the hash of an event, and its code is keyed."""
        key, home = self._identity.ticket_key, self._identity.address
        mailbox, _, domain = home.partition("@")
        ticket = parse_ticket(key, home, [f"{mailbox}+{found['ticket']}@{domain}"], "")
        true = ticket is not None and ticket.good and found["mark"] in self._marks
        return f"{found[0].rpartition(found['mark'])[0]}(mark).(code)" if true else found[0]

    def _cover_slip(self, found: re.Match[str]) -> str:
        return self._say_signed(found["one"] + found["two"] + "==", found[0])

    def _cover_record(self, found: re.Match[str]) -> str:
        return f"{found['post']} {self._say_signed(found['signature'], found['signature'])}"

    def _cover_promise(self, found: re.Match[str]) -> str:
        true = self._promised[found["secret"] or found["key"]] == found["hash"]
        return f"{found['before']}(commitment)" if true else found[0]

    def _cover_root(self, found: re.Match[str]) -> str:
        true = self._roots.get(found["size"]) == found["root"]
        return found[0].replace(found["root"], "(root)") if true else found[0]

    def _cover_checkpoint(self, found: re.Match[str]) -> str:
        """The state of the log, if it is the true one and signed: it follows from commitments and ends of games."""
        signature = b64decode(found["signature"] + "=")[4:].hex()
        signed = self._signed.get(signature) == f"{found['origin']}\n{found['size']}\n{found['root']}\n".encode()
        covered = self._cover_root(found)
        return covered.replace(found["signature"], "(signature)") if signed and covered != found[0] else found[0]

    def _cover_file(self, found: re.Match[str]) -> str:
        true = self._files.get(found["name"]) == found["hash"]
        return f"file (digest) {found['name']}" if true else found[0]

    def _say_signed(self, signature: str, bare: str) -> str:
        """What was signed, in place of a signature: whoever has that could guess what it is under."""
        message = self._signed.get(signature)
        return bare if message is None else f"(signed {self.cover(message.decode())})"

    def _cover_letter(self, found: re.Match[str]) -> str:
        number = self._letters.get(found["hash"])
        return found[0] if number is None else f"{found['before']}(letter {number})"
