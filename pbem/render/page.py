"""The board as one HTML page that can be kept, sent or opened without a network."""

from dataclasses import replace

from engine.game import View
from engine.registry import find
from pbem.render.environment import choose_template
from pbem.render.names import show_name
from pbem.render.scenes import set_scene
from pbem.render.wishes import PLAIN, Wishes


def draw_page(key: str, view: View, wishes: Wishes = PLAIN) -> str:
    """The picture, the scores and the list by owner; light or dark as the reader's screen is."""
    game = find(key)
    template = choose_template(key, "page.html", wishes.tongue)
    return template.render(
        key=key,
        heading=show_name(wishes.title) or (wishes.tongue.translations.gettext(game.title) if game else key),
        # The title stands above the picture, which need not repeat it.
        scene=set_scene(key, view, replace(wishes, title="", theme="auto")),
        tongue=wishes.tongue,
    )
