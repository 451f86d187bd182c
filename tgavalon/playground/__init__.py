"""A strict local double of Telegram's Bot API, with a page to play on. It knows Telegram, and nothing of any game."""

from tgavalon.playground.double import Double
from tgavalon.playground.puppets import Choose, VisibleButton

__all__ = ["Choose", "Double", "VisibleButton"]
