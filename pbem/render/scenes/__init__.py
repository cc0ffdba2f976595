"""The scenes of our own games, a folder each; `pbem.render.plain_scene` finds them through the table of games."""
