"""The tables of outgoing mails. Like the rest of the schema they are loaded only to create or to check them."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

from pbem.store.rows import MAIL_STATES

NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")


def one_of(column: str, words: tuple[str, ...]) -> CheckConstraint:
    """A column has one of some words."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=f"known_{column}")


def add_outbox(metadata: MetaData) -> None:
    """Add the tables of the outbox to the others."""
    # Digest and length of a mail's bytes, and the last event of its game by then, stay when the bytes are deleted.
    Table(
        "outbox",
        metadata,
        Column("id", NUMBER, primary_key=True),
        Column("message_id", Text, nullable=False, unique=True),
        Column("recipient", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("game", Text),
        Column("seat", Text),
        Column("state", Text, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("not_before", Text, nullable=False),
        Column("last_error", Text, nullable=False),
        Column("created_at", Text, nullable=False),
        Column("sent_at", Text),
        Column("told", Boolean, nullable=False),
        Column("sha256", Text, nullable=False, server_default=""),
        Column("length", Integer, nullable=False, server_default="0"),
        Column("head_seq", Integer),
        one_of("state", MAIL_STATES),
        Index("outbox_by_turn", "state", "not_before", "id"),
        Index("outbox_by_recipient", "recipient", "created_at"),
        Index("outbox_by_day", "created_at"),
        sqlite_autoincrement=True,
    )
    # Mails that were sent, or their pictures, of one reader about one game, compressed together.
    Table(
        "pack",
        metadata,
        Column("number", NUMBER, primary_key=True),
        Column("what", Text, nullable=False),
        Column("about", Text, nullable=False),
        Column("reader", Text, nullable=False),
        Column("parts", Integer, nullable=False),
        Column("packed", LargeBinary, nullable=False),
        one_of("what", ("mails", "pictures")),
        Index("pack_by_reader", "reader", "about", "what"),
        sqlite_autoincrement=True,
    )
    # What is the same in many mails, such as the picture of a board: stored once, by the digest of what is in them.
    # A picture is stored as it was drawn, after the header fields of its part; `encoded` says that it is in base64 in
    # the mail. Of a picture in a pack only the file without its pixels is here, or nothing if all of it is in there.
    Table(
        "outbox_shared",
        metadata,
        Column("sha256", Text, primary_key=True),
        Column("content", LargeBinary, nullable=False),
        Column("encoded", Boolean, nullable=False, server_default="0"),
        Column("head", Text, nullable=False, server_default=""),
        Column("pack", Integer, index=True),
        Column("pack_at", Integer, nullable=False, server_default="0"),
        Column("pack_length", Integer, nullable=False, server_default="0"),
    )
    # A mail's bytes, compressed, without the part it shares with others, and where that part belongs; or the place of
    # these bytes in a pack.
    Table(
        "outbox_bytes",
        metadata,
        Column("message_id", ForeignKey("outbox.message_id"), primary_key=True),
        Column("raw", LargeBinary, nullable=False),
        Column("shared", ForeignKey("outbox_shared.sha256"), index=True),
        Column("shared_at", Integer, nullable=False),
        Column("pack", Integer, index=True),
        Column("pack_at", Integer, nullable=False, server_default="0"),
        Column("pack_length", Integer, nullable=False, server_default="0"),
    )
