"""New keys for a post: planned, or because one is lost or stolen.

The key that is replaced stays beside the new one under a dated name. What it has signed is still checked with it, and
games that cannot say in their chain that the key has changed are signed with it until they end. Reply addresses of a
replaced ticket key still count, unless it was stolen.
"""

import os
import secrets
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from pbem.proof.signatures import LENGTH, Signer
from pbem.service.lock import take_lock
from pbem.service.post_folder import open_post
from pbem.settings.delivery import POST_FILE
from pbem.settings.kinds import Secret
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.workflow import history
from pbem.workflow.context import REPLACED, STOLEN, PostContext, make_signer
from pbem.workflow.new_keys import announce_key, ask_again

_COMMAND: Final = "key"
_NEW: Final = ".new"
_STAMP: Final = "%Y%m%dT%H%M%SZ"


class Rotated(NamedTuple):
    """A new key, the games that tell of it, and where the old one is kept."""

    signer: Signer
    games: tuple[str, ...]
    kept: Path


def rotate_signing_key(settings: Settings, now: datetime, *, vouched: bool) -> Rotated:
    """Let the post sign with a new key, and tell all players.

    If it is `vouched` for, the old key signs the new one. A key that is lost or stolen can vouch for nothing.
    """
    path = _file_of(settings.post.signing_key, "post.signing_key_file")
    with take_lock(settings, _COMMAND):
        fresh = path.with_name(path.name + _NEW)
        if not fresh.exists():
            write_key(fresh)
        new = Signer(settings.post.address, bytes.fromhex(fresh.read_text("ascii").strip()))
        with open_post(settings, even_older=True) as context:
            with context.store.reading() as transaction:
                last = history.last_checkpoint(transaction)
            done: tuple[str, ...] = ()
            if last is None or not last.is_signed_by(new.public):  # else it was interrupted before the files changed
                done = tuple(announce_key(context, new, make_signer(settings) if vouched else None))
        kept = path.with_name(f"{path.name}{REPLACED}{now:{_STAMP}}")
        _change_places(path, fresh, kept)
    return Rotated(new, done, kept)


def rotate_ticket_key(settings: Settings, now: datetime, *, stolen: bool) -> tuple[tuple[str, ...], Path]:
    """Sign reply addresses with a new key; the games in which somebody got a fresh mail, and where the old key is.

    Addresses of the old key still count, unless it was stolen: then everybody who is due is asked again at once.
    """
    path = _file_of(settings.post.ticket_key, "post.ticket_key_file")
    with take_lock(settings, _COMMAND):
        fresh = path.with_name(path.name + _NEW)
        write_key(fresh)
        if stolen:
            for older in path.parent.glob(f"{path.name}{REPLACED}*"):
                older.rename(path.with_name(older.name.replace(REPLACED, STOLEN)))
        kept = path.with_name(f"{path.name}{STOLEN if stolen else REPLACED}{now:{_STAMP}}")
        _change_places(path, fresh, kept)
        if not stolen:
            return (), kept
        changed = replace(settings.post, ticket_key=Secret(path.read_text("ascii").strip(), path))
        with open_post(replace(settings, post=changed), even_older=True) as context:
            return tuple(ask_again(context)), kept


def refuse_other_key(context: PostContext) -> None:
    """Refuse to serve with another signing key than the one that signed last."""
    with context.store.reading() as transaction:
        last = history.last_checkpoint(transaction)
    if context.signer is not None and last is not None and not last.is_signed_by(context.signer.public):
        raise StoreRefusedError(
            "the signing key is not the one that this post has signed with, so what it signs would not be believed; "
            "put the right file back. If it is lost for good, run `pbem key rotate signing --lost`"
        )


def stand_in_for_lost_key(config: Path, which: str) -> Path | None:
    """Put any key where the settings name one that is gone, so that they can be read; the file, if so."""
    import tomllib

    file = config / POST_FILE if config.is_dir() else config
    try:
        named = tomllib.loads(file.read_text("utf-8-sig")).get("post", {}).get(f"{which}_key_file", "")
    except (OSError, ValueError, AttributeError):
        return None  # reading the settings says why
    path = file.parent / str(named)
    if not named or path.exists():
        return None
    write_key(path)
    return path


def _file_of(secret: Secret | None, name: str) -> Path:
    if secret is None or secret.file is None:
        raise StoreRefusedError(f"the key is not in a file that can be replaced; name one in {name}")
    return secret.file


def write_key(path: Path) -> None:
    """Write a new key into a file that only its owner can read."""
    text = secrets.token_hex(LENGTH) + "\n"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def _change_places(path: Path, fresh: Path, kept: Path) -> None:
    """Put the new key in the place of the old one, which is kept."""
    if path.exists():
        os.link(path, kept)
    fresh.replace(path)
