"""The board as one HTML page that can be kept, sent or opened without a network."""

from dataclasses import replace

from engine.game import View
from engine.registry import find
from pbem.render.environment import choose_template
from pbem.render.scenes import set_scene
from pbem.render.svg import draw_svg
from pbem.render.wishes import PLAIN, Wishes


def draw_page(key: str, view: View, wishes: Wishes = PLAIN) -> str:
    """The picture, the scores and the list by owner; light or dark as the reader's screen is."""
    from markupsafe import Markup

    game = find(key)
    template = choose_template(key, "page.html", wishes.tongue)
    return template.render(
        heading=wishes.title or (game.title if game else key),
        scene=set_scene(key, view, wishes),
        tongue=wishes.tongue,
        # Our own markup, escaped where it was made.
        picture=Markup(draw_svg(key, view, replace(wishes, title="", theme="auto"))),  # noqa: S704
    )
