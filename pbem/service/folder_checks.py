"""What `pbem doctor` checks in the post's own folder: keys, permissions, database, lock and journal.

The chain of events shows when an event was changed. It does not cover the seed, which is only committed to, nor the
letters, whose digests it names: someone who changes those could influence dice, or make a page accuse a player. So
they are compared with what was promised. Keys are compared with what they have signed, because a new key in the place
of a lost one looks as good as the right one.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from typing import Final

from pbem.events.chain import Event
from pbem.events.kinds import GameOpened, letter_of
from pbem.mail.reply_address import parse_ticket
from pbem.proof.draws import commit_blind_key, commit_seed
from pbem.service.backups import backup_problem, list_backups, say_last
from pbem.service.health import clock_behind, explain_clock_behind, format_counts
from pbem.service.history_checks import Tell, check_histories, tell_nobody
from pbem.service.journal import journal_problem
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import open_store, signing_key_problem
from pbem.service.row_checks import check_game_rows, check_rows, note_double_roles
from pbem.service.water_mark import WHAT_TO_DO, find_rollback, say_held, say_lost_table
from pbem.settings.access import mode_if_shared
from pbem.settings.sections import Settings
from pbem.store.errors import StoreDamagedError, StoreError
from pbem.store.rows import GameRow, MailRow
from pbem.store.store import Store, Transaction
from pbem.store.timestamps import utc_now
from pbem.tables.fold import BrokenHistoryError, fold
from pbem.tables.table import INVITING, PLAYING, ROLLBACK, Table
from pbem.workflow.context import make_signer, older_keys, older_signers
from pbem.workflow.history import last_checkpoint, read_events
from pbem.workflow.record_proof import can_be_read, seal_text

GOOD: Final = "good"
ADVICE: Final = "advice"
BAD: Final = "bad"


_SHORTEST_KEY: Final = 32
_RESTORE: Final = "restore the file from your backup"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was checked, how it is, and what to do if it is not good."""

    about: str
    state: str
    text: str


def check_game(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    """Everything that is wrong with a stored game; `letters` are the digests of all letters that arrived."""
    yield from _check_secrets(game, events[0])
    yield from _check_letters_of(game, events, letters)
    if not can_be_read(seal_text(events)):
        yield f"{game.id}: its record cannot be read again; keep the database, and report it"


def check_letters(transaction: Transaction) -> Iterator[str]:
    """The letters whose bytes are not those that arrived."""
    for number in transaction.altered_letters():
        yield f"letter {number} is not the one that came: its bytes were changed, so believe no page about it"


def _check_secrets(game: GameRow, opened: Event) -> Iterator[str]:
    promised = opened.payload.promised if isinstance(opened.payload, GameOpened) else {}
    kept = {"seed": commit_seed(game.id, game.seed), "blind": commit_blind_key(game.id, game.blind)}
    for name, commitment in kept.items():
        if promised.get(name) not in (None, commitment):
            yield f"{game.id}: its {name} is not the one that was promised; restore a backup before anything is drawn"


def _check_letters_of(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    opened = events[0].payload
    taken_in = opened.taken_in if isinstance(opened, GameOpened) else 0
    for event in events[taken_in:]:
        named = letter_of(event.payload)
        if named and named not in letters:
            yield f"{game.id}: the letter that event {event.seq} names is not there any more, or was changed"


def check_keys(settings: Settings) -> Iterator[CheckResult]:
    """Whether the keys are there and have the right form."""
    yield _check_ticket_key(settings)
    yield _check_signing_key(settings)


def check_folder(settings: Settings, *, quick: bool = False, tell: Tell = tell_nobody) -> Iterator[CheckResult]:
    """Check everything in the folder of a post; if `quick`, no game is judged and drawn again."""
    yield from _check_modes(settings)
    yield from _check_database(settings, quick=quick, tell=tell)
    yield _check_lock(settings)
    yield _check_backups(settings)
    why = journal_problem(settings.log)
    if settings.log.file is not None:
        yield CheckResult("journal", GOOD, str(settings.log.file)) if why is None else CheckResult("journal", BAD, why)


def _check_ticket_key(settings: Settings) -> CheckResult:
    key = settings.post.ticket_key
    if key is None:
        return CheckResult("ticket key", BAD, "there is none; name its file in post.ticket_key_file")
    if len(key.reveal()) < _SHORTEST_KEY:
        return CheckResult("ticket key", BAD, f"it has fewer than {_SHORTEST_KEY} characters")
    return CheckResult("ticket key", GOOD, "is there")


def _check_signing_key(settings: Settings) -> CheckResult:
    if settings.post.signing_key is None:
        return CheckResult(
            "signing key", ADVICE, "there is none, so players get no receipts; name its file in signing_key_file"
        )
    why = signing_key_problem(settings)
    return CheckResult("signing key", GOOD, "is there") if why is None else CheckResult("signing key", BAD, why)


def _check_modes(settings: Settings) -> Iterator[CheckResult]:
    """Files that only the post should read, and that others on this machine can read."""
    files = [secret.file for secret in settings.secrets if secret.file is not None]
    for path in (*files, settings.database):
        if (mode := mode_if_shared(path)) is not None:
            text = f"{path} has mode {mode}, and only its owner should read it; chmod 600 '{path}'"
            yield CheckResult("permissions", ADVICE, text)


def _check_lock(settings: Settings) -> CheckResult:
    """Whether the post is served now, or could be."""
    try:
        with take_lock(settings, "doctor", patience=timedelta()):
            return CheckResult("service", GOOD, "the post is not being served now, and could be")
    except PostBusyError as reason:
        return CheckResult("service", GOOD, str(reason))
    except StoreError as reason:
        return CheckResult("service", BAD, str(reason))


def _check_backups(settings: Settings) -> CheckResult:
    """Whether the service makes copies, and the last one can be read."""
    if settings.backup.folder is None:
        return CheckResult("backups", ADVICE, "`pbem serve` makes none; name a folder in backup.folder")
    if (why := backup_problem(settings.backup, utc_now())) is not None:
        return CheckResult("backups", BAD, why)
    said = say_last(settings.backup)
    return CheckResult("backups", GOOD, f"{said}, which can be read" if list_backups(settings.backup) else said)


def _check_database(settings: Settings, *, quick: bool, tell: Tell) -> Iterator[CheckResult]:
    try:
        with open_store(settings) as store:
            text, advice = store.say_safety()
            yield CheckResult("database", GOOD, text)
            if advice:
                yield CheckResult("standby", ADVICE, advice)
            yield from check_store(store, settings, quick=quick, tell=tell)
    except (StoreError, StoreDamagedError) as reason:
        yield CheckResult("database", BAD, str(reason))


def check_store(
    store: Store, settings: Settings, *, quick: bool = False, tell: Tell = tell_nobody
) -> Iterator[CheckResult]:
    """Check what is in a database: games, letters, and whether our keys are those that it was written with."""
    tables: list[Table] = []
    chains: dict[str, tuple[Event, ...]] = {}
    with store.reading() as transaction:
        wrong = transaction.integrity_problems()
        if misshapen := transaction.misshapen():
            # Whatever else is asked of such a database may fail.
            wrong += [str(StoreDamagedError(each)) for each in misshapen]
            yield from (CheckResult("database", BAD, each) for each in wrong)
            return
        letters = transaction.counters()
        games = transaction.games()
        came = set(transaction.letter_digests().values())
        for game in games:
            try:
                events = read_events(transaction, game.id)
                tables.append(fold(events))
                wrong += check_game_rows(transaction, tables[-1], events)
            except BrokenHistoryError as reason:
                wrong.append(str(reason))
            else:
                chains[game.id] = events
                wrong += check_game(game, events, came)
        wrong += check_letters(transaction)
        wrong += check_rows(transaction)
        doubled = [*note_double_roles(transaction, tables, settings.post.referee)]
        behind = clock_behind(transaction, utc_now())
        if not quick:
            wrong += check_histories(transaction, games, chains, known_keys(settings, tables), tell)
        older, unknown = find_rollback(settings, transaction), transaction.lost_tables()
        compared = [*_compare_signing_key(settings, transaction, tables), *_compare_ticket_key(settings, transaction)]
    yield from (CheckResult("database", BAD, each) for each in wrong)
    if not wrong:
        number = "1 game" if len(games) == 1 else f"{len(games)} games"
        yield CheckResult(
            "chains", GOOD, f"{number}, every event follows from the one before, every record can be read again"
        )
        if not quick:
            text = f"{number} judged and drawn again, and compared with all receipts, sent mails and the log"
            yield CheckResult("histories", GOOD, text)
    yield CheckResult("letters", BAD if letters.difference else GOOD, format_counts(letters))
    if letters.quarantined:
        want = "1 letter wants" if letters.quarantined == 1 else f"{letters.quarantined} letters want"
        yield CheckResult("quarantine", ADVICE, f"{want} a person; see `pbem quarantine`")
    for table in tables:
        if ROLLBACK in table.pauses:
            yield CheckResult("held game", BAD, say_held(table.id))
    yield from (CheckResult("lost table", BAD, say_lost_table(table)) for table in unknown)
    if older is not None:
        yield CheckResult("database", BAD, f"{older}; {WHAT_TO_DO}")
    yield from compared
    yield from (CheckResult("seats", ADVICE, each) for each in doubled)
    if behind:
        yield CheckResult("clock", ADVICE, explain_clock_behind(behind))


def known_keys(settings: Settings, tables: Iterable[Table]) -> set[bytes]:
    """The public keys that the post has signed with: its own, and those that were promised to players."""
    signer = make_signer(settings) if signing_key_problem(settings) is None else None
    promised = {key for table in tables for key in (str(table.proof.get("key", "")), table.key) if key}
    own = {each.public for each in (signer, *older_signers(settings)) if each is not None}
    return {bytes.fromhex(key) for key in promised} | own


def _compare_signing_key(settings: Settings, transaction: Transaction, tables: list[Table]) -> Iterator[CheckResult]:
    if signing_key_problem(settings) is not None or (signer := make_signer(settings)) is None:
        return
    ours, last = signer.public, last_checkpoint(transaction)
    if last is not None and not last.is_signed_by(ours):
        text = f"it is not the one that signed the log of all games, so what it signs does not agree; {_RESTORE}"
        yield CheckResult("signing key", BAD, text)
    going_on = [table for table in tables if table.stage in (INVITING, PLAYING)]
    known = {ours.hex(), *(each.public.hex() for each in older_signers(settings)), ""}
    if strange := [table.id for table in going_on if table.key not in known]:
        named = ", ".join(strange)
        text = f"it is not the one that was promised to the players of {named}: their records will not verify"
        yield CheckResult("signing key", BAD, f"{text}; {_RESTORE}")


def _compare_ticket_key(settings: Settings, transaction: Transaction) -> Iterator[CheckResult]:
    """Look at the newest mail that can be answered: if its code is not ours, the key was replaced."""
    for mail in transaction.last_mails_to_seats():
        if (good := _is_ours(settings, mail)) is not None:
            if not good:
                text = "it is not the one that signed the last mails: answers to them are not known to be the players'"
                yield CheckResult("ticket key", BAD, f"{text}; {_RESTORE}")
            return


def _is_ours(settings: Settings, mail: MailRow) -> bool | None:
    """Whether the code in a mail was made with our key; None if it has no code."""
    key = settings.post.ticket_key
    if key is None or not mail.raw:
        return None
    head = message_from_bytes(mail.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", policy=default)
    recipients, subject = [str(head["Reply-To"] or "")], str(head["Subject"] or "")
    older = tuple(older_keys(key))
    ticket = parse_ticket(key.reveal().encode(), settings.post.address, recipients, subject, older_keys=older)
    return None if ticket is None else ticket.good
