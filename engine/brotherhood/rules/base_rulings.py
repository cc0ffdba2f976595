"""What we decided in the base game where the Hebrew rulebook leaves room, beside what it says, each with the reason."""

from typing import Final

from engine.verdict import Ruling

_CATAN: Final = "We do as the standard game of Catan does."
_CARD: Final = "You do what the card says."

P2: Final = Ruling(
    "For a first game the board is laid as a picture shows it.",
    "We do not have this picture. Our board keeps every clue that the text gives.",
)
P3: Final = Ruling(
    "With a settlement on a trade route you exchange three to one, or even two to one.",
    "We do not have the picture with their places. The 2:1 routes lie where a public program has them; the 3:1 "
    "routes are ours.",
)
P5: Final = Ruling("", _CATAN)
P6: Final = Ruling(
    "Settlements and roads begin where a picture shows them; with three players the red ones are left out.",
    "We do not have this picture. Our places keep every clue that the text gives, and a red player has to sit "
    "somewhere.",
)
P7: Final = Ruling(
    "After the first game the board can be laid at random, as the rules reference explains.",
    "We do not have that page. As in the standard game of Catan, numbers follow an order and the best are kept apart.",
)
P8: Final = Ruling(
    "The oldest player begins.",
    "We do not ask for ages, so chance draws the first player unless the table names one.",
)
O2: Final = Ruling(
    "You do three things in this order: roll, trade, build. Once in your turn you may play a development card.",
    "Then there must be a moment when trading is over: when you first build or buy. Cards belong to no step, so they "
    "do not end it.",
)
O3: Final = Ruling("", "Many tables play so, and it saves letters.")
O7: Final = Ruling("", "Readers of such a copy may not know what it hides, so nothing can follow from it.")
B4: Final = Ruling(
    "A new road connects to a road, a settlement or a keep of yours.",
    "That you cannot build on through somebody else's settlement is so in the standard game of Catan.",
)
L2: Final = Ruling(
    "A settlement or keep of somebody else breaks your line of roads.",
    "Who has the card after that is not said. There we follow the standard game of Catan.",
)
C1: Final = Ruling(
    "You take the top card of the deck. Cards that were played lie open or leave the game.",
    "So an empty deck stays empty.",
)
C5: Final = Ruling(
    "When you play a Ranger, you must move Tormund to another hex at once.",
    "It is not said that you rob, too. We do as after a seven, as in the standard game of Catan; but nobody has rolled "
    "a seven, so nobody discards.",
)
C6: Final = Ruling(
    _CARD, "We do not have the card, but public sources tell what it does. Nobody can take what the supply lacks."
)
C7: Final = Ruling(
    _CARD, "We do not have the card, but public sources tell what it does. One road is better than none."
)
C8: Final = Ruling(
    "You keep these cards hidden until you have ten points with them. A card is not played in the turn you buy it.",
    "They are never played, so they count at once.",
)
C9: Final = Ruling(
    "In each of your turns you may play one development card.",
    "No moment is named, so any will do, also before the roll.",
)
Y4: Final = Ruling("", _CATAN)
S4: Final = Ruling(
    "You rob one of the players with a settlement or keep at the hex, and draw one of their cards.",
    "A robbery should bring a card where it can, and nobody robs themselves.",
)
S7: Final = Ruling(
    "You move Tormund to any hex but his own.",
    "The barren hex is one of them. He begins there as the robber of the standard game begins on the desert.",
)
T2: Final = Ruling("", _CATAN)
T4: Final = Ruling(
    "Players may exchange resources with the player on turn.",
    "A gift is no exchange, and brick for brick only hides a gift.",
)
T5: Final = Ruling("", "By mail everybody must know at any moment which offer an answer is meant for.")
T6: Final = Ruling("", "So nobody learns from an offer what its maker still has in hand.")
T7: Final = Ruling("", "By mail nobody should have to wait for an answer.")
T8: Final = Ruling(
    "With a settlement on a trade route you exchange at its better rate.",
    "No delay is named, so there is none.",
)
