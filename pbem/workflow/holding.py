"""Games that are held because their history is damaged: their players are told, once each time that it happens.

Nothing is read of such a game but who plays it. Whether it is damaged is for others to find out.
"""

from dataclasses import replace
from typing import Final

from pbem.mail.writing.held import write_held
from pbem.mail.writing.people import Correspondent
from pbem.store.rows import NewMail
from pbem.store.transaction import Transaction
from pbem.workflow.context import Office

_TOLD: Final = "told that {game} is held"


def tell_held(office: Office, transaction: Transaction, game: str) -> None:
    """Tell the players of a damaged game that it is held, unless they know."""
    row = transaction.find_game(game)
    told = _TOLD.format(game=game)
    # Mended and damaged again, a game has another history by then, and so another end.
    if row is None or transaction.load_setting(told) == row.head_hash:
        return
    transaction.save_setting(told, row.head_hash)
    people = transaction.find_seats(game)
    for person in people:
        reader = Correspondent(person.name, person.address, person.language, person.zone, plain=True)
        number = person.mails_sent + 1
        mail = write_held(office.composer.post, reader, game=game, seat=person.seat, number=number, date=office.now())
        transaction.enqueue(
            [NewMail(mail.message_id, mail.to, mail.kind, mail.raw, game, person.seat)], held=person.paused
        )
    transaction.save_seats([replace(person, mails_sent=person.mails_sent + 1) for person in people])
