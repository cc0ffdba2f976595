"""Tokens: under pieces, in the pool, turned, used, shuffled anew."""

from engine import KeyedDealer
from engine.brotherhood.board import GIFT
from engine.brotherhood.wall import (
    call_for_keep,
    call_for_settlement,
    call_from_pool,
    turn_up,
    unseen,
)
from engine.brotherhood.wall_state import (
    BOX,
    FACE_AT,
    Tokens,
    Watch,
    lay_back,
    lay_tokens,
    pool_unseen,
    post_the_watch,
    turn_pooled,
)
from engine.brotherhood.wall_wildlings import ways_over

WAYS = ways_over(GIFT.chart)
REGULAR = FACE_AT["ice-river", "regular"]
GIANT = FACE_AT["hornfoot", "giant"]


def lying(tokens: Tokens) -> int:
    """The tokens on cards and in the pool."""
    return tokens.pool + sum(len(card.settlements) + 2 * card.keeps for card in tokens.cards)


def started(players: int = 4) -> Watch:
    watch = post_the_watch(players, 0)
    tokens = watch.tokens
    for who in (*range(players), *range(players)):
        tokens = pool_unseen(tokens, who)
    return watch._replace(tokens=tokens)


def test_fifty_seven_tokens_lie_on_the_cards_and_in_the_pool() -> None:
    assert sum(BOX) == 57
    assert [lay_tokens(players).pool for players in (3, 4)] == [18, 5]
    assert all(lying(lay_tokens(players)) == 57 for players in (3, 4))


def test_the_tokens_of_the_set_up_join_the_pool_unseen() -> None:
    assert [started(players).tokens.pool for players in (3, 4)] == [24, 13]
    assert started().tokens.unseen == (BOX,)


def test_a_settlement_turns_one_token() -> None:
    watch = turn_up(call_for_settlement(started(), 1), REGULAR, WAYS)
    assert watch.camps[0] == (0,)
    assert (watch.tokens.used[REGULAR], watch.tokens.unseen[0][REGULAR]) == (1, 11)
    assert watch.due == ()
    assert len(watch.tokens.cards[1].settlements) == 2


def test_a_keep_turns_two_and_then_the_settlement_gets_one_from_the_pool() -> None:
    watch = call_for_keep(started(), 2)
    watch = turn_up(watch, REGULAR, WAYS)
    assert len(watch.due) == 2
    watch = turn_up(watch, GIANT, WAYS)
    assert watch.due == ()
    assert watch.tokens.pool == 12
    assert watch.tokens.cards[2] == ((0, 0, 0, 0), 3)


def test_a_special_card_turns_a_token_of_the_pool_after_the_own_ones() -> None:
    watch = call_from_pool(call_for_settlement(started(), 0))
    assert [due.source for due in watch.due] == ["settlement", "pool"]
    watch = turn_up(turn_up(watch, REGULAR, WAYS), REGULAR, WAYS)
    assert watch.tokens.pool == 12


def test_the_used_tokens_become_the_pool_when_its_last_is_turned() -> None:
    tokens = started().tokens
    for _ in range(12):
        tokens = turn_pooled(tokens, REGULAR)
    assert (tokens.pool, tokens.newest) == (1, 0)
    tokens = turn_pooled(tokens, GIANT)
    assert (tokens.pool, tokens.newest) == (13, 1)
    assert sum(tokens.used) == 0
    assert (tokens.unseen[1][REGULAR], tokens.unseen[1][GIANT]) == (12, 1)
    assert sum(tokens.unseen[0]) == 44, "those on the cards are still of the first shuffle"


def test_the_used_tokens_become_the_pool_when_its_last_goes_under_a_settlement() -> None:
    tokens = turn_pooled(started().tokens, REGULAR)._replace(pool=1)
    tokens = lay_back(tokens, 0)
    assert (tokens.pool, tokens.newest) == (1, 1)
    assert tokens.cards[0].settlements == (0, 0, 0, 0)


def test_the_settlement_that_lay_longest_is_built_first() -> None:
    watch = started()
    for _ in range(13):
        watch = turn_up(call_from_pool(watch), REGULAR if _ < 12 else GIANT, WAYS)
        watch = watch._replace(breaches=0, gift=(0, 0, 0))
    tokens = lay_back(watch.tokens, 0)
    assert tokens.cards[0].settlements == (0, 0, 0, 1)
    assert call_for_settlement(watch._replace(tokens=tokens), 0).due[0].generation == 0


def test_a_token_is_one_of_the_shuffle_it_comes_from() -> None:
    watch = turn_up(call_from_pool(started()), GIANT, WAYS)
    assert unseen(call_for_settlement(watch, 0))[GIANT] == 2
    only = watch._replace(tokens=watch.tokens._replace(unseen=(*watch.tokens.unseen, (0, 0, 3) + (0,) * 6)))
    assert unseen(call_from_pool(only)) == (0, 0, 3) + (0,) * 6


def test_when_a_token_ends_the_game_nothing_more_is_due() -> None:
    watch = call_from_pool(call_for_keep(started(), 0))
    watch = watch._replace(breaches=2, camps=((0, 0, 0, 0), (), ()), frostfangs=(20, 8, 8))
    after = turn_up(watch, REGULAR, WAYS)
    assert after.fallen
    assert after.due == ()


def test_all_tokens_are_somewhere_whatever_is_built() -> None:
    dealer = KeyedDealer(b"tokens")
    watch = started()
    for _ in range(300):
        who = dealer.pick(4, "who")
        card = watch.tokens.cards[who]
        if card.settlements and dealer.pick(2, "what"):
            watch = call_for_settlement(watch, who)
        elif card.keeps and len(card.settlements) < 5:
            watch = call_for_keep(watch, who)
        else:
            watch = call_from_pool(watch)
        while watch.due:
            counts = unseen(watch)
            faces = [face for face, count in enumerate(counts) for _ in range(count)]
            watch = turn_up(watch, faces[dealer.pick(len(faces), "face")], WAYS)
            watch = watch._replace(breaches=0, gift=(0, 0, 0))
        tokens = watch.tokens
        assert lying(tokens) == sum(map(sum, tokens.unseen)), "what lies face down is what nobody has seen"
        assert lying(tokens) + sum(tokens.used) == 57
        assert tuple(map(sum, zip(*tokens.unseen, tokens.used, strict=True))) == BOX
        assert tokens.pool > 0
