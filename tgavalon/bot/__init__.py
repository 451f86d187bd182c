"""python-telegram-bot at both ends: updates to actions, screens to Bot API calls. Nothing here decides anything."""
