"""The rulebook, tested in the game's own words."""
