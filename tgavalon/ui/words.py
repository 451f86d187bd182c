"""Words for every role, side, outcome and option, marked here and translated where they are used."""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.deal import Caution
from tgavalon.core.game import Card, Outcome
from tgavalon.core.presets import PresetName
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import Approval, FifthRejection, LadyImmunity, QuestOrder
from tgavalon.ui.catalogue import Translator, mark

ROLES: dict[Role, str] = {
    Role.MERLIN: mark("Merlin"),
    Role.PERCIVAL: mark("Percival"),
    Role.SERVANT: mark("Loyal servant of Arthur"),
    Role.ASSASSIN: mark("Assassin"),
    Role.MORDRED: mark("Mordred"),
    Role.MORGANA: mark("Morgana"),
    Role.OBERON: mark("Oberon"),
    Role.MINION: mark("Minion of Mordred"),
}

ROLE_SIGNS: dict[Role, str] = {
    Role.MERLIN: "🧙",
    Role.PERCIVAL: "🛡",
    Role.SERVANT: "⚔️",
    Role.ASSASSIN: "🗡",
    Role.MORDRED: "👁",
    Role.MORGANA: "🔮",
    Role.OBERON: "🌫",
    Role.MINION: "🐍",
}

SIDE_SIGNS: dict[Side, str] = {Side.GOOD: "🔵", Side.EVIL: "🔴"}

CARDS: dict[Card, str] = {
    # Translators: the quest card that helps.
    Card.SUCCESS: mark("Success"),
    # Translators: the quest card that harms.
    Card.FAIL: mark("Fail"),
}

OUTCOMES: dict[Outcome, str] = {
    Outcome.THREE_FAILED_QUESTS: mark("Three quests have failed."),
    Outcome.FIVE_REJECTIONS: mark("Five teams in a row were rejected."),
    Outcome.MERLIN_ASSASSINATED: mark("Three quests succeeded, but Merlin was found and killed."),
    Outcome.MERLIN_SURVIVED: mark("Three quests succeeded, and Merlin lives."),
    Outcome.THREE_SUCCESSFUL_QUESTS: mark("Three quests succeeded."),
}

PRESETS: dict[PresetName, str] = {
    PresetName.RULEBOOK: mark("Rulebook"),
    PresetName.VIETNAMESE: mark("Vietnamese rules"),
    PresetName.RUSSIAN_ONLINE: mark("Russian online rules"),
    PresetName.SPANISH: mark("Spanish rules"),
}

# The values of settings, short enough for a button.
QUEST_ORDERS: dict[QuestOrder, str] = {
    QuestOrder.FIXED: mark("one after another"),
    QuestOrder.TARGETING: mark("leader's choice, 5 after two successes"),
    QuestOrder.LAST_LOCKED: mark("leader's choice, 5 last"),
}

# Translators: these three follow "Fifth team in a row" and a colon, on a button.
FIFTH_REJECTIONS: dict[FifthRejection, str] = {
    FifthRejection.EVIL_WINS_GAME: mark("if rejected, evil wins the game"),
    FifthRejection.EVIL_WINS_QUEST: mark("if rejected, evil wins the quest"),
    FifthRejection.NO_VOTE: mark("goes without a vote"),
}

# What stands on the screen while the fifth team in a row is chosen and voted on.
LAST_CHANCES: dict[FifthRejection, str] = {
    FifthRejection.EVIL_WINS_GAME: mark("⚠️ If this team is rejected too, evil wins the game."),
    FifthRejection.EVIL_WINS_QUEST: mark("⚠️ If this team is rejected too, evil wins the quest."),
}

# The same choices as whole sentences, for the pages of rules.
QUEST_ORDER_RULES: dict[QuestOrder, str] = {
    QuestOrder.FIXED: mark("The quests are played one after another."),
    QuestOrder.TARGETING: mark("The leader also chooses which quest to go on; quest 5 opens after two successes."),
    QuestOrder.LAST_LOCKED: mark("The leader also chooses which quest to go on; quest 5 comes last."),
}

FIFTH_REJECTION_RULES: dict[FifthRejection, str] = {
    FifthRejection.EVIL_WINS_GAME: mark("If five teams in a row are rejected, evil wins the game."),
    FifthRejection.EVIL_WINS_QUEST: mark("If five teams in a row are rejected, evil wins the quest."),
    FifthRejection.NO_VOTE: mark("After four rejected teams in a row the fifth goes without a vote."),
}

APPROVAL_RULES: dict[Approval, str] = {
    Approval.MAJORITY: mark("A team goes if more than half of the votes approve; a tie rejects it."),
    Approval.HALF: mark("A team goes if at least half of the votes approve."),
}

LADY_IMMUNITIES: dict[LadyImmunity, str] = {
    LadyImmunity.PAST_HOLDERS: mark("Nobody who has ever held her can be examined."),
    LadyImmunity.LAST_HOLDER: mark("The player who passed her on last cannot be examined."),
    LadyImmunity.HOLDER: mark("Anybody else can be examined."),
}

CAUTIONS: dict[Caution, str] = {
    Caution.PERCIVAL_ALONE_WITH_FIVE: mark(
        "With five players, Percival alone makes it too easy: add Mordred or Morgana."
    ),
    Caution.POWERLESS_WITHOUT_MERLIN: mark("Without Merlin, the special roles have no power."),
    Caution.LADY_BELOW_ADVISED: mark("The Lady of the Lake is better with seven players or more."),
}


def role(t: Translator, which: Role) -> Markup:
    """A role with its sign."""
    return Markup("{} {}").format(ROLE_SIGNS[which], t(ROLES[which]))


def roles_in_play(t: Translator, roles: tuple[Role, ...]) -> Markup:
    """A list of roles, each kind once with its number where there are several."""
    kinds = list(dict.fromkeys(roles))
    return t.listing(_kind(t, kind, roles.count(kind)) for kind in kinds)


def _kind(t: Translator, kind: Role, count: int) -> Markup:
    if kind is Role.SERVANT:
        return t.plural("{count} loyal servant", "{count} loyal servants", count)
    if kind is Role.MINION:
        return t.plural("{count} minion", "{count} minions", count)
    return t(ROLES[kind])
