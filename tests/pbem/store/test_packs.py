"""Mails that were sent are packed together, come back to the byte, and are gone from packs when they are deleted."""

import random
import struct
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from pbem.mail.writing.mime import encode_base64
from pbem.store import packs, pictures
from pbem.store.errors import StoreDamagedError
from pbem.store.packs import FEW, MANY, PATIENCE, make_pack
from pbem.store.pictures import LEVEL
from pbem.store.rows import GameRow, NewMail
from pbem.store.store import Store
from tests.pbem.store.conftest import HandClock

TABLE = "sirocco-7"
SIZE = 40, 30
GAME = GameRow(TABLE, "playing", b"", datetime(2026, 11, 16, tzinfo=UTC), 0, "", b"")


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))


def draw(seed: int, level: int = LEVEL) -> bytes:
    """A picture as ours are: lines of pixels, each with a zero before it."""
    chance = random.Random(seed)
    pixels = b"".join(b"\0" + bytes(chance.choices(range(4), k=SIZE[0])) for _ in range(SIZE[1]))
    head = struct.pack(">IIBBBBB", *SIZE, 8, 3, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"PLTE", bytes(range(12))), chunk(b"IDAT", zlib.compress(pixels, level)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def part_of(png: bytes, name: str = "board") -> bytes:
    fields = f'Content-Type: image/png; name="{name}.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    return fields.encode() + encode_base64(png)


def mail(number: int, seat: str = "red", shared: bytes = b"", game: str | None = TABLE) -> NewMail:
    text = f"Message-ID: <{number}@post>\r\n\r\nSecret {number} of {seat}.\r\n".encode()
    raw = text + b"The same in each mail, line for line.\r\n" * 40
    return NewMail(f"<{number}@post>", f"{seat}@x.test", "turn", raw, game, seat, shared=shared, shared_at=len(text))


def whole(new: NewMail) -> bytes:
    return new.raw[: new.shared_at] + new.shared + new.raw[new.shared_at :]


def send(store: Store, *mails: NewMail) -> None:
    with store.transaction() as at_desk:
        at_desk.enqueue(mails)
    for claimed in store.claim_due(store._now(), len(mails)):
        store.mark_sent(claimed.id)


def pack(store: Store) -> int:
    """Pack all that may be; how many packs were written."""
    written = 0
    with store.reading() as at_desk:
        groups = at_desk.waiting_for_packs(store._now())
    for group in groups:
        while True:
            with store.reading() as at_desk:
                draft = at_desk.draft_pack(group)
            if draft is None:
                break
            made = make_pack(draft)
            with store.transaction() as at_desk:
                assert at_desk.save_pack(made)
            written += 1
    return written


def bytes_of(store: Store, mails: Sequence[NewMail]) -> list[bytes]:
    with store.reading() as at_desk:
        found = [at_desk.find_message(each.message_id) for each in mails]
        kept = dict(at_desk.mail_texts(0, 1_000))
        for new in mails:
            text = at_desk.find_text(new.message_id)
            assert text is not None
            assert text.raw == kept.get(text.id, b"") in (b"", new.raw)
    return [each.raw for each in found if each is not None]


def loose(store: Store) -> tuple[int, int]:
    """How many mails and pictures are in no pack."""
    with store.reading() as at_desk:
        mails = at_desk._value("SELECT count(*) FROM outbox_bytes WHERE pack IS NULL")
        pictures = at_desk._value("SELECT count(*) FROM outbox_shared WHERE pack IS NULL")
    return mails, pictures


def packed_bytes(store: Store) -> bytes:
    """All that is in packs."""
    with store.reading() as at_desk:
        return b"".join(packs._unpack(packed) for (packed,) in at_desk._rows("SELECT packed FROM pack"))


def size_of(store: Store) -> int:
    with store.reading() as at_desk:
        room = at_desk.measure_room()
    return room["mails"] + room["pictures"] + room["archive"]


def test_packed_mails_come_back_to_the_byte_in_less_room(store: Store, clock: HandClock) -> None:
    mails = [mail(number, shared=part_of(draw(number))) for number in range(20)]
    send(store, *mails)
    before = size_of(store)
    clock.move(days=1)
    assert pack(store) == 3
    assert loose(store) == (0, 0)
    assert bytes_of(store, mails) == [whole(each) for each in mails]
    assert size_of(store) < before
    with store.reading() as at_desk:
        assert at_desk.altered_pictures() == []
        assert at_desk.integrity_problems() == at_desk.misshapen() == []


@pytest.mark.parametrize(
    "shared",
    [
        pytest.param(part_of(draw(1)), id="ours"),
        pytest.param(encode_base64(draw(1)), id="without a head"),
        pytest.param(part_of(draw(1, level=9)), id="packed by another"),
        pytest.param(part_of(draw(1)[:-3]), id="cut off"),
        pytest.param(part_of(draw(1) + b"more"), id="with more behind it"),
        pytest.param(part_of(draw(1).replace(b"IDAT", b"IDAT", 1).replace(b"IEND", b"IDAT")), id="of two parts"),
        pytest.param(part_of(b"\x89PNG\r\n\x1a\nIDAT"), id="hardly a picture"),
        pytest.param(b"no picture at all", id="text"),
        pytest.param(b"\xff\xfe: x\r\n\r\n" + encode_base64(draw(1)), id="an odd head"),
        pytest.param(b"a: b\r\n\r\nno base64", id="a part of another kind"),
    ],
)
def test_whatever_mails_share_comes_back_to_the_byte(store: Store, clock: HandClock, shared: bytes) -> None:
    mails = [mail(1, "red", shared), mail(2, "blue", shared)]
    send(store, *mails)
    clock.move(days=8)
    assert pack(store) == 3
    assert bytes_of(store, mails) == [whole(each) for each in mails]


def test_a_picture_that_an_older_release_stored_as_it_is_in_the_mail_is_packed_as_pixels(
    store: Store, clock: HandClock
) -> None:
    mails = [mail(number, shared=part_of(draw(number))) for number in range(FEW)]
    send(store, *mails)
    with store.transaction() as at_desk:
        for each in mails:
            values = {"content": each.shared, "digest": sha256(each.shared).hexdigest()}
            at_desk._change(
                "UPDATE outbox_shared SET head = '', encoded = FALSE, content = :content WHERE sha256 = :digest", values
            )
    assert bytes_of(store, mails) == [whole(each) for each in mails]
    clock.move(days=1)
    pack(store)
    assert bytes_of(store, mails) == [whole(each) for each in mails]
    with store.reading() as at_desk:
        assert at_desk._value("SELECT max(length(content)) FROM outbox_shared") < 100


def test_a_few_wait_for_others_but_not_for_ever(store: Store, clock: HandClock) -> None:
    send(store, *(mail(number) for number in range(FEW - 1)))
    with store.transaction() as at_desk:
        at_desk.add_game(replace(GAME, stage="playing"))
    clock.move(days=1)
    assert pack(store) == 0
    clock.moment += PATIENCE
    assert pack(store) == 1
    assert loose(store) == (0, 0)


def test_mails_of_a_game_that_has_ended_wait_for_none(store: Store, clock: HandClock) -> None:
    send(store, mail(1))
    with store.transaction() as at_desk:
        at_desk.add_game(replace(GAME, stage="over"))
    clock.move(days=1)
    assert pack(store) == 1


def test_a_pack_grows_until_it_is_full(store: Store, clock: HandClock) -> None:
    mails = [mail(number) for number in range(3 * FEW)]
    for at in range(0, len(mails), FEW):
        send(store, *mails[at : at + FEW])
        clock.move(days=1)
        assert pack(store) == 1
    with store.reading() as at_desk:
        assert at_desk._rows("SELECT parts FROM pack") == [(3 * FEW,)]
    more = [mail(number) for number in range(100, 100 + MANY["mails"])]
    send(store, *more)
    clock.move(days=1)
    assert pack(store) == 2
    assert bytes_of(store, mails + more) == [whole(each) for each in mails + more]


def test_what_waits_to_be_sent_is_not_packed_nor_is_its_picture(store: Store, clock: HandClock) -> None:
    picture = part_of(draw(1))
    send(store, mail(1, shared=picture))
    with store.transaction() as at_desk:
        at_desk.enqueue([mail(2, "blue", picture)])
    clock.move(days=8)
    assert pack(store) == 1
    assert loose(store) == (1, 1)
    assert bytes_of(store, [mail(1, shared=picture)]) == [whole(mail(1, shared=picture))]


def test_a_new_mail_with_a_packed_picture_has_it_too(store: Store, clock: HandClock) -> None:
    picture = part_of(draw(1))
    first, second = mail(1, shared=picture), mail(2, "blue", picture)
    send(store, first)
    clock.move(days=8)
    pack(store)
    send(store, second)
    assert bytes_of(store, [first, second]) == [whole(first), whole(second)]


def test_what_is_forgotten_is_gone_from_its_pack_and_the_rest_comes_back(store: Store, clock: HandClock) -> None:
    mails = [mail(number, shared=part_of(draw(number))) for number in range(10)]
    send(store, *mails)
    clock.move(days=8)
    pack(store)
    with store.transaction() as at_desk:
        number = next(found.id for found in [at_desk.find_message("<3@post>")] if found is not None)
        at_desk.forget_mail(number)
    assert bytes_of(store, mails) == [b"" if each is mails[3] else whole(each) for each in mails]
    assert b"Secret 4 " in packed_bytes(store)
    assert b"Secret 3 " not in packed_bytes(store)
    gone = zlib.decompress(draw(3).partition(b"IDAT")[2])
    assert gone not in packed_bytes(store)
    with store.transaction() as at_desk:
        at_desk.forget_letters(["Red@x.test"])
    assert bytes_of(store, mails) == [b""] * 10
    with store.reading() as at_desk:
        assert at_desk._value("SELECT count(*) FROM pack") == 0


def test_a_picture_of_two_readers_stays_until_both_are_forgotten(store: Store, clock: HandClock) -> None:
    picture = part_of(draw(1))
    mails = [mail(1, "red", picture), mail(2, "blue", picture)]
    send(store, *mails)
    clock.move(days=8)
    pack(store)
    with store.transaction() as at_desk:
        at_desk.forget_letters(["red@x.test"])
    assert bytes_of(store, mails) == [b"", whole(mails[1])]
    with store.transaction() as at_desk:
        at_desk.forget_letters(["blue@x.test"])
        assert at_desk._value("SELECT count(*) FROM pack") == at_desk._value("SELECT count(*) FROM outbox_shared") == 0


def test_old_mails_go_from_packs_some_at_a_time_but_not_those_of_some_games(store: Store, clock: HandClock) -> None:
    old = [mail(number) for number in range(FEW)]
    others = [mail(number, "blue", game="held") for number in range(10, 10 + FEW)]
    send(store, *old, *others)
    clock.move(days=20)
    fresh = [mail(number) for number in range(30, 30 + FEW)]
    send(store, *fresh)
    clock.move(days=20)
    pack(store)
    limit = clock.moment - timedelta(days=30)
    with store.transaction() as at_desk:
        assert [at_desk.forget_sent(limit, but=["held"], most=5) for _ in range(3)] == [5, 3, 0]
    assert bytes_of(store, old + others + fresh) == [b""] * FEW + [whole(each) for each in others + fresh]


def test_a_pack_is_not_written_over_what_was_forgotten_meanwhile(store: Store, clock: HandClock) -> None:
    mails = [mail(number) for number in range(FEW)]
    send(store, *mails)
    clock.move(days=8)
    with store.reading() as at_desk:
        (group,) = at_desk.waiting_for_packs(clock.moment)
        draft = at_desk.draft_pack(group)
    assert draft is not None
    made = make_pack(draft)
    with store.transaction() as at_desk:
        at_desk.drop_mail_bytes(["<3@post>"])
        assert not at_desk.save_pack(made)
    assert loose(store) == (FEW - 1, 0)


def test_a_pack_that_grew_is_not_written_over_one_that_somebody_was_forgotten_from(
    store: Store, clock: HandClock
) -> None:
    send(store, *(mail(number) for number in range(FEW)))
    clock.move(days=8)
    pack(store)
    send(store, *(mail(number) for number in range(20, 20 + FEW)))
    clock.move(days=8)
    with store.reading() as at_desk:
        (group,) = at_desk.waiting_for_packs(clock.moment)
        draft = at_desk.draft_pack(group)
    assert draft is not None
    assert draft.follows is not None
    made = make_pack(draft)
    with store.transaction() as at_desk:
        at_desk.drop_mail_bytes(["<3@post>"])
        assert not at_desk.save_pack(made)
    assert b"Secret 3 " not in packed_bytes(store)
    pack(store)
    assert b"Secret 3 " not in packed_bytes(store)


@pytest.mark.parametrize("damage", ["DELETE FROM pack", "UPDATE pack SET packed = substr(packed, 1, 1)"])
def test_a_pack_that_was_damaged_is_noticed(store: Store, clock: HandClock, damage: str) -> None:
    mails = [mail(number, shared=part_of(draw(number))) for number in range(FEW)]
    send(store, *mails)
    clock.move(days=8)
    pack(store)
    with store.transaction() as at_desk:
        at_desk._change(damage)
    with store.reading() as at_desk:
        with pytest.raises(StoreDamagedError):
            at_desk.find_message("<3@post>")
        assert len(at_desk.altered_pictures()) == FEW


def test_pixels_that_were_changed_are_noticed(store: Store, clock: HandClock) -> None:
    picture = mail(1, shared=part_of(draw(1)))
    send(store, picture)
    clock.move(days=8)
    pack(store)
    with store.transaction() as at_desk:
        (packed,) = at_desk._rows("SELECT packed FROM pack WHERE what = 'pictures'")
        plain = bytearray(packs._unpack(packed[0]))
        plain[5] ^= 1
        values = {"packed": packs._compress(bytes(plain))}
        at_desk._change("UPDATE pack SET packed = :packed WHERE what = 'pictures'", values)
    with store.reading() as at_desk:
        with pytest.raises(StoreDamagedError):
            at_desk.find_message(picture.message_id)
        assert at_desk.altered_pictures() == [sha256(picture.shared).hexdigest()]


def test_a_file_shrinks_when_mails_are_packed(file_store: Store, clock: HandClock) -> None:
    store = file_store
    mails = [replace(each, raw=random.Random(0).randbytes(20_000)) for each in map(mail, range(60))]
    send(store, *mails)
    clock.move(days=8)
    with store.reading() as at_desk:
        before = at_desk.measure_room()["file"]
    pack(store)
    while store.release_pages(10, spare=2):
        pass
    with store.reading() as at_desk:
        room = at_desk.measure_room()
    assert room["file"] < before / 4
    assert room["free"] <= 3 * 4_096
    assert bytes_of(store, mails) == [whole(each) for each in mails]


def test_a_picture_comes_back_to_the_byte_on_a_machine_with_another_zlib(
    store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [mail(number, shared=part_of(draw(number))) for number in range(FEW)]
    send(store, *mails)
    clock.move(days=1)
    pack(store)
    monkeypatch.setattr(pictures, "_pack_here", lambda pixels: zlib.compress(pixels, 9))
    assert bytes_of(store, mails) == [whole(each) for each in mails]
    with store.reading() as at_desk:
        assert at_desk.altered_pictures() == []
    # What such a machine draws itself is packed away as it is.
    more = [mail(number, shared=part_of(draw(number))) for number in range(20, 20 + FEW)]
    send(store, *more)
    clock.move(days=8)
    pack(store)
    assert bytes_of(store, mails + more) == [whole(each) for each in mails + more]
