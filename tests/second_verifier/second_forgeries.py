"""Records as forgers leave them: slips of single bits, lines moved about, and whole histories hashed and signed anew.

Each forgery is one that can be told without the rules of the game. What only the rules tell is left to the tests of the
first verifier: digests of states, numbers of what happened to the table, and which questions a game asks of chance.
"""

import re
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.second_verifier.second_chain import event_hash
from tests.second_verifier.second_events import gather
from tests.second_verifier.second_layout import lines_of
from tests.second_verifier.second_reading import read
from tests.second_verifier.second_secrets import commitment
from tests.second_verifier.second_writing import canon

RULES_ALONE = re.compile(
    r"\[%state [^\]]*\]|(?:(?<=/)[0-9]+ [^,\]]+)(?=[,\]])|^[0-9]+(?=\. (?:undo|pause|resume|substitute|resign|end): )",
    re.MULTILINE,
)
"""What a verifier without rules takes as it stands: digests, the questions of draws, the numbers of table entries."""

DRAW = re.compile(r"(?<= )([0-9]+)/([0-9]+) [^,\]]+")

MANY = 10
"""So many draws do not come out alike by accident."""


def flip(text: Any, chance: Any, sister: Any) -> Any:
    """One bit is another."""
    raw, beyond = text.encode(), [found.span() for found in RULES_ALONE.finditer(text)]
    place = chance.randrange(len(text))
    while any(first <= place < last for first, last in beyond):
        place = chance.randrange(len(text))
    place = len(text[:place].encode())
    byte = bytes([raw[place] ^ (1 << chance.randrange(8))])
    return (raw[:place] + byte + raw[place + 1 :]).decode("utf-8", "surrogateescape")


def drop(text: Any, chance: Any, sister: Any) -> Any:
    """A line is missing; draws and told texts are not vouched for by their being there."""
    lines = text.splitlines(keepends=True)
    place = chance.choice([place for place, line in enumerate(lines) if not line.startswith(("[%drawn", "[%told"))])
    return "".join(lines[:place] + lines[place + 1 :])


def swap(text: Any, chance: Any, sister: Any) -> Any:
    """Two lines have changed places."""
    lines = text.splitlines(keepends=True)
    one, two = sorted(chance.sample(range(len(lines)), 2))
    lines[one], lines[two] = lines[two], lines[one]
    return "".join(lines)


def double(text: Any, chance: Any, sister: Any) -> Any:
    """A line stands twice."""
    lines = text.splitlines(keepends=True)
    place = chance.randrange(len(lines))
    return "".join(lines[: place + 1] + lines[place:])


def cut(text: Any, chance: Any, sister: Any) -> Any:
    """The end is missing."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[: chance.randrange(1, len(lines))])


def splice(text: Any, chance: Any, sister: Any) -> Any:
    """It begins as one game and goes on as another."""
    if game_of(sister) == game_of(text):
        return None
    lines, others = text.splitlines(keepends=True), sister.splitlines(keepends=True)
    parted = next(place for place, (one, other) in enumerate(zip(lines, others, strict=False), 1) if one != other)
    place = chance.randrange(parted, min(len(lines), len(others)))
    return "".join(lines[:place] + others[place:])


def game_of(text: Any) -> Any:
    """The name of the table."""
    return re.findall(r'^\[Id "(.*)"\]$', text, re.MULTILINE)[0]


def draws_of(text: Any) -> Any:
    """Every draw that could have come out otherwise, as matches of its outcome and the number of outcomes."""
    told = (line for line in re.finditer(r"^(?:.*\] )?\[%drawn [^\]]*\]", text, re.MULTILINE))
    found = [one for line in told for one in DRAW.finditer(text, text.rindex("[%drawn ", 0, line.end()), line.end())]
    return [one for one in found if int(one[2]) > 1]


def redraw(text: Any, chance: Any, sister: Any) -> Any:
    """A draw came out otherwise."""
    draws = draws_of(text)
    if not draws:
        return None
    found = chance.choice(draws)
    outcome = (int(found[1]) + chance.randrange(1, int(found[2]))) % int(found[2])
    return f"{text[: found.start(1)]}{outcome}{text[found.end(1) :]}"


def change_secret(text: Any, chance: Any, sister: Any) -> Any:
    """The seed or the blind key is another than was promised."""
    found = list(re.finditer(r"^\[%(?:seed|blind) ([0-9a-f])", text, re.MULTILINE))
    if not found:
        return None
    place = chance.choice(found).start(1)
    return text[:place] + format(int(text[place], 16) ^ chance.randrange(1, 16), "x") + text[place + 1 :]


def remark(text: Any, chance: Any, sister: Any) -> Any:
    """Something was written beside the game."""
    lines = text.splitlines(keepends=True)
    place = chance.randrange(lines.index("\n") + 1, len(lines))
    word = chance.choice(
        ["{a fine game}\n", "[%clock 1:05]\n", "\n", f"{lines[place][:-1]} \n", f"{lines[place][:-1]}!\n"]
    )
    kept = lines[place + 1 :] if word.startswith(lines[place][:-1]) else lines[place:]
    return "".join([*lines[:place], word, *kept])


class Forger:
    """An operator who has the key of the post, and hashes and signs anew whatever he has changed."""

    def __init__(self, private: Any) -> None:
        self.key = Ed25519PrivateKey.from_private_bytes(private)

    def rewrite(self, text: Any, change: Any) -> Any:
        """The record with some events changed, and every hash and the signature in order."""
        record = read(text)
        game = dict(record.headers)["Id"]
        events, ending = gather(record.body)
        before, made = bytes(32), []
        for event in events:
            changed = change(game, event)
            before = event_hash(before, game, changed)
            made.append(changed._replace(hash=before.hex()))
        head = (len(made), before.hex())
        post, public, _ = ending.signed
        signature = self.key.sign(canon(["pbm-record-1", post, game, *head])).hex()
        ending = ending._replace(head=head, signed=(post, public, signature))
        return "".join(f"{line}\n" for line in lines_of(game, made, ending, record))

    def reseal(self, text: Any, chance: Any, sister: Any) -> Any:
        """A commitment is another one, though the value is open."""
        return self.change_seal(
            text, chance, lambda seal, game, event: seal._replace(commitment=chance.randbytes(32).hex())
        )

    def reblind(self, text: Any, chance: Any, sister: Any) -> Any:
        """A value has another blinding than the blind key gives, and a commitment that fits."""

        def change(seal: Any, game: Any, event: Any) -> Any:
            blind = chance.randbytes(32)
            made = commitment(blind, game, event.seq, seal.field, seal.value).hex()
            return seal._replace(blinding=blind.hex(), commitment=made)

        return self.change_seal(text, chance, change) if "\n[%blind " in text else None

    def change_seal(self, text: Any, chance: Any, change: Any) -> Any:
        """One opened seal of the record is changed, if it has any."""
        events, _ = gather(read(text).body)
        places = [event.seq for event in events if any(seal.value is not None for seal in event.seals)]
        chosen = chance.choice(places) if places else None

        def at(game: Any, event: Any) -> Any:
            if event.seq != chosen:
                return event
            first, *rest = event.seals
            return event._replace(seals=(change(first, game, event), *rest))

        return self.rewrite(text, at) if places else None

    def stir(self, text: Any, chance: Any, sister: Any) -> Any:
        """A player is said to have stirred in something else than the draws were made with."""
        if len(draws_of(text)) < MANY:
            return None
        accepted = re.findall(r' accepted \S+ \{[^\n]*"seat":"(\w+)"\} [0-9a-f]{64}\]\n', text)
        seat, other = chance.choice(accepted), {"entropy_sha256": chance.randbytes(32).hex()}

        def change(game: Any, event: Any) -> Any:
            stirs = event.kind == "accepted" and event.data["seat"] == seat
            return event._replace(data={**event.data, **other}) if stirs else event

        return self.rewrite(text, change)

    def claim(self, text: Any, chance: Any, sister: Any) -> Any:
        """The proof is said to be of a level that nobody plays at, or the seed to have been promised otherwise."""
        other = chance.choice([{"level": 3}, {"level": 2}, {"level": True}, {"seed": chance.randbytes(32).hex()}])
        if "seed" in other and "\n[%seed " not in text:
            return None

        def change(game: Any, event: Any) -> Any:
            opens = event.kind == "opened"
            return event._replace(data={**event.data, "proof": {**event.data["proof"], **other}}) if opens else event

        return self.rewrite(text, change)

    def sign(self, text: Any, chance: Any, sister: Any) -> Any:
        """Somebody else has signed."""
        return Forger(chance.randbytes(32)).rewrite(text, lambda game, event: event)

    def unsign(self, text: Any, chance: Any, sister: Any) -> Any:
        """Nobody has signed."""
        return re.sub(r"\[%signed [^\]]*\]\n", "", text)

    def kinds(self) -> Any:
        """All that can be done to a record, by name; each gives nothing where the record has no such place."""
        slips = (flip, flip, flip, drop, swap, double, cut, splice, redraw, change_secret, remark)
        lies = (self.reseal, self.reblind, self.stir, self.claim, self.sign, self.unsign)
        return (*slips, *lies)
