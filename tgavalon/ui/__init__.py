"""Screens as pure functions of a view and a translator, and the words for everything the game can say.

Nothing in this package sees a whole game, a store or a bot.
"""
