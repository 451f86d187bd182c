"""The game of Avalon as pure values: rules, state, actions, views and records.

Nothing in this package knows a clock, a die, a language, Telegram or a store.
"""
