"""What should be on Telegram for a table: the newest posts of the group and of each player's private chat.

A pure function of the table. A feed holds only what may still change, oldest first; the painter leaves earlier messages
as they are. Which changes deserve a new message is decided here, by the epochs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from tgavalon.core.reasons import Illegal
from tgavalon.core.views import (
    Ended,
    LadyNow,
    PublicView,
    QuestNow,
    SeatView,
    ShotNow,
    TeamNow,
    VoteNow,
    public_view,
    seat_view,
)
from tgavalon.table.history import has_record, seal
from tgavalon.table.model import Closing, Place, Stage, Table
from tgavalon.table.options import cautions, choices, planned_roles, problem
from tgavalon.table.seating import votes_to_end
from tgavalon.ui import lobby, reveal, rounds, secrets
from tgavalon.ui.catalogue import Translator, translator
from tgavalon.ui.ending import end_screen, record_button
from tgavalon.ui.frame import Around
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Post, Screen
from tgavalon.ui.taps import Tap, Verb

GROUP = "group"
JOINING = 3.0
"""Seconds that the list of a lobby may be behind: whoever joins is told so at once."""
COUNTING = 8.0
"""Seconds that the number of votes or cards may be behind, for the same reason; the result never is."""
Moment = tuple[str, Callable[[], Screen]]
"""An epoch of the game, and how its screen is drawn."""

_SUPERGROUP = "-100"
_REPOSTED = "+"
CLOSINGS: Mapping[Closing, str] = {
    Closing.IDLE: lobby.CLOSED_IDLE,
    Closing.HOST: lobby.CLOSED_BY_HOST,
    Closing.VOTE: lobby.CLOSED_BY_VOTE,
    Closing.ABANDONED: lobby.CLOSED_ABANDONED,
    Closing.LEFT: lobby.CLOSED_LEFT,
}
ENDINGS: Mapping[Closing, str] = {Closing.HOST: lobby.ENDED_BY_HOST}
"""The words for a table that closes while a game is played, where they are others."""


@dataclass(frozen=True, slots=True)
class Feed:
    """The posts that one chat should show, oldest first.

    `last_look` gives the final form of a message of an earlier moment, for those that were not brought up to date in
    their time; None where there is none, and only its buttons must go.
    """

    place: Place
    posts: tuple[Post, ...]
    last_look: Callable[[str], Screen | None] = field(default=lambda _: None, compare=False, repr=False)


def feeds(table: Table) -> dict[str, Feed]:
    """The feed of the group (under `GROUP`) and of each player the bot can write to (under their user id)."""
    wanted = {GROUP: group_feed(table)}
    if table.game is None or table.closing is not None:
        return wanted
    for seat, sitter in enumerate(table.sitters):
        if sitter.ready and not sitter.away:
            view = seat_view(table.game, seat)
            posts = _private_posts(translator(sitter.language), table, view)
            wanted[str(sitter.user)] = Feed(Place(sitter.user), posts, partial(_last_card, table, view))
    return wanted


def group_feed(table: Table) -> Feed:
    """The feed of the group."""
    return Feed(table.place, _group_posts(table), partial(_last_look, table))


def with_present(feed: Feed, table: Table) -> Feed:
    """The feed of the group, drawn for an earlier state of the table from which only the present moment differs."""
    if table.game is None:
        raise ValueError("a lobby has no moments")
    t, view = translator(table.language), public_view(table.game)
    epoch, draw = _moments(t, table, view)[-1]
    current = _current(table, epoch, draw())
    posts = tuple(current if post.epoch == current.epoch else post for post in feed.posts)
    return Feed(table.place, posts, partial(_last_look, table))


def cast(table: Table) -> Cast:
    """The names at the table, by seat."""
    return Cast(tuple(s.name for s in table.sitters), tuple(s.user for s in table.sitters))


def lobby_view(table: Table) -> lobby.LobbyView:
    """What the lobby's screens show of a table."""
    players = len(table.sitters)
    try:
        roles = planned_roles(table.options, players)
    except Illegal:
        roles = None
    return lobby.LobbyView(
        cast=cast(table),
        host=next((seat for seat, sitter in enumerate(table.sitters) if sitter.user == table.host), None),
        waiting=tuple(seat for seat, sitter in enumerate(table.sitters) if not sitter.ready),
        preset=table.options.preset,
        roles=roles,
        problem=problem(table.options, players),
        cautions=cautions(table.options, players),
        started=table.game is not None,
    )


def _group_posts(table: Table) -> tuple[Post, ...]:
    t = translator(table.language)
    if table.game is None:
        return (_current(table, "lobby", _lobby(t, table)),)
    view = public_view(table.game)
    fixed = [_deal_post(t, table, view)]
    if not table.game.proposals:
        fixed.insert(0, Post("lobby", lobby.lobby_screen(t, lobby_view(table))))
    if table.closing is not None:
        return (*fixed, Post("closed", _closed(t, table, table.closing)))
    *past, (epoch, present) = _moments(t, table, view)
    current = _current(table, epoch, present())
    posts = [*fixed, *(Post(name, draw()) for name, draw in past), current]
    if table.reminded:
        posts.append(_reminder(t, table, view, current.epoch))
    return tuple(posts)


def _last_look(table: Table, epoch: str) -> Screen | None:
    """The final form of a message of the group."""
    if table.game is None:
        return None
    t, view = translator(table.language), public_view(table.game)
    who, around = cast(table), _around(table)
    kind, _, number = original(epoch).partition(":")
    match kind, int(number or 0):
        case "lobby", _:
            screen = lobby.lobby_screen(t, lobby_view(table))
        case "team", proposal if proposal <= len(view.proposals):
            screen = rounds.team_screen(t, view, who, around, proposal)
        case "vote", proposal if proposal <= len(view.proposals):
            screen = rounds.vote_screen(t, view, who, around, proposal)
        case "lady", after if any(check.after == after for check in view.checks):
            screen = rounds.lady_screen(t, view, who, around, after)
        case _:
            return None
    return screen if not screen.rows else None


def _last_card(table: Table, view: SeatView, epoch: str) -> Screen | None:
    """The final form of a player's card of an earlier quest."""
    kind, _, quest = epoch.partition(":")
    if kind != "card" or int(quest) not in dict(view.cards):
        return None
    t = translator(table.sitters[view.seat].language)
    absent = _was_absent(table, view.seat, int(quest))
    return secrets.quest_card(t, view, cast(table), table.title, int(quest), asking=False, absent=absent)


def _was_absent(table: Table, seat: int, quest: int) -> bool:
    """Whether this player's card of a quest was played for them."""
    return any(done.stage is Stage.QUEST and done.number == quest and seat in done.seats for done in table.stand_ins)


def _lobby(t: Translator, table: Table) -> Screen:
    if table.closing is not None:
        return lobby.closed_screen(t, CLOSINGS[table.closing])
    if table.settings_open:
        return lobby.settings_screen(t, lobby_view(table), choices(table.options))
    return lobby.lobby_screen(t, lobby_view(table))


def _closed(t: Translator, table: Table, why: Closing) -> Screen:
    screen = lobby.closed_screen(t, ENDINGS.get(why) or CLOSINGS[why])
    return replace(screen, rows=((record_button(t),),)) if has_record(table) else screen


def original(epoch: str) -> str:
    """The epoch that a screen had before anybody asked for it as a new message."""
    return epoch.partition(_REPOSTED)[0]


def _current(table: Table, epoch: str, screen: Screen) -> Post:
    patience = JOINING if table.game is None else COUNTING
    return Post(f"{epoch}{_REPOSTED}{table.reposts}" if table.reposts else epoch, screen, patience=patience)


def _deal_post(t: Translator, table: Table, view: PublicView) -> Post:
    return Post("deal", reveal.deal_screen(t, view, cast(table), seal(table)))


def _moments(t: Translator, table: Table, view: PublicView) -> list[Moment]:
    """The last moments of the game, the present one last."""
    who, around = cast(table), _around(table)
    now = view.now

    def team(number: int) -> Moment:
        return f"team:{number}", partial(rounds.team_screen, t, view, who, around, number)

    def vote(number: int) -> Moment:
        return f"vote:{number}", partial(rounds.vote_screen, t, view, who, around, number)

    def lady(after: int) -> Moment:
        return f"lady:{after}", partial(rounds.lady_screen, t, view, who, around, after)

    last = len(view.proposals)
    before = [vote(last)] if last else []
    if view.checks and view.checks[-1].after == len(view.quests) and not view.rejections:
        before.append(lady(view.checks[-1].after))
    match now:
        case TeamNow(proposal=number):
            return [*before, team(number)]
        case VoteNow(proposal=number):
            return [team(number), vote(number)]
        case QuestNow():
            return [team(last), vote(last)]
        case LadyNow(after=after):
            return [*before, lady(after)]
        case ShotNow():
            return [*before, ("shot", partial(rounds.shot_screen, t, view, who, around))]
        case Ended():
            return [*before, ("end", partial(_end, t, table, view))]


def _end(t: Translator, table: Table, view: PublicView) -> Screen:
    bets = tuple((bet.name, bet.seat) for bet in sorted(table.bets, key=lambda bet: bet.user))
    return end_screen(t, view, cast(table), replace(_around(table), seal=seal(table)), bets, table.salt)


def _around(table: Table) -> Around:
    offers = tuple(seat for seat, sitter in enumerate(table.sitters) if sitter.away)
    unreachable = tuple(seat for seat, sitter in enumerate(table.sitters) if not sitter.ready and not sitter.away)
    return Around(
        offers=offers,
        unreachable=unreachable,
        show_votes=table.options.show_votes,
        end_votes=len(table.end_votes),
        end_needed=votes_to_end(table),
        teams_chosen=frozenset(done.number for done in table.stand_ins if done.stage is Stage.TEAM),
        votes_counted={done.number: done.seats for done in table.stand_ins if done.stage is Stage.VOTE},
        cards_played=frozenset(done.number for done in table.stand_ins if done.stage is Stage.QUEST),
    )


def _reminder(t: Translator, table: Table, view: PublicView, epoch: str) -> Post:
    left = t.duration((table.deadline or 0) - (table.reminder or 0))
    waiting = awaited(view)
    screen = rounds.reminder_screen(t, cast(table), waiting, left) if waiting else rounds.waiting_screen(t, left)
    return Post(f"remind:{epoch}", screen, fleeting=True)


def awaited(view: PublicView) -> tuple[int, ...]:
    """The seats the table waits for, as far as naming them tells no secret; empty where it would."""
    match view.now:
        case TeamNow():
            return (view.leader,)
        case VoteNow(missing=missing):
            return missing
        case LadyNow(holder=holder):
            return (holder,)
        case _:
            return ()


def _link(table: Table) -> str | None:
    """The link from a private chat to the group's table: Telegram has one only for supergroups."""
    chat = str(table.place.chat)
    if table.anchor is None or not chat.startswith(_SUPERGROUP):
        return None
    topic = f"{table.place.topic}/" if table.place.topic is not None else ""
    return f"https://t.me/c/{chat.removeprefix(_SUPERGROUP)}/{topic}{table.anchor}"


def _private_posts(t: Translator, table: Table, view: SeatView) -> tuple[Post, ...]:
    who, title = cast(table), table.title
    posts = [Post("role", secrets.role_card(t, view, who, title, _link(table)))]
    now = view.public.now
    quest, shown = _quest_of(view), []
    if quest is not None:
        asking = _armed(table, view.seat, Tap(Verb.FAIL, quest)) is not None
        absent = _was_absent(table, view.seat, quest)
        shown.append(Post(f"card:{quest}", secrets.quest_card(t, view, who, title, quest, asking, absent=absent)))
    if view.checked and view.checked[-1][0] == len(view.public.quests):
        after = view.checked[-1][0]
        shown.append(Post(f"lady:{after}", secrets.loyalty_card(t, view, who, title, after)))
    # The Lady speaks after a quest: behind the card of the one that is over, before the card of the one that is on.
    posts += reversed(shown) if isinstance(now, QuestNow) else shown
    if view.targets or (view.holds_dagger and isinstance(now, Ended) and now.target is not None):
        aimed = _armed(table, view.seat, None)
        aim = aimed.value if aimed is not None else None
        posts.append(Post("dagger", secrets.dagger_card(t, view, who, title, aim)))
    return tuple(posts)


def _quest_of(view: SeatView) -> int | None:
    """The quest whose card this player's private chat shows: the present one, or the last until the next."""
    now = view.public.now
    if isinstance(now, QuestNow):
        return now.quest if view.may_play else None
    last = view.public.quests[-1].number if view.public.quests else None
    return last if any(quest == last for quest, _ in view.cards) else None


def _armed(table: Table, seat: int, wanted: Tap | None) -> Tap | None:
    user = table.sitters[seat].user
    taps = (armed.tap for armed in table.armed if armed.user == user)
    return next((tap for tap in taps if tap == wanted or (wanted is None and tap.verb is Verb.AIM)), None)
