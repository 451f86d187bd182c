"""A table: the lobby, the seats, the settings, the game and its deadlines; the service and the painter; the ports.

Nothing in this package imports Telegram, Redis or the environment.
"""
