"""What the database keeps held against what was promised and noted: secrets, letters behind events, and records.

The chain of events shows when an event was touched. It does not cover the seed, which is only committed to, nor the
letters, of which it names the digests: whoever touches these would steer dice, or make a page accuse a player.

What a doctor says of one thing: how it is, and what to do if it is not good.

What a doctor finds in the post's own folder: its keys and whether they are the old ones, its database, its journal.

Keys are compared with what they have signed: another one in the place of a lost one looks as good as the right one.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Final

from pbem.events.chain import Event
from pbem.events.kinds import GameOpened, letter_of
from pbem.mail.reply_address import parse_ticket
from pbem.proof.draws import commit_blind_key, commit_seed
from pbem.service.health import format_counts
from pbem.service.journal import journal_problem
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import (
    database_of,
    find_signer,
    open_store,
    read_checkpoint_of,
    signing_key_problem,
)
from pbem.settings.access import mode_if_shared
from pbem.settings.kinds import Secret
from pbem.settings.sections import ImapSettings, Settings, SmtpSettings
from pbem.store.errors import StoreError
from pbem.store.rows import GameRow, MailRow
from pbem.store.store import Store, Transaction
from pbem.tables.fold import BrokenHistoryError, fold
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import can_be_read, seal_text


def check_game(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    """Everything that is wrong with what is kept of a game; `letters` are the digests of all that came."""
    yield from _hold_secrets(game, events[0])
    yield from _hold_letters(game, events, letters)
    if not can_be_read(seal_text(events)):
        yield f"{game.id}: its record cannot be read again; keep the database, and report it"


def check_letters(transaction: Transaction) -> Iterator[str]:
    """The letters whose bytes are not those that came."""
    for number in transaction.altered_letters():
        yield f"letter {number} is not the one that came: its bytes were changed, so believe no page about it"


def _hold_secrets(game: GameRow, opened: Event) -> Iterator[str]:
    promised = opened.payload.promised if isinstance(opened.payload, GameOpened) else {}
    kept = {"seed": commit_seed(game.id, game.seed), "blind": commit_blind_key(game.id, game.blind)}
    for name, commitment in kept.items():
        if promised.get(name) not in (None, commitment):
            yield f"{game.id}: its {name} is not the one that was promised; restore a backup before anything is drawn"


def _hold_letters(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    opened = events[0].payload
    taken_in = opened.taken_in if isinstance(opened, GameOpened) else 0
    for event in events[taken_in:]:
        named = letter_of(event.payload)
        if named and named not in letters:
            yield f"{game.id}: the letter that event {event.seq} names is not there any more, or was changed"


GOOD: Final = "good"
ADVICE: Final = "advice"
BAD: Final = "bad"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was looked at, how it is, and what to do if it is not good."""

    about: str
    state: str
    told: str


_SHORTEST_KEY: Final = 32
_BRING_BACK: Final = "bring the file back from your copy"


def check_keys(settings: Settings) -> Iterator[CheckResult]:
    """Whether there are keys, and they look like some."""
    yield _inspect_ticket_key(settings)
    yield _inspect_signing_key(settings)


def check_folder(settings: Settings) -> Iterator[CheckResult]:
    """Look at everything that lies in the folder of a post."""
    yield from _inspect_modes(settings)
    yield from _inspect_database(settings)
    yield _inspect_lock(settings)
    why = journal_problem(settings.log)
    if settings.log.file is not None:
        yield CheckResult("journal", GOOD, str(settings.log.file)) if why is None else CheckResult("journal", BAD, why)


def _inspect_ticket_key(settings: Settings) -> CheckResult:
    key = settings.post.ticket_key
    if key is None:
        return CheckResult("ticket key", BAD, "there is none; name its file in post.ticket_key_file")
    if len(key.reveal()) < _SHORTEST_KEY:
        return CheckResult("ticket key", BAD, f"it has fewer than {_SHORTEST_KEY} characters")
    return CheckResult("ticket key", GOOD, "is there")


def _inspect_signing_key(settings: Settings) -> CheckResult:
    if settings.post.signing_key is None:
        return CheckResult(
            "signing key", ADVICE, "there is none: nobody gets a receipt; name its file in signing_key_file"
        )
    why = signing_key_problem(settings)
    return CheckResult("signing key", GOOD, "is there") if why is None else CheckResult("signing key", BAD, why)


def _inspect_modes(settings: Settings) -> Iterator[CheckResult]:
    """What is for the post alone, and can be read by others on this machine."""
    for path in (*_secret_files(settings), database_of(settings)):
        if (mode := mode_if_shared(path)) is not None:
            told = f"{path} has mode {mode}, and is for its owner alone; chmod 600 '{path}'"
            yield CheckResult("permissions", ADVICE, told)


def _secret_files(settings: Settings) -> Iterator[Path]:
    ways = (settings.post.ticket_key, settings.post.signing_key, _password(settings.imap), _password(settings.out))
    yield from (secret.file for secret in ways if secret is not None and secret.file is not None)


def _password(way: object) -> Secret | None:
    return way.password if isinstance(way, ImapSettings | SmtpSettings) else None


def _inspect_lock(settings: Settings) -> CheckResult:
    """Whether somebody could be the clerk."""
    try:
        with take_lock(settings, "doctor", patience=timedelta()):
            return CheckResult("service", GOOD, "nobody serves the post now, and somebody could")
    except PostBusyError as reason:
        return CheckResult("service", GOOD, str(reason))
    except StoreError as reason:
        return CheckResult("service", BAD, str(reason))


def _inspect_database(settings: Settings) -> Iterator[CheckResult]:
    try:
        with open_store(settings) as store:
            yield CheckResult("database", GOOD, "a write-ahead log, flushed at every commit, as read back from it")
            yield from _inspect_store(store, settings)
    except StoreError as reason:
        yield CheckResult("database", BAD, str(reason))


def _inspect_store(store: Store, settings: Settings) -> Iterator[CheckResult]:
    tables: list[Table] = []
    with store.reading() as transaction:
        wrong = transaction.integrity_problems()
        letters = transaction.counters()
        games = transaction.games()
        came = set(transaction.letter_digests().values())
        for game in games:
            try:
                events = read_events(transaction, game.id)
                tables.append(fold(events))
            except BrokenHistoryError as reason:
                wrong.append(str(reason))
            else:
                wrong += check_game(game, events, came)
        wrong += check_letters(transaction)
        compared = [*_compare_signing_key(settings, transaction, tables), *_compare_ticket_key(settings, transaction)]
    yield from (CheckResult("database", BAD, each) for each in wrong)
    if not wrong:
        number = "1 game" if len(games) == 1 else f"{len(games)} games"
        yield CheckResult(
            "chains", GOOD, f"{number}, every event holds on to the one before, every record can be read again"
        )
    yield CheckResult("letters", BAD if letters.difference else GOOD, format_counts(letters))
    if letters.quarantined:
        want = "1 letter wants" if letters.quarantined == 1 else f"{letters.quarantined} letters want"
        yield CheckResult("quarantine", ADVICE, f"{want} a person; see `pbem quarantine`")
    yield from compared


def _compare_signing_key(settings: Settings, transaction: Transaction, tables: list[Table]) -> Iterator[CheckResult]:
    if signing_key_problem(settings) is not None or (signer := find_signer(settings)) is None:
        return
    ours, last = signer.public, read_checkpoint_of(transaction)
    if last is not None and not last.is_signed_by(ours):
        told = f"it is not the one that signed the log of all games, so what it signs does not agree; {_BRING_BACK}"
        yield CheckResult("signing key", BAD, told)
    going_on = [table for table in tables if table.stage in (INVITING, PLAYING)]
    if strange := [table.id for table in going_on if table.proof.get("key", ours.hex()) != ours.hex()]:
        named = ", ".join(strange)
        told = f"it is not the one that was promised to the players of {named}: their records will not verify"
        yield CheckResult("signing key", BAD, f"{told}; {_BRING_BACK}")


def _compare_ticket_key(settings: Settings, transaction: Transaction) -> Iterator[CheckResult]:
    """Look at the newest mail that can be answered: the code in it is ours, or the key is another one now."""
    for mail in transaction.last_mails_to_seats():
        if (good := _is_ours(settings, mail)) is not None:
            if not good:
                told = "it is not the one that signed the last mails: answers to them are not known to be the players'"
                yield CheckResult("ticket key", BAD, f"{told}; {_BRING_BACK}")
            return


def _is_ours(settings: Settings, mail: MailRow) -> bool | None:
    """Whether the code in a mail is made with our key; None if it has none."""
    key = settings.post.ticket_key
    if key is None or not mail.raw:
        return None
    head = message_from_bytes(mail.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", policy=default)
    recipients, subject = [str(head["Reply-To"] or "")], str(head["Subject"] or "")
    ticket = parse_ticket(key.reveal().encode(), settings.post.address, recipients, subject)
    return None if ticket is None else ticket.good
