"""Whether the games in the database are the games that were played: judged again, drawn again, compared with what left.

Somebody with the database file can change an event and compute all hashes after it anew. The chain is whole then, but
the rules may forbid what it says now, the seed brings other dice, and the receipts that were signed and the mails that
were sent still have the old hashes.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from email.parser import BytesHeaderParser
from typing import Final, NamedTuple, TypeAlias

from pbem.events.chain import Event
from pbem.events.kinds import letter_of
from pbem.judging.record_replay import replay_record
from pbem.mail.format import HEAD_HEADER
from pbem.proof.public_log import format_root, read_tree
from pbem.proof.receipts import read_receipts
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.tables.fold import apply_event, fold
from pbem.tables.replay_draws import replay_draw
from pbem.tables.table import CALLED_OFF, INVITING, Table
from pbem.workflow.history import TREE, last_checkpoint

Tell: TypeAlias = Callable[[int, str], None]
"""Is told how many games are done, and what is looked at."""


def tell_nobody(done: int, what: str) -> None:
    """For callers who show no progress."""


_PAGE: Final = 200
_SEVERAL: Final = 3
"""So many differences of one game are told one by one."""
_REWRITTEN: Final = "somebody has rewritten this game; put a backup from before in its place (`pbem restore`)"


class Head(NamedTuple):
    """An event that something which left the post knows, and where it stands."""

    seq: int
    hash: str
    where: str


class Evidence(NamedTuple):
    """What left the post about each game: the heads in mails and receipts, and the letters that have a receipt."""

    heads: dict[str, list[Head]]
    acknowledged: frozenset[str]
    """The digests of all letters with a receipt."""
    wrong: tuple[str, ...]


def check_histories(
    transaction: Transaction,
    games: Sequence[GameRow],
    chains: Mapping[str, Sequence[Event]],
    keys: Collection[bytes],
    tell: Tell = tell_nobody,
) -> Iterator[str]:
    """Everything by which games with a whole chain are not the games that were played.

    `chains` are the events of those games, and `keys` are all that the post has signed with.
    """
    evidence = _collect_evidence(transaction, keys, tell)
    yield from evidence.wrong
    yield from _check_log(transaction, chains)
    for done, game in enumerate(games):
        tell(done, game.id)
        if game.id in chains:
            yield from _check_history(game, chains[game.id], evidence, signs=bool(keys))


def _collect_evidence(transaction: Transaction, keys: Collection[bytes], tell: Tell) -> Evidence:
    """Read all receipts and all mails whose text is still there. `keys` are those that the post has signed with."""
    heads: dict[str, list[Head]] = defaultdict(list)
    wrong, letters = list[str](), set[str]()
    for number, digest, text in transaction.receipt_texts():
        letters.add(digest)
        if not text:
            continue  # from a time when the post did not sign
        found = next(read_receipts(text.splitlines()), None)
        is_ours = found is not None and (not keys or any(found.is_signed_by(key) for key in keys))
        if found is None or not is_ours or found.receipt.letter != digest:
            wrong.append(f"the receipt of letter {number} is not what the post signed; somebody has changed it")
            continue
        for seq, hash_ in (found.receipt.before, found.receipt.after):
            heads[found.receipt.game].append(Head(seq, hash_, f"the receipt of letter {number}"))
    last = 0
    while mails := transaction.mail_texts(last, _PAGE):
        for last, raw in mails:
            if (known := _read_head(raw)) is not None:
                game, seq, hash_ = known
                heads[game].append(Head(seq, hash_, f"mail {last}"))
        tell(0, f"mail {last}")
    return Evidence(heads, frozenset(letters), tuple(wrong))


def _read_head(raw: bytes) -> tuple[str, int, str] | None:
    """The head that a mail prints in its header."""
    header, _, _ = raw.partition(b"\r\n\r\n")
    words = str(BytesHeaderParser().parsebytes(header + b"\r\n\r\n").get(HEAD_HEADER, "")).split()
    if len(words) != 3 or not words[1].isdigit():
        return None
    return words[0], int(words[1]), words[2]


def _check_history(row: GameRow, events: Sequence[Event], evidence: Evidence, *, signs: bool) -> Iterator[str]:
    """Everything by which a game with a whole chain is not the game that was played."""
    yield from _judge_again(row, fold(events))
    yield from _draw_again(row, events)
    yield from _compare_heads(row, events, evidence)
    if signs:
        yield from _miss_receipts(row, events, evidence)


def _judge_again(row: GameRow, table: Table) -> Iterator[str]:
    if table.stage in (INVITING, CALLED_OFF):
        return
    refused = replay_record(table.record).refusal
    if refused is not None:
        yield f"{row.id}: judged again, turn {refused.turn} breaks a rule: {refused.verdict}; {_REWRITTEN}"


def _draw_again(row: GameRow, events: Sequence[Event]) -> Iterator[str]:
    table = fold(events[:1])
    for event in events[1:]:
        drawn = replay_draw(table, event, row.seed) if event.seq > table.taken_in else None
        if drawn is not None and not drawn.fits:
            yield f"{row.id}: drawn again, event {event.seq} comes out otherwise than it is written; {_REWRITTEN}"
            return
        table = apply_event(table, event)


def _compare_heads(row: GameRow, events: Sequence[Event], evidence: Evidence) -> Iterator[str]:
    hashes = {event.seq: event.hash for event in events}
    other = [head for head in evidence.heads.get(row.id, ()) if head.seq and hashes.get(head.seq) != head.hash]
    if other:
        first = min(other, key=lambda head: head.seq)
        named = ", ".join(dict.fromkeys(head.where for head in other[:_SEVERAL]))
        more = f" and {len(other) - _SEVERAL} more" if len(other) > _SEVERAL else ""
        yield f"{row.id}: {named}{more} know event {first.seq} otherwise than it is written now; {_REWRITTEN}"


def _miss_receipts(row: GameRow, events: Sequence[Event], evidence: Evidence) -> Iterator[str]:
    """Letters that were acted on always got a receipt, so one without is a sign that somebody tidied up."""
    taken_in = fold(events[:1]).taken_in
    for event in events[taken_in:]:
        letter = letter_of(event.payload)
        if letter and letter not in evidence.acknowledged:
            yield f"{row.id}: there is no receipt for the letter of event {event.seq}; somebody has removed it"
            return


def _check_log(transaction: Transaction, chains: Mapping[str, Sequence[Event]]) -> Iterator[str]:
    """Whether the log of all games is the one whose checkpoint was signed, and knows the games as they are."""
    lines = transaction.log_lines()
    tree = read_tree("")
    for line in lines:
        tree = tree.grow(line.encode())
    if tree.write() != (transaction.load_setting(TREE) or tree.write()):
        yield "the log of all games is not the one that was written; a line was changed, removed or added"
    last = last_checkpoint(transaction)
    if last is not None and (last.size, last.root) != (tree.size, format_root(tree.root)):
        yield "the last checkpoint was signed for another log of all games; a line was changed, removed or added"
    for number, line in enumerate(lines, start=1):
        try:
            said = json.loads(line)
            game, seq, head = said.get("game"), said.get("seq"), said.get("head")
        except (ValueError, AttributeError, RecursionError):
            yield f"line {number} of the log of all games cannot be read"
            continue
        events = chains.get(game)
        if events is not None and not any((event.seq, event.hash) == (seq, head) for event in events):
            yield f"{game}: line {number} of the log knows event {seq} otherwise than it is written now; {_REWRITTEN}"
