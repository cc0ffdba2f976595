"""The picture shows the view: every piece on both sides of the Wall, the viewer's hand, and nothing outside itself."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.game import View
from pbem.render import DrawOptions, draw_svg
from pbem.render.scenes.brotherhood.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
SIGNS = {"red": "R", "blue": "B", "yellow": "Y", "black": "K"}


def draw(view: Any, **options: Any) -> str:
    return draw_svg(view["game"], view, DrawOptions(**options))


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  # our own picture


def groups(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return root.findall(f".//{SVG}g[@class='{name}']")


def places(root: ElementTree.Element, name: str, figure: str = "") -> list[str]:
    """Where the figures of a kind stand; of those that show another figure, if one is named."""
    return sorted(
        group.get("data-at", "")
        for group in groups(root, name)
        if not figure or any(use.get("href") == f"#{figure}" for use in group.iter(f"{SVG}use"))
    )


def test_the_picture_is_well_formed_and_refers_to_nothing_outside(any_castle: View) -> None:
    picture = draw(any_castle)
    assert read(picture).tag == f"{SVG}svg"
    assert re.findall(r"https?:[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in picture


def test_every_reference_has_its_figure(any_castle: View) -> None:
    root = read(draw(any_castle))
    figures = {element.get("id") for element in root.iter()}
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= figures


def test_settlements_and_keeps_stand_where_the_view_says_with_their_owners_letters(any_castle: View) -> None:
    root = read(draw(any_castle))
    figures = {element.get("id"): element for element in root.iter()}
    for seat in any_castle["seats"]:
        for short, kind in (("s", "settlement"), ("k", "keep")):
            assert figures[f"w-{short}-{seat}"].findtext(f"{SVG}text") == SIGNS[seat]
            own = [str(spot) for spot in any_castle[f"{kind}s"][seat]]
            assert places(root, kind, f"w-{short}-{seat}") == sorted(own)


def test_a_piece_still_shows_the_number_of_its_intersection(any_castle: View) -> None:
    for kind in ("settlement", "keep"):
        for piece in groups(read(draw(any_castle)), kind):
            assert piece.findtext(f"{SVG}text") == piece.get("data-at")


def test_roads_lie_on_their_paths_and_owners_have_stripes_of_their_own(any_castle: View) -> None:
    root = read(draw(any_castle))
    looks: dict[str, str] = {}
    for seat, paths in any_castle["roads"].items():
        for one, two in paths:
            (road,) = (group for group in groups(root, "road") if group.get("data-at") == f"{one}-{two}")
            strokes = [path for path in road.iter(f"{SVG}path") if path.get("class") != "w-fresh"]
            assert strokes[1].get("class") == f"w-of-{seat}"
            looks[seat] = " ".join(f"{path.get('stroke')} {path.get('stroke-dasharray')}" for path in strokes[2:])
    assert len(set(looks.values())) == len(looks)
    assert len(groups(root, "road")) == sum(map(len, any_castle["roads"].values()))


def test_every_hex_shows_its_letter_its_land_and_how_likely_its_number_is(any_castle: View) -> None:
    root = read(draw(any_castle))
    land = root.find(f".//{SVG}g[@class='land']")
    assert land is not None
    ways = {number: 6 - abs(7 - number) for number in range(2, 13)}
    for drawn, told in zip(land, any_castle["hexes"], strict=True):
        assert drawn.get("data-at") == told["hex"]
        assert next(use.get("class") for use in drawn.iter(f"{SVG}use")) == f"w-{told['land']}"
        texts = [text.text for text in drawn.iter(f"{SVG}text")]
        assert texts == ([told["number"], told["hex"]] if told["number"] else [told["hex"]])
        pips = len(drawn.findall(f"{SVG}circle")) - bool(told["number"])
        assert pips == sum(ways[int(number)] for number in told["number"].split("/") if number)


def test_all_intersections_are_numbered(any_castle: View) -> None:
    root = read(draw(any_castle))
    numbers = [text.text for text in root.iterfind(f".//{SVG}g[@class='spots']/{SVG}text")]
    assert numbers == [str(number) for number in range(1, len(any_castle["spots"]) + 1)]


def test_trade_routes_tell_their_rate_and_lie_outside_the_land(any_castle: View) -> None:
    root = read(draw(any_castle))
    routes = root.findall(f".//{SVG}g[@class='routes']/{SVG}g")
    rates = ["3:1" if route["resource"] == "any" else "2:1" for route in any_castle["routes"]]
    assert [route.findtext(f"{SVG}text") for route in routes] == rates
    ground = Scene(any_castle, DrawOptions()).ground
    for route in ground.routes:
        assert all(abs(route.sign.x - x) > 50 or abs(route.sign.y - y) > 40 for x, y in ground.middles.values()), route


def test_wildlings_and_tormund_stand_where_the_view_says(any_castle: View) -> None:
    root = read(draw(any_castle))
    watch = any_castle["watch"]
    assert places(root, "tormund") == [any_castle["tormund"] or "camp"] or any_castle["tormund"] is None
    if watch is None:
        assert groups(root, "wildling") == groups(root, "held") == []
        return
    assert places(root, "held") == sorted(watch["gift"])
    for kind in ("regular", "climber", "giant"):
        camps = [f"{clan} {at}" for clan, own in watch["camps"].items() for at, one in enumerate(own, 1) if one == kind]
        gift = [letter for letter, one in watch["gift"].items() if one == kind]
        assert places(root, "wildling", f"w-{kind}") == sorted(camps + gift)


def test_guards_clearings_and_breaches_are_shown(any_castle: View) -> None:
    root, watch = read(draw(any_castle)), any_castle["watch"]
    if watch is None:
        assert groups(root, "guard") == groups(root, "waiting") == groups(root, "breach") == []
        return
    for seat in any_castle["seats"]:
        own = [
            f"{number}.{space}"
            for number, section in enumerate(watch["sections"], start=1)
            for space, guard in enumerate(section, start=1)
            if guard == seat
        ]
        assert places(root, "guard", f"w-g-{seat}") == sorted(own)
    waiting = {group.get("data-at"): group.findtext(f"{SVG}text") for group in groups(root, "waiting")}
    assert waiting == {f"clearing {at}": str(many) for at, many in enumerate(watch["clearings"], 1) if many}
    assert len(groups(root, "breach")) == min(3, watch["breaches"])
    (fangs,) = groups(root, "frostfangs")
    assert [text.text for text in fangs.iter(f"{SVG}text")] == [str(many) for many in watch["frostfangs"].values()]


def test_a_game_reaches_all_that_is_drawn(castle: Callable[..., View]) -> None:
    late = [castle("brotherhood", players, turn, "red") for players, turn in ((4, 90), (3, 140), (4, 999))]
    assert any(view["watch"]["breaches"] for view in late)
    assert any(view["watch"]["gift"] for view in late)
    assert any(view["longest"] for view in late)
    assert any(any(view["keeps"].values()) for view in late)


def test_own_cards_are_shown_to_their_owner_alone(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90, "red")
    own = {**view, "hands": {**view["hands"], "red": {"count": 3, "cards": {"wool": 2, "ore": 1}}}}
    (hand,) = groups(read(draw(own)), "hand")
    assert [text.text for text in hand.iter(f"{SVG}text")] == ["0", "0", "2", "0", "1"]
    held = {"count": 2, "cards": {"ranger": 1, "point": 1}, "bought": {}}
    (chips,) = groups(read(draw({**own, "developments": {**view["developments"], "red": held}})), "chips")
    assert [text.text for text in chips.iter(f"{SVG}text")] == ["Ranger 1", "Point 1"]
    public = read(draw(castle("brotherhood", 4, 90)))
    assert groups(public, "hand") == groups(public, "chips") == []


def test_players_are_shown_with_public_points_counts_and_heroes(any_castle: View) -> None:
    root = read(draw(any_castle, names={"red": "Anna"}))
    for seat, card in zip(any_castle["seats"], groups(root, "player"), strict=True):
        texts = [text.text for text in card.iter(f"{SVG}text")]
        assert texts[0] == ("Anna" if seat == "red" else seat)
        counts = [any_castle["hands"][seat]["count"], any_castle["developments"][seat]["count"]]
        counts += [any_castle["patrols"][seat], any_castle["lengths"][seat]]
        assert texts[2:7] == [str(number) for number in (any_castle["points"][seat], *counts)]
        gold = card.findall(f"{SVG}rect[@fill='#ffd84a']")
        assert len(gold) == (any_castle["longest"] == seat) + (any_castle["largest"] == seat)
        if any_castle["watch"]:
            hero = any_castle["watch"]["heroes"]["before"][seat]
            assert texts[-1] == f"{hero['hero'].capitalize()} {hero['side']}"


def test_dice_show_their_pips_and_the_wildlings_their_number(castle: Callable[..., View]) -> None:
    view = {**castle("brotherhood", 4, 90), "dice": [3, 5, 11]}
    (dice,) = groups(read(draw(view)), "dice")
    assert len(list(dice.iter(f"{SVG}circle"))) == 8
    assert [text.text for text in dice.iter(f"{SVG}text")][:2] == ["8", "11"]
    assert groups(read(draw({**view, "dice": []})), "dice") == []


def test_the_last_turn_is_marked(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    road = next(paths[0] for paths in view["roads"].values() if paths)
    spot = next(spots[0] for spots in view["settlements"].values() if spots)
    section = next(number for number, guards in enumerate(view["watch"]["sections"], 1) if guards)
    marked = (f"{road[0]}-{road[1]}", str(spot), f"section {section}")
    fresh = [
        group.get("data-at")
        for group in read(draw(view, marked=marked)).iter(f"{SVG}g")
        if any(inner.get("class") == "w-fresh" for inner in group)
    ]
    assert sorted(map(str, fresh)) == sorted((*marked[:2], f"{section}.{len(view['watch']['sections'][section - 1])}"))
    assert 'class="w-fresh"' not in draw(view)


def test_open_places_are_shown_only_on_request(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    legal = ("17", "17-18", "H", "section 2")
    assert places(read(draw(view, legal=legal)), "open") == sorted(legal)
    assert places(read(draw(view)), "open") == []


def test_offers_stand_below_the_players(castle: Callable[..., View]) -> None:
    offer = {"seat": "blue", "give": {"wool": 2}, "take": {"ore": 1}, "to": ["red", "black"]}
    view = {**castle("brotherhood-base", 4, 40), "offers": [offer]}
    (shown,) = groups(read(draw(view)), "offer")
    assert [use.get("href") for use in shown.iter(f"{SVG}use")] == [
        *("#w-s-blue", "#w-wool", "#w-ore", "#w-s-red", "#w-s-black")
    ]


def test_what_stands_beside_the_board_stays_in_the_picture(any_castle: View) -> None:
    held = {"count": 5, "cards": dict.fromkeys(("ranger", "winter", "roads", "recruits", "point"), 1), "bought": {}}
    offer = {"seat": "blue", "give": {"wool": 2}, "take": {"ore": 1}, "to": ["red"]}
    view = {
        **any_castle,
        "developments": {**any_castle["developments"], "red": held},
        "dice": [1, 2],
        "offers": 9 * [offer],
    }
    scene = Scene(view, DrawOptions())
    for figure in scene.figures:
        assert figure.at.y + figure.box.top + figure.box.height <= scene.ground.height, figure.drawing
        assert figure.at.x + figure.box.left + figure.box.width <= scene.ground.width + 4, figure.drawing


@pytest.mark.parametrize("name", ["</text><script>alert(1)</script>", "&lt;&", "{{ 7 * 7 }}", "\u202eevil\0", "]]>"])
def test_a_hostile_name_stays_text(castle: Callable[..., View], name: str) -> None:
    root = read(draw(castle("brotherhood", 3, 140), title=name, names={"blue": name}))
    assert not list(root.iter(f"{SVG}script"))
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert sum(text.startswith(name[:4].replace("\u202e", "\ufffd")) for text in shown) == 2


def test_night_is_darker_and_auto_leaves_it_to_the_reader(castle: Callable[..., View]) -> None:
    view = castle("brotherhood-base", 4, 40)
    light, dark, auto = (
        draw_svg(view["game"], view, replace(DrawOptions(), theme=theme)) for theme in ("light", "dark", "auto")
    )
    assert ".w-page{fill:#fbf7ee}" in light
    assert ".w-page{fill:#15161a}" in dark
    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark


def test_a_picture_stays_below_a_hundred_thousand_bytes(any_castle: View) -> None:
    assert len(draw(any_castle, theme="auto").encode()) < 100_000
