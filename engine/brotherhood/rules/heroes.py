"""The rules of the heroes in our words: how they are handled (H), and what each can do, by number (J1 to J11).

The abilities follow public sources, for our rulebook shows no cards; what those leave open is marked as a ruling.
"""

from typing import Final

from engine.brotherhood.rules import watch_rulings as rulings
from engine.verdict import Rule

_HEROES: Final = "Hebrew rulebook, rules of the Night's Watch: hero cards"
_TURN: Final = "Hebrew rulebook, rules of the Night's Watch: course of a turn"
_CARDS: Final = "Hero card, after public sources"
_OURS: Final = "The rulebook is silent"

H1: Final = Rule(
    "BW-H1",
    "not-your-hero",
    "A hero is used by the player before whom it lies. Heroes cannot be traded, given away or stolen.",
    _HEROES,
    obeys="13. red: yarwyck 17-23 to 12-17 -- Yarwyck lies before red",
    breaks="13. red: qhorin -- Qhorin lies in the display",
)
H2: Final = Rule(
    "BW-H2",
    "hero-just-taken",
    "A hero cannot be used in the turn in which it was taken.",
    _HEROES,
    obeys="17. red: qhorin -- red took Qhorin in the turn before",
    breaks="13. red: … mance blue -- red took Mance in this very turn",
)
H3: Final = Rule(
    "BW-H3",
    "one-hero-a-turn",
    "You use one hero in a turn of yours; Tarly once for each roll.",
    _HEROES,
    obeys="15. blue: tarly ore -- blue used Tarly in blue's turn, and uses Tarly again for yellow's roll",
    breaks="13. red: … yarwyck 12-17 to 17-23 -- red has used Yarwyck in this turn already",
    ruling=rulings.H3,
)
H4: Final = Rule(
    "BW-H4",
    "hero-not-settled",
    "After its first use a hero is either flipped to side B, or returned and another one taken. After its second use "
    "it must be returned. The new one lies on side A, and so does the returned one. Nothing else happens before.",
    _HEROES,
    obeys="17. red: yarwyck 12-17 to 17-23, swap mance, end -- the second use: Yarwyck must be swapped",
    breaks="17. red: yarwyck 12-17 to 17-23, flip -- Yarwyck was used twice, and must be swapped",
)
H5: Final = Rule(
    "BW-H5",
    "not-in-the-display",
    "Any hero of the display may be taken, but not the one just returned.",
    _HEROES,
    obeys="13. red: yarwyck 17-23 to 12-17, swap ygritte -- Ygritte lay in the display",
    breaks="13. red: yarwyck 17-23 to 12-17, swap tarly -- Tarly lies before blue",
)
H6: Final = Rule(
    "BW-H6",
    "first-heroes",
    "The first of four players starts with Yarwyck, the second with Tarly, the third with Marsh, the fourth with "
    "Mormont; of three players the first starts with Tarly, then Marsh, then Mormont.",
    _HEROES,
    obeys='[Heroes "red=yarwyck-A blue=tarly-A yellow=marsh-A black=mormont-A"] -- red begins',
)
H7: Final = Rule(
    "BW-H7",
    "yarwyck-of-three",
    "With three players Yarwyck lies in the display with the other seven.",
    _HEROES,
    obeys="11. blue: marsh lumber: wool, swap yarwyck -- three play, and Yarwyck lay in the display",
    ruling=rulings.H7,
)
H8: Final = Rule(
    "BW-H8",
    "first-use",
    "The hero of the start may be used from its player's first turn on.",
    _HEROES,
    obeys="13. red: yarwyck 17-23 to 12-17 -- red uses the hero of the start in the first turn",
    ruling=rulings.H8,
)
H9: Final = Rule(
    "BW-H9",
    "numbers-of-heroes",
    "The heroes from seven to eleven are Mance, Benjen, Ygritte, Yoren and Qhorin.",
    _OURS,
    obeys="13. red: yarwyck 17-23 to 12-17, swap qhorin -- red takes hero 11, Qhorin",
    ruling=rulings.H9,
)
H10: Final = Rule(
    "BW-H10",
    "wrong-moment-for-a-hero",
    "Mormont and Marsh act while you trade; Yarwyck, Thorne, Melisandre and Yoren while you build; Mance after the "
    "roll; Benjen, Ygritte and Qhorin at any time in your turn; Tarly only when a roll gave you nothing.",
    _CARDS,
    obeys="13. red: yarwyck 17-23 to 12-17 -- Yarwyck is used after the roll, while red builds",
    breaks="15. yellow: marsh wool: ore -- yellow has not rolled yet",
)
H11: Final = Rule(
    "BW-H11",
    "heroes-who-build",
    "Yarwyck, Thorne, Melisandre and Yoren belong to building: their use ends trading, unless the table agreed on free "
    "phases.",
    _TURN,
    obeys="13. red: yarwyck 17-23 to 12-17, flip -- Yarwyck belongs to building: trading is over",
    ruling=rulings.H11,
)
H12: Final = Rule(
    "BW-H12",
    "hero-kept-in-silence",
    "If you say nothing after a hero's use, you keep it, flipped; after the second use you take the hero with the "
    "lowest number in the display. If you say nothing when Tarly is asked, you pass.",
    _OURS,
    obeys="13. red: yarwyck 17-23 to 12-17, flip -- silence after a first use flips the hero",
    ruling=rulings.H12,
)
J1: Final = Rule(
    "BW-J1",
    "no-such-demand",
    "Jeor Mormont, while trading: name a resource and demand one such card from each of one or two other players. A "
    "player who has it hands it over and gets in return the card you named.",
    _CARDS,
    obeys="16. black: mormont lumber from blue for wool from yellow for brick, … -- both have lumber",
    breaks="16. black: mormont ore from black for wool -- black demands a card from black",
)
J2: Final = Rule(
    "BW-J2",
    "no-such-swap",
    "Bowen Marsh, while trading: swap one resource card for one of another kind from the supply.",
    _CARDS,
    obeys="15. yellow: marsh wool: ore, flip -- Marsh swaps a wool for an ore of the supply",
    breaks="15. yellow: marsh wool: wool -- wool for wool is no swap",
)
J3: Final = Rule(
    "BW-J3",
    "nothing-to-react-to",
    "Samwell Tarly, after any player's roll that is no seven: if it gave you nothing, you take one resource of your "
    "choice from the supply, before any other hero is used.",
    _CARDS,
    obeys="16. blue: tarly grain, swap thorne -- black's roll gave blue nothing",
    breaks="14. red: tarly ore -- Tarly lies before blue, whom the roll gave nothing; red cannot react",
)
J4: Final = Rule(
    "BW-J4",
    "not-a-loose-road",
    "Othell Yarwyck, while building: lift one of the own roads and build it again free at another place. Only a road "
    "that touches own pieces at just one end can be lifted; the pieces of others do not matter for this.",
    _CARDS,
    obeys="13. red: yarwyck 17-23 to 12-17, flip -- red's road 17-23 has a loose end, and moves to 12-17",
    breaks="17. red: … yarwyck 17-23 to 12-17 -- red's roads and settlement touch 17-23 at both ends",
)
J5: Final = Rule(
    "BW-J5",
    "no-such-replacement",
    "Alliser Thorne, when building a guard: one of its three resources is replaced by one card of any other kind.",
    _CARDS,
    obeys="17. red: trade 3 brick: 1 lumber, thorne 3 wool: ore, flip -- ore stands for the wool",
    breaks="17. red: thorne 2 grain: ore -- a guard costs no grain",
)
J6: Final = Rule(
    "BW-J6",
    "no-such-vision",
    "Melisandre, when buying a development card: one of its three resources may be replaced by one card of any other "
    "kind; her player looks at the top three cards, keeps one, and the deck is shuffled with the others.",
    _CARDS,
    obeys="17. red: melisandre wool: ore -- two ore and a grain for a look at three cards",
    breaks="17. red: choose recruits -- the recruits are none of the three cards that red sees",
)
J7: Final = Rule(
    "BW-J7",
    "not-richer",
    "Mance Rayder, after the roll: look at the hand of a player with more victory points and take one card of it.",
    _CARDS,
    obeys="21. red: mance blue, take ore, swap ygritte -- blue has a keep, and so more points",
    breaks="17. red: mance yellow -- yellow has no more points than red",
)
J8: Final = Rule(
    "BW-J8",
    "nobody-there",
    "Benjen Stark: send one wildling home from a camp, where those in colder camps move up, or from a clearing; then "
    "turn up a token of the pool.",
    _CARDS,
    obeys="25. red: benjen ice-river 2 -- the climber goes home, the colder one moves up",
    breaks="17. red: benjen hornfoot 1 -- no wildling is in the camps of Hornfoot",
)
J9: Final = Rule(
    "BW-J9",
    "nobody-to-send-home",
    "Ygritte: send one wildling home from a hex of the Gift.",
    _CARDS,
    obeys="21. red: ygritte A, flip -- the climber goes home",
    breaks="17. red: ygritte K -- no wildling holds K",
)
J10: Final = Rule(
    "BW-J10",
    "no-patrol-to-give",
    "Yoren, while building: give up one of the own face-up Ranger Patrols and put a guard on the Wall free.",
    _CARDS,
    obeys="21. red: yoren 4, flip -- red has played a Ranger; Yoren gives it up for a guard",
    breaks="17. red: yoren 2 -- no Ranger Patrol lies before red",
)
J11: Final = Rule(
    "BW-J11",
    "tormund-at-home",
    "Qhorin Halfhand: send Tormund back to camp and take one resource of the kind that the hex left behind produces.",
    _CARDS,
    obeys="17. red: qhorin, flip -- Tormund stood on a field: red gets grain",
    breaks="17. red: qhorin -- Tormund is in his camp",
)
J12: Final = Rule(
    "BW-J12",
    "mormonts-bargain",
    "Mormont looks at nobody's hand: a player without the named card gives nothing and gets nothing. The cards to give "
    "back, one for each player asked, must be in the hand beforehand; they may be of the demanded kind.",
    _OURS,
    obeys="16. black: mormont ore from red for wool from yellow for brick, … -- yellow has no ore",
    breaks="16. black: mormont ore from red for grain -- black has no grain to give back",
    ruling=rulings.J12,
)
J13: Final = Rule(
    "BW-J13",
    "tarly-waits",
    "Tarly is asked after the wildlings have advanced, only when Tarly's player got nothing, and not before that "
    "player's own first turn.",
    _OURS,
    obeys="14. blue: tarly ore -- blue's own first turn has come",
    ruling=rulings.J13,
)
J14: Final = Rule(
    "BW-J14",
    "yarwycks-road",
    "The lifted road is tested when it is lifted, its new place without it, and not the old place; Longest Road is "
    "tested once, after rebuilding.",
    _OURS,
    obeys="13. red: yarwyck 17-23 to 12-17 -- the road has left 17-23 and lies on 12-17",
    breaks="13. red: yarwyck 17-23 to 17-23 -- the road would go back to where it was",
    ruling=rulings.J14,
)
J15: Final = Rule(
    "BW-J15",
    "replaced-payment",
    "The replacement may double a kind that is paid already. With Thorne one resource is replaced, with Melisandre "
    "replacing is free to do or not.",
    _OURS,
    obeys="17. red: trade 3 brick: 1 lumber, thorne 2 wool: brick -- brick is paid twice",
    ruling=rulings.J15,
)
J16: Final = Rule(
    "BW-J16",
    "thin-deck",
    "With fewer than three cards left Melisandre looks at what is there.",
    _OURS,
    obeys="158. *: look winter-roads -- fewer than three cards are left, and Melisandre sees them all",
    ruling=rulings.J16,
)
J17: Final = Rule(
    "BW-J17",
    "points-mance-counts",
    "Mance compares the victory points that everybody can see. He is not used where nobody is richer, and not against "
    "an empty hand; but also after a seven.",
    _OURS,
    obeys="21. red: mance blue -- red's hidden point does not count",
    breaks="21. red: mance blue -- blue is richer, but has lost the last cards to Tormund",
    ruling=rulings.J17,
)
J18: Final = Rule(
    "BW-J18",
    "benjens-token",
    "Benjen's token can set off a rush. When he empties a clearing, nothing else happens.",
    _OURS,
    obeys="21. red: benjen clearing 2 -- the clearing is empty, and a token is turned",
    ruling=rulings.J18,
)
J19: Final = Rule(
    "BW-J19",
    "ygrittes-wage",
    "Ygritte brings no resource.",
    _OURS,
    obeys="21. red: ygritte A -- Ygritte brings no resource",
    ruling=rulings.J19,
)
J20: Final = Rule(
    "BW-J20",
    "yorens-price",
    "The patrol that Yoren gives up leaves the game and counts no more; Largest Patrol is tested at once.",
    _OURS,
    obeys="21. red: yoren 4 -- Yoren has given up red's only patrol",
    ruling=rulings.J20,
)
J21: Final = Rule(
    "BW-J21",
    "qhorins-reward",
    "From a barren hex, or one whose resource the supply lacks, Qhorin brings nothing. A hex that a wildling holds too "
    "still pays.",
    _OURS,
    obeys="21. red: qhorin -- a climber holds A beside Tormund; Qhorin's player still takes an ore",
    ruling=rulings.J21,
)

HERO_RULES: Final = (
    *(H1, H2, H3, H4, H5, H6, H7, H8, H9, H10, H11, H12),
    *(J1, J2, J3, J4, J5, J6, J7, J8, J9, J10, J11),
    *(J12, J13, J14, J15, J16, J17, J18, J19, J20, J21),
)
