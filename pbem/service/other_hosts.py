"""Several hosts of one post: they must have the same keys, and none may be older than the one that served last."""

from hashlib import sha256
from importlib.metadata import version
from typing import Final

from pbem.service.lock import SERVING, STANDING_BY, open_lock
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.workflow.context import STOLEN, PostContext, older_keys

TICKET_KEY: Final = "fingerprint of the ticket key"
RELEASE: Final = "release that served last"
_DOING: Final = {SERVING: "serves", STANDING_BY: "stands by"}


def refuse_other_post(context: PostContext) -> None:
    """Refuse a host with another key for reply addresses, or with an older release; note ours if they are newer.

    The signing key is compared with what it has signed, on every host.
    """
    ours, release = context.settings.post.ticket_key, version("caravan-post")
    older = [*older_keys(ours), *older_keys(ours, STOLEN)]
    known = [] if ours is None else [_fingerprint(ours.reveal()), *map(_fingerprint, older)]
    with context.store.transaction() as transaction:
        key, last = transaction.load_setting(TICKET_KEY), transaction.load_setting(RELEASE)
        if key is not None and key not in known:
            raise StoreRefusedError(
                "the key for reply addresses is not the one that the other hosts have: copy post.ticket_key_file from "
                "one of them, or answers of players go astray"
            )
        if last is not None and _numbers(release) < _numbers(last):
            raise StoreRefusedError(f"this is release {release}, and {last} has served the post: install that one here")
        if known and key != known[0]:
            transaction.save_setting(TICKET_KEY, known[0])
        if last != release:
            transaction.save_setting(RELEASE, release)


def say_hosts(settings: Settings) -> list[str]:
    """Every host that serves the post or stands by, as it is connected now."""
    with open_lock(settings, "status") as lock:
        return [
            f"{each.host} (process {each.process}) {_DOING[each.command]}"
            for each in lock.present()
            if each.command in _DOING
        ]


def _fingerprint(key: str | bytes) -> str:
    raw = key.encode() if isinstance(key, str) else key
    return sha256(b"caravan-post fingerprint " + raw).hexdigest()[:16]


def _numbers(release: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in release.split("+")[0].split(".")]
