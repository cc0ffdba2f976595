"""The rules of the post: why a letter's command is not carried out.

Like the rules of a game they have codes, and `pbem rule PO-…` prints them.
"""

from typing import Final

from engine.verdict import Rule

_HOUSE: Final = "Caravan Post, rules of the post"

T1: Final = Rule(
    "PO-T1",
    "stale-turn",
    "A letter acts on the turn it was written for. One that comes for a turn already played changes nothing.",
    _HOUSE,
    obeys="an answer to the newest turn mail",
    breaks="an answer to last week's turn mail -- that turn has been played",
)
T2: Final = Rule(
    "PO-T2",
    "not-due",
    "Moves are taken from the seat that is due. To send moves for a later turn, begin the line with `plan`.",
    _HOUSE,
    obeys="plan lilac F4, salmon C9 -- kept until the turn comes",
    breaks="lilac F4, salmon C9 -- while another seat is to move",
)
T3: Final = Rule(
    "PO-T3",
    "table-not-playing",
    "Moves, votes and resignations need a game that has begun and is not over.",
    _HOUSE,
    obeys="resign -- in a game that is being played",
    breaks="resign -- after the game is over",
)
T4: Final = Rule(
    "PO-T4",
    "plan-for-now",
    "A plan is for the turns after the one that is due. When it is your turn, send the move itself; a plan may "
    "follow in the same letter.",
    _HOUSE,
    obeys="lilac F4, salmon C9, and on the next line: plan mint K8 K7",
    breaks="plan lilac F4 -- alone, while it is one's own turn",
)
T5: Final = Rule(
    "PO-T5",
    "standing-orders",
    "A standing order is one that the game knows, and a seat has at most twelve of them. `standing` lists them, "
    "`standing none` forgets them.",
    _HOUSE,
    obeys="standing auto-roll -- in a game with dice to be asked for",
    breaks="standing auto-roll -- in Through the Desert, which knows no standing orders",
)
T6: Final = Rule(
    "PO-T6",
    "overtaken",
    "An offer is accepted as it stands in the mail that a letter answers. If another has taken its place since, "
    "nothing is exchanged, and the new one can be answered.",
    _HOUSE,
    obeys="accept red -- in answer to the mail that tells of the offer",
    breaks="accept red -- in answer to an older mail, after red has offered something else",
)
T7: Final = Rule(
    "PO-T7",
    "nothing-waits",
    "`play it now` and `stop` are about a move that waits because we did not know the words beside it. Once it is "
    "played, or another letter has taken its place, there is nothing to play or to stop.",
    _HOUSE,
    obeys="stop -- in answer to a mail that says when your move will be played",
    breaks="stop -- after the move was played",
)
T8: Final = Rule(
    "PO-T8",
    "time-of-an-offer",
    "An offer is open for the time that the table gives. The player on turn can make it shorter with a time to come: "
    "`until 18:00`, `until tomorrow`, `until Fri 20:00`, `until 6h`, by the player's own clock. No answer means no.",
    _HOUSE,
    obeys="offer 1 ore for 1 brick to any until 18:00 -- written at noon",
    breaks="offer 1 ore for 1 brick to any until today 08:00 -- written at noon",
)
T9: Final = Rule(
    "PO-T9",
    "no-automatic-roll",
    "The dice are rolled when a turn begins only where a turn begins with a roll, and where the terms in the "
    "invitation say so. There each player can choose.",
    _HOUSE,
    obeys="auto-roll off -- in the Brotherhood, at a table that rolls at once",
    breaks="auto-roll off -- in Through the Desert, which has no dice",
)
I1: Final = Rule(
    "PO-I1",
    "invitation-closed",
    "An invitation is accepted or declined once, before the game begins.",
    _HOUSE,
    obeys="accept -- in answer to the invitation",
    breaks="decline -- after the game has begun",
)
V1: Final = Rule(
    "PO-V1",
    "nothing-asked",
    "You can agree or object only to what another seat has asked and what is still open; if several things are "
    "asked, name the one you mean.",
    _HOUSE,
    obeys="agree undo -- blue has asked for an undo",
    breaks="agree undo -- nobody has asked for one",
)
V2: Final = Rule(
    "PO-V2",
    "already-asked",
    "The same thing is asked, agreed to or objected to once at a time; an undo needs a turn of one's own to go back "
    "to, and only what stands still can be resumed.",
    _HOUSE,
    obeys="undo -- right after your own turn",
    breaks="undo -- before one has played at all",
)
V3: Final = Rule(
    "PO-V3",
    "consent-unclear",
    "One agrees to what the answered mail asked, not to what was asked after it was written. A draw, which ends the "
    "game, is named: `agree draw`; so is anything else where it cannot be told which mail a letter answers.",
    _HOUSE,
    obeys="agree draw -- in answer to the mail that tells of the offer",
    breaks="agree -- in answer to an older mail, or to a draw that is not named",
)
V4: Final = Rule(
    "PO-V4",
    "take-back",
    "You take back your own last moves without asking, once a turn, as long as nothing was rolled, drawn or shown to "
    "you since and nobody else has acted. After that the others are asked. The old deadline stands, and at least an "
    "hour is left.",
    _HOUSE,
    obeys="undo -- right after two camels, before the next player has played",
    breaks="undo -- after the dice for the next turn were rolled; the others are asked",
)
A1: Final = Rule(
    "PO-A1",
    "absence-too-long",
    "An absence begins today or later, ends after it begins, and all absences of a player in one game stay within "
    "the days that the table allows. `vacation none` frees the days that have not begun.",
    _HOUSE,
    obeys="vacation 2026-12-20 to 2027-01-02 -- fourteen days of thirty",
    breaks="vacation 2026-12-20 to 2027-03-01 -- more days than the table allows",
)
S1: Final = Rule(
    "PO-S1",
    "unknown-choice",
    "Languages, time zones and kinds of notice are those that we know.",
    _HOUSE,
    obeys="language pl -- Polish",
    breaks="language xx -- no such language here",
)
C1: Final = Rule(
    "PO-C1",
    "unknown-rule",
    "A rule is asked for by its code.",
    _HOUSE,
    obeys="rule TD-C3",
    breaks="rule TD-Z9 -- no rule has that code",
)
P1: Final = Rule(
    "PO-P1",
    "no-such-addressee",
    "Words go to all, to the referee, or to a seat at the table; nobody else can be named.",
    _HOUSE,
    obeys="press blue: shall we stop them?",
    breaks="press purple: hello -- nobody sits at purple",
)
P2: Final = Rule(
    "PO-P2",
    "no-room-for-words",
    "What is said to everybody stands in the record of a game. Its room is large, and when words have filled their "
    "part of it, moves are taken as before, but no more words.",
    _HOUSE,
    obeys="press all: good luck -- in a game where little has been said",
    breaks="press all: good luck -- after thousands of long letters",
)
P3: Final = Rule(
    "PO-P3",
    "mute-out-of-place",
    "You can mute the other players at your table, each until you say `unmute`. Nobody is told. The referee and what "
    "the post has to say cannot be muted.",
    _HOUSE,
    obeys="mute blue -- blue is another player",
    breaks="mute red -- in a letter from red",
)
P4: Final = Rule(
    "PO-P4",
    "report-out-of-place",
    "You can report what another player wrote to you or to everybody: each message once, and three in a day. Anything "
    "else goes to the referee with `press`.",
    _HOUSE,
    obeys="report blue -- after blue has written something",
    breaks="report blue -- blue has written nothing",
)
R1: Final = Rule(
    "PO-R1",
    "no-reason-given",
    "What the referee does has a reason in one line, and a player who takes a seat has a name.",
    _HOUSE,
    obeys="pause: the mail of two players is down",
    breaks="pause: -- without a reason",
)
K1: Final = Rule(
    "PO-K1",
    "appeal-out-of-place",
    "An appeal says in words what is wrong. A seat has one open case at a time, and "
    "appeals about the same turn once; whatever else there is to say goes to the referee with `press`.",
    _HOUSE,
    obeys="appeal 23: the camel of turn 23 stands beside another caravan of its colour",
    breaks="appeal 23: and again -- while the first case is open",
)
K2: Final = Rule(
    "PO-K2",
    "no-such-case",
    "A ruling, a warrant and a closing concern a case that is open; the table goes back only to a turn that was "
    "played and stands.",
    _HOUSE,
    obeys="roll-back, in case 1 about turn 23 -- turn 23 was played",
    breaks="roll-back, in case 1 -- after the case was closed",
)
K3: Final = Rule(
    "PO-K3",
    "appeal-before-the-turn",
    "An appeal is about a turn that was played and stands; a seat that is to move can also appeal about the turn it "
    "cannot play. Anything else goes to the referee with `press`.",
    _HOUSE,
    obeys="appeal 22: the camel of turn 22 has no water -- turn 22 was played",
    breaks="appeal 23: this will go wrong -- while another seat is to play turn 23",
)
O1: Final = Rule(
    "PO-O1",
    "table-cannot-be-laid",
    "A table is opened for a game that is known here, with its seats each named once, and with headers and terms that "
    "mean something.",
    _HOUSE,
    obeys="red and blue for Through the Desert",
    breaks="red and purple for Through the Desert -- there is no purple",
)
D1: Final = Rule(
    "PO-D1",
    "seat-not-passed-on",
    "A player can ask to be replaced and answers for the seat until somebody has taken it. A seat passes to somebody "
    "who has written to us, and who has never seen another hand of that table.",
    _HOUSE,
    obeys="substitute -- and somebody else joins the table",
    breaks="substitute none -- in a letter from somebody who has not asked to be replaced",
)

E1: Final = Rule(
    "PO-E1",
    "nothing-to-excuse",
    "An answer that you missed can be excused: by more than half of the players, if you ask for that, or by the "
    "referee. It still shows in your count, as excused.",
    _HOUSE,
    obeys="excuse -- after we played a turn for somebody whose train was late",
    breaks="excuse -- in a letter from somebody who has always answered",
)
G1: Final = Rule(
    "PO-G1",
    "term-not-changed",
    "Pace, grace, reminders, rest days and what happens when somebody is silent can change during a game: more than "
    "half of the players agree on it, or the referee decides. One change is asked for at a time. The turn that is "
    "being played keeps its time.",
    _HOUSE,
    obeys="pace 2d -- at a table that plays with three days for a turn",
    breaks="pace 2d -- at a table that plays with two days already",
)

RULES: Final = (
    *(
        T1,
        T2,
        T3,
        T4,
        T5,
        T6,
        T7,
        T8,
        T9,
        I1,
        V1,
        V2,
        V3,
        V4,
        A1,
        S1,
        C1,
        P1,
        P2,
        P3,
        P4,
        R1,
        K1,
        K2,
        K3,
        O1,
        D1,
        E1,
        G1,
    ),
)
