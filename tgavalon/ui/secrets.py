"""What one player sees alone: the role card, quest cards, what the Lady showed, whom the dagger names; as private
messages and, within 200 characters, as alerts.

Each is drawn from that player's own view and nothing else.
"""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.game import Card
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import Ended, LadyNow, PublicView, QuestNow, SeatView, ShotNow, TeamNow, VoteNow
from tgavalon.ui import words
from tgavalon.ui.catalogue import FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE, Translator, mark, plain
from tgavalon.ui.frame import in_pairs
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Button, Screen, Style
from tgavalon.ui.taps import Tap, Verb

LONGEST_ALERT = 200

AIMS: dict[Role, str] = {
    Role.MERLIN: mark("Help good to three quests, but do not let evil notice what you know."),
    Role.PERCIVAL: mark("Protect Merlin: let evil take you for him."),
    Role.SERVANT: mark("Find out whom to trust, and bring three quests to success."),
    Role.ASSASSIN: mark("Make three quests fail, or name Merlin at the end."),
    Role.MORDRED: mark("Merlin does not see you. Make three quests fail."),
    Role.MORGANA: mark("Percival may take you for Merlin. Make three quests fail."),
    Role.OBERON: mark("Evil does not know you, nor you them. Make three quests fail."),
    Role.MINION: mark("Make three quests fail, or help to find Merlin."),
}


def role_card(t: Translator, view: SeatView, cast: Cast, title: str, link: str | None) -> Screen:
    """The private message with everything a player knows from the reveal, hidden behind a spoiler.

    `title` names the group, `link` leads back to it where Telegram has a link for it.
    """
    secret = [
        _you_are(t, view),
        *_known(t, view, cast),
        t(AIMS[view.role]),
        *_dagger_line(t, view),
    ]
    lines = [
        t("🎭 <b>Your role</b> at {title}. Seat {seat}.", title=title, seat=view.seat + 1),
        *(Markup("<tg-spoiler>{}</tg-spoiler>").format(line) for line in secret),
        t("Tap the hidden lines to read them. Keep them to yourself!"),
    ]
    rows = ((Button(t("↩️ To the group"), url=link),),) if link else ()
    return Screen(t.page(*lines), rows, protected=True)


def quest_card(
    t: Translator, view: SeatView, cast: Cast, title: str, quest: int, asking: bool, *, absent: bool = False
) -> Screen:
    """The private choice of a card, the question whether a Fail is meant (`asking`), or what was played; by the table
    where the player was not waited for (`absent`)."""
    head = t("⚔️ <b>Quest {number}</b> at {title}", number=quest, title=title)
    now = view.public.now
    card = dict(view.cards).get(quest, view.card)
    if absent:
        return Screen(t.page(head, t("The table went on without your card: it counts as Success.")), protected=True)
    if card is not None or not isinstance(now, QuestNow):
        played = t(words.CARDS[card]) if card is not None else Markup("–")
        return Screen(t.page(head, t("Your card is in: <tg-spoiler>{card}</tg-spoiler>.", card=played)), protected=True)
    if asking:
        sure = Button(t("Yes, play Fail"), Tap(Verb.FAIL_SURELY, quest), style=Style.DANGER)
        back = Button(t("No, back"), Tap(Verb.BACK, quest))
        return Screen(t.page(head, t("Play Fail? It cannot be taken back.")), ((sure,), (back,)), protected=True)
    team = t("Team: {team}", team=cast.names_of(t, now.team))
    lines = [head, team, t("Play your card. Until the game is over nobody sees who played what.")]
    buttons = [Button(t("✅ Success"), Tap(Verb.SUCCESS, quest), style=Style.SUCCESS)]
    if Card.FAIL in view.may_play:
        buttons.append(Button(t("❌ Fail"), Tap(Verb.FAIL, quest), style=Style.DANGER))
    return Screen(t.page(*lines), (tuple(buttons),), protected=True)


def loyalty_card(t: Translator, view: SeatView, cast: Cast, title: str, after: int) -> Screen:
    """What the Lady of the Lake showed this player after `after` quests."""
    seat, side = next((seat, side) for when, seat, side in view.checked if when == after)
    line = _loyalty(t, cast, seat, side)
    head = t("🌊 <b>The Lady of the Lake</b> at {title}", title=title)
    return Screen(t.page(head, Markup("<tg-spoiler>{}</tg-spoiler>").format(line)), protected=True)


def dagger_card(t: Translator, view: SeatView, cast: Cast, title: str, aim: int | None) -> Screen:
    """The private choice of whom the dagger names, the question whether seat `aim` is meant, or who was named."""
    head = t("🗡 <b>Who is Merlin?</b> Your dagger at {title}.", title=title)
    now = view.public.now
    if isinstance(now, Ended) and now.target is not None:
        return Screen(t.page(head, t("You have named {name}.", name=cast.name(t, now.target))), protected=True)
    if aim is not None:
        question = t("Is {name} Merlin? You cannot change it afterwards.", name=cast.name(t, aim))
        sure = Button(t("Yes, this is Merlin"), Tap(Verb.SHOOT, 0, aim), style=Style.DANGER)
        back = Button(t("No, back"), Tap(Verb.BACK, 0))
        return Screen(t.page(head, question), ((sure,), (back,)), protected=True)
    rows = in_pairs([Button(cast.label(t, seat), Tap(Verb.AIM, 0, seat)) for seat in view.targets])
    return Screen(t.page(head, t("Talk it over with evil if you like. You decide.")), rows, protected=True)


def role_alert(t: Translator, view: SeatView, cast: Cast) -> str:
    """The player's role and knowledge in at most 200 characters; seat numbers alone where names are too long."""
    head = _you_are(t, view)
    checks = [_loyalty(t, cast, seat, side) for _, seat, side in view.checked]
    short = [_known_seats(t, view)]
    return fitting(
        " ".join([head, *_known(t, view, cast), *_dagger_line(t, view), *checks]),
        " ".join([head, *_known(t, view, cast), *checks]),
        " ".join([head, *short, *checks]),
        " ".join([head, *short]),
    )


def loyalty_alert(t: Translator, cast: Cast, seat: int, side: Side) -> str:
    """What the Lady shows, for an alert."""
    return fitting(_loyalty(t, cast, seat, side))


def glance(t: Translator, public: PublicView, view: SeatView | None, cast: Cast, *, by_buttons: bool = False) -> str:
    """What is going on, for an alert in the language of whoever asks; `view` is None for onlookers. `by_buttons`: they
    play with the group's buttons, since the bot cannot write to them."""
    turn = _your_turn(t, public, view, by_buttons) if view is not None else None
    if turn is not None:
        return fitting(turn)
    leader = cast.name(t, public.leader)
    match public.now:
        case TeamNow(quest=None):
            text = t("{leader} leads and chooses a quest.", leader=leader)
        case TeamNow(quest=quest, size=size):
            text = t.plural(
                "{leader} chooses {count} player for quest {number}.",
                "{leader} chooses {count} players for quest {number}.",
                size or 0,
                leader=leader,
                number=quest,
            )
        case VoteNow() as vote:
            return fitting(*_vote_at_a_glance(t, vote, view, cast))
        case QuestNow(quest=quest, cards_in=done, team=team):
            text = t("Quest {number}: {done} of {all} cards are in.", number=quest, done=done, all=len(team))
            if view is not None and view.may_play and view.card is None:
                here = t("Yours is missing: play it with the buttons here, nobody sees who taps what.")
                text += " " + (here if by_buttons else t("Yours is missing: see our private chat."))
        case LadyNow(holder=holder):
            text = t("{name} chooses whom the Lady of the Lake examines.", name=cast.name(t, holder))
        case ShotNow() if view is not None and view.role.side is Side.EVIL:
            text = t("Evil looks for Merlin.")
        case ShotNow():
            text = t("Evil looks for Merlin. You can bet on whom the dagger will hit.")
        case _:
            text = t("The game is over.")
    return fitting(text)


def _your_turn(t: Translator, public: PublicView, view: SeatView, by_buttons: bool) -> Markup | None:
    """What the one who asks is to do, where the whole table waits for them alone."""
    match public.now:
        case TeamNow(quest=None) if view.seat == public.leader:
            return t("It is your turn: choose a quest.")
        case TeamNow(quest=quest, size=size) if view.seat == public.leader:
            return t.plural(
                "It is your turn: choose {count} player for quest {number}.",
                "It is your turn: choose {count} players for quest {number}.",
                size or 0,
                number=quest,
            )
        case LadyNow(holder=holder) if view.seat == holder:
            return t("It is your turn: choose whom the Lady of the Lake examines.")
        case ShotNow() if view.holds_dagger:
            here = t("It is your turn: name Merlin with the buttons here.")
            return here if by_buttons else t("It is your turn: name Merlin in our private chat.")
        case _:
            return None


def _vote_at_a_glance(t: Translator, now: VoteNow, view: SeatView | None, cast: Cast) -> tuple[str, str]:
    text: str = t("Vote on the team for quest {number}: {team}.", number=now.quest, team=cast.names_of(t, now.team))
    seats = t.listing(t.number(seat + 1) for seat in now.team)  # two at least
    short: str = t("Vote on the team for quest {number}: seats {seats}.", number=now.quest, seats=seats)
    if view is None or view.seat not in now.missing:
        return text, short
    missing = t("Your vote is missing.")
    return f"{text} {missing}", f"{short} {missing}"


def fitting(*texts: str) -> str:
    """The first of these texts that fits an alert, as plain text; if none does, the last is cut between two words
    and never within a name."""
    last = ""
    for text in texts:
        last = plain(text)
        if len(last) <= LONGEST_ALERT:
            return last
    return _cut(last[:LONGEST_ALERT]) + "…"


def _cut(text: str) -> str:
    within_a_name = text.count(FIRST_STRONG_ISOLATE) > text.count(POP_DIRECTIONAL_ISOLATE)
    return text.rpartition(FIRST_STRONG_ISOLATE if within_a_name else " ")[0].rstrip()


def _you_are(t: Translator, view: SeatView) -> Markup:
    role = words.role(t, view.role)
    if view.role.side is Side.GOOD:
        return t("You are <b>{role}</b>, on the side of good.", role=role)
    return t("You are <b>{role}</b>, on the side of evil.", role=role)


def _known(t: Translator, view: SeatView, cast: Cast) -> list[str]:
    known = view.knowledge
    if known.merlins:
        names = cast.names_of(t, tuple(sorted(known.merlins)))
        if len(known.merlins) == 1:
            return [t("Merlin is {name}.", name=names)]
        return [t("One of these is Merlin, the other Morgana: {names}.", names=names)]
    if known.evil and view.role is Role.MERLIN:
        names = cast.names_of(t, tuple(sorted(known.evil)))
        hidden = Role.MORDRED in view.public.roles
        return [
            t("Evil you see (Mordred hides): {names}.", names=names)
            if hidden
            else t("Evil you see: {names}.", names=names)
        ]
    if known.evil:
        names = cast.names_of(t, tuple(sorted(known.evil)))
        if Role.OBERON in view.public.roles:
            return [t("Evil with you, but for Oberon: {names}.", names=names)]
        return [t("Evil with you: {names}.", names=names)]
    return []


def _known_seats(t: Translator, view: SeatView) -> Markup:
    seats = sorted(view.knowledge.evil | view.knowledge.merlins)
    if not seats:
        return Markup()
    numbers = t.listing(t.number(seat + 1) for seat in seats)
    if len(view.knowledge.merlins) == 1:
        return t("Merlin: seat {seats}.", seats=numbers)
    if view.knowledge.merlins:
        return t("Merlin or Morgana: seats {seats}.", seats=numbers)
    return t.plural("Evil: seat {seats}.", "Evil: seats {seats}.", len(seats), seats=numbers)


def _dagger_line(t: Translator, view: SeatView) -> list[str]:
    if view.holds_dagger and view.role is not Role.ASSASSIN:
        return [t("You hold the dagger: you name Merlin at the end.")]
    return []


def _loyalty(t: Translator, cast: Cast, seat: int, side: Side) -> Markup:
    if side is Side.GOOD:
        return t("🔵 {name} is good.", name=cast.name(t, seat))
    return t("🔴 {name} is evil.", name=cast.name(t, seat))
