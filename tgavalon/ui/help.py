"""Pages that explain: the greeting, help, the rules by topic, the choice of a language, and one-line notices."""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.presets import PresetName
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import MAX_PLAYERS, MIN_PLAYERS, QUESTS, Ruleset, evil_players, fails_needed, team_size
from tgavalon.ui import words
from tgavalon.ui.catalogue import Translator, languages, mark, own_name
from tgavalon.ui.screen import Button, Screen
from tgavalon.ui.taps import Tap, Verb

COMMANDS: dict[str, str] = {
    "newgame": mark("open a table"),
    "join": mark("sit down at the table"),
    "leave": mark("get up from the table"),
    "table": mark("bring the table down as a new message"),
    "role": mark("your role"),
    "settings": mark("the table's settings"),
    "kick": mark("before the game, take a player off the table by seat: /kick 3"),
    "endgame": mark("end the game"),
    "rules": mark("how to play"),
    "language": mark("choose a language"),
    "record": mark("the last finished game as a file"),
    "forgetme": mark("delete what I know about you"),
    "help": mark("all commands"),
}

# Translators: what people see before they start the bot, at most 512 characters.
DESCRIPTION = mark(
    "I run The Resistance: Avalon, the game of hidden loyalty, for 5 to 10 friends in a group. Everybody plays in"
    " their own language. Tap Start, then add me to your group."
)
# Translators: what people see on the bot's profile, at most 120 characters.
SHORT_DESCRIPTION = mark("Avalon, the game of hidden loyalty, for 5 to 10 friends in a group.")

TOPICS = (
    mark("The game"),
    mark("Roles"),
    mark("Teams and votes"),
    mark("Quests"),
    mark("Lady of the Lake"),
    mark("The end"),
)


ROLE_LINES: dict[Role, str] = {
    # Translators: these eight follow the name of the role and a colon on the page of roles.
    Role.MERLIN: mark("sees evil, all but Mordred if he plays. Must not be found out."),
    Role.PERCIVAL: mark("sees Merlin, and Morgana too if she plays, without telling them apart."),
    Role.SERVANT: mark("knows nothing, and needs a good nose."),
    Role.ASSASSIN: mark("knows evil, all but Oberon, and tries to name Merlin at the end."),
    Role.MORDRED: mark("knows evil, all but Oberon, and Merlin does not see him."),
    Role.MORGANA: mark("knows evil, all but Oberon, and looks like Merlin to Percival."),
    Role.OBERON: mark("is evil alone: he knows nobody, and evil does not know him."),
    Role.MINION: mark("knows evil, all but Oberon."),
}


def start_screen(t: Translator, username: str) -> Screen:
    """The greeting in a private chat."""
    lines = [
        t("👋 Welcome! I run <b>The Resistance: Avalon</b> for 5 to 10 friends in a group."),
        t("Add me to your group and send /newgame there. Everybody taps Join, and off you go."),
        t("Roles and quest cards come to you here, in your own language: /language."),
    ]
    add = Button(t("➕ Add me to a group"), url=f"https://t.me/{username}?startgroup=play")
    return Screen(t.page(*lines), ((add,), _rules_row(t)))


def hello_screen(t: Translator) -> Screen:
    """The greeting in a group that has just added the bot."""
    lines = [
        t("👋 Hello! Shall we play <b>Avalon</b>? It takes 5 to 10 players."),
        t("Send /newgame to open a table, /rules to read how it goes, /language to choose this group's language."),
    ]
    return Screen(t.page(*lines))


def help_screen(t: Translator) -> Screen:
    """All commands with what they do."""
    lines = [t("<b>Commands</b>")]
    lines += [_command(t, "/" + name, text) for name, text in COMMANDS.items()]
    return Screen(t.page(*lines), (_rules_row(t),))


def _command(t: Translator, command: str, text: str) -> Markup:
    return t("{command} – {text}", command=command, text=t(text))


def language_screen(t: Translator, *, of_group: bool) -> Screen:
    """The choice of a language, each written in itself."""
    text = t("Which language shall I speak in this group?") if of_group else t("Which language shall I speak with you?")
    buttons = tuple((Button(own_name(code), Tap(Verb.LANGUAGE, 0, i)),) for i, code in enumerate(languages()))
    return Screen(t.page(text), buttons)


def language_chosen(t: Translator) -> str:
    """The answer to a choice of language, in that language."""
    # Translators: name your own language here instead of English.
    return str(t("From now on I speak English."))


def welcome_seated(t: Translator, title: str) -> Screen:
    """The answer in private to a press of Start that has completed a seat."""
    return Screen(t.page(t("✅ You sit at {title}. Your role will come here.", title=title)))


def kicked(t: Translator, title: str) -> Screen:
    """What somebody reads who was taken off a lobby."""
    return Screen(t.page(t("🚪 You have been taken off the table at {title}.", title=title)))


def notice(t: Translator, text: str) -> Screen:
    """One line of text as a message."""
    return Screen(t.page(Markup("{}").format(text)))


def rules_screen(t: Translator, preset: PresetName, rules: Ruleset, players: int | None, page: int) -> Screen:
    """One page of the rules of `preset`, with the table for `players` (None: for all numbers)."""
    writer = (_game, _roles, _teams, _quests, _lady, _ending)[page]
    head = t("📖 <b>{topic}</b> ({preset})", topic=t(TOPICS[page]), preset=t(words.PRESETS[preset]))
    buttons = [
        Button(f"• {t(topic)} •" if number == page else str(t(topic)), Tap(Verb.RULES, 0, number))
        for number, topic in enumerate(TOPICS)
    ]
    rows = tuple(tuple(buttons[start : start + 2]) for start in range(0, len(buttons), 2))
    return Screen(t.page(head, *writer(t, rules, players)), rows)


def _game(t: Translator, _rules: Ruleset, players: int | None) -> list[str]:
    lines: list[str] = [
        t("Good wants three quests to succeed, evil wants three to fail."),
        t(
            "Evil players know each other (but for Oberon); good players know almost nothing. Talk, watch the votes,"
            " and find out."
        ),
        t("Even after three successes evil can still win: by naming Merlin."),
    ]
    counts = [players] if players is not None else list(range(MIN_PLAYERS, MAX_PLAYERS + 1))
    lines += [
        t("{count} players: {good} good, {evil} evil", count=n, good=n - evil_players(n), evil=evil_players(n))
        for n in counts
    ]
    return lines


def _roles(t: Translator, _rules: Ruleset, _players: int | None) -> list[str]:
    return [t("<b>{role}</b>: {text}", role=words.role(t, role), text=t(text)) for role, text in ROLE_LINES.items()]


def _teams(t: Translator, rules: Ruleset, _players: int | None) -> list[str]:
    return [
        t("The player with the crown is the leader and chooses a team; then everybody votes on it, the leader too."),
        t(words.APPROVAL_RULES[rules.approval]),
        t("The crown passes clockwise after every rejected team and after every quest."),
        t(words.FIFTH_REJECTION_RULES[rules.fifth_rejection]),
    ]


def _quests(t: Translator, rules: Ruleset, players: int | None) -> list[str]:
    lines = [
        t("Everybody on the team plays one card in secret. Good can only play Success; evil may play Fail."),
        t("One Fail is enough to fail a quest; quest 4 with seven or more players needs two (*)."),
        t(words.QUEST_ORDER_RULES[rules.quest_order]),
        t("How many go on quests 1 to 5:")
        if players is not None
        else t("In each row: how many play, then how many go on quests 1 to 5."),
    ]
    counts = [players] if players is not None else list(range(MIN_PLAYERS, MAX_PLAYERS + 1))
    rows = [Markup("{}{}").format(t.direction_mark, _sizes(t, n)) for n in counts]
    return [*lines, Markup("<pre>{}</pre>").format(Markup("\n").join(rows))]


def _sizes(t: Translator, players: int) -> str:
    sizes = (t.number(team_size(players, q)) + ("*" if fails_needed(players, q) > 1 else " ") for q in QUESTS)
    return f"{t.number(players).rjust(2)}: {' '.join(sizes)}"


def _lady(t: Translator, rules: Ruleset, _players: int | None) -> list[str]:
    lines: list[str] = [
        t("An optional token. After two, three and four quests its holder sees the loyalty of one player."),
        t("Only the holder sees it, and may say anything about it. Then the token passes to that player."),
        t("It starts with the player whose seat comes just before the first leader's."),
        t(words.LADY_IMMUNITIES[rules.lady_immunity]),
    ]
    if rules.lady_optional:
        lines.append(t("The holder may also keep her for later."))
    return lines


def _ending(t: Translator, rules: Ruleset, _players: int | None) -> list[str]:
    lines: list[str] = [
        t("Three failed quests: evil wins at once."),
        t(
            "Three successful quests: whoever holds the dagger, mostly the Assassin, names one player. If that is"
            " Merlin, evil wins; else good wins."
        ),
    ]
    if rules.evil_shown_before_assassination:
        lines.append(t("Evil shows itself before that."))
    lines.append(t("After the game every role is shown, and who played a Fail."))
    return lines


def _rules_row(t: Translator) -> tuple[Button, ...]:
    return (Button(t("📖 How to play"), Tap(Verb.RULES, 0, 0)),)
