"""The public screens of a running game: team, vote and quest, Lady of the Lake, assassination.

Each is drawn from the public view alone, so that no screen of the group can tell a secret. A screen of a moment that
has passed is drawn in its last form, without buttons.
"""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.game import Check
from tgavalon.core.roles import Role
from tgavalon.core.views import LadyNow, PublicView, QuestNow, ShotNow, TeamNow, VoteNow
from tgavalon.ui import words
from tgavalon.ui.board import board_lines, crown_line, last_chance, quest_line, score_line, vote_lines, vote_log
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.frame import Around, around_lines, around_rows, in_pairs
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Button, Rows, Screen, Style
from tgavalon.ui.taps import IN_GROUP, Tap, Verb


def team_screen(t: Translator, view: PublicView, cast: Cast, around: Around, number: int) -> Screen:
    """The leader puts a team together, or has put it together, for proposal `number`."""
    now = view.now
    if not isinstance(now, TeamNow) or now.proposal != number:
        return _proposed_screen(t, view, cast, around, number)
    lines = [*_news(t, view), *board_lines(t, view), ""]
    lines.append(_call(t, view, cast, now))
    if now.draft:
        lines.append(t("On the team: {names}", names=cast.names_of(t, now.draft)))
    lines += ["", t("👑 Crown: {way}", way=crown_line(t, view, cast, view.leader))]
    if view.lady is not None:
        lines.append(t("🌊 {name} holds the Lady of the Lake.", name=cast.name(t, view.lady)))
    if around.show_votes and view.proposals:
        lines.append(vote_log(t, view))
    return Screen(t.page(*lines, *around_lines(t, cast, around)), (*_team_rows(t, cast, now), *around_rows(t, around)))


def vote_screen(t: Translator, view: PublicView, cast: Cast, around: Around, number: int) -> Screen:
    """The vote on proposal `number`, then its result and what became of the quest."""
    now = view.now
    if isinstance(now, VoteNow) and now.proposal == number:
        return _open_vote(t, view, cast, around, now)
    proposal = view.proposals[number - 1]
    team = cast.names_of(t, proposal.team)
    lines = [
        _vote_head(t, cast, around, number, proposal.quest, proposal.leader),
        t("Team: {team}", team=team),
        *vote_lines(t, cast, proposal, around.votes_counted.get(number, ())),
    ]
    result = next((quest for quest in view.quests if quest.number == proposal.quest), None)
    if result is not None and (proposal.approved or result.forfeited) and number == _last_for(view, proposal.quest):
        lines.append(Markup("<b>{}</b>").format(quest_line(t, result)))
        if result.number in around.cards_played:
            lines.append(t("⏩ Cards that were missing have counted as Success."))
    if isinstance(now, QuestNow) and proposal.approved and now.quest == proposal.quest:
        lines.append(
            t("⚔️ The team is on the quest: {done} of {all} cards are in.", done=now.cards_in, all=len(now.team))
        )
        lines += around_lines(t, cast, around)
        return Screen(t.page(*lines), (*_card_rows(t, around, now), *around_rows(t, around)))
    return Screen(t.page(*lines))


def lady_screen(t: Translator, view: PublicView, cast: Cast, around: Around, after: int) -> Screen:
    """The Lady of the Lake after `after` quests: the holder chooses, or has chosen."""
    check = next((check for check in view.checks if check.after == after), None)
    if check is not None:
        return Screen(t.page(_checked(t, cast, check)))
    now = view.now
    if not isinstance(now, LadyNow):
        return Screen(t.page(t("🌊 <b>The Lady of the Lake</b>")))
    lines = [
        *_news(t, view),
        t("🌊 <b>The Lady of the Lake</b>"),
        t("{name}, whose loyalty do you want to see? Only you will see it.", name=cast.mention(t, now.holder)),
    ]
    if any(check.examined is not None for check in view.checks):
        lines.append(t(words.LADY_IMMUNITIES[view.ruleset.lady_immunity]))
    rows = in_pairs([Button(cast.label(t, seat), Tap(Verb.EXAMINE, after, seat)) for seat in now.choices])
    if now.may_pass:
        rows = (*rows, (Button(t("Keep her for later"), Tap(Verb.PASS, after)),))
    lines += around_lines(t, cast, around)
    return Screen(t.page(*lines), (*rows, *around_rows(t, around)))


def shot_screen(t: Translator, view: PublicView, cast: Cast, around: Around) -> Screen:
    """Three quests have succeeded, and the dagger is being drawn."""
    lines = [*_news(t, view), t("🗡 <b>Three quests have succeeded. Evil has one last chance.</b>")]
    if isinstance(view.now, ShotNow) and view.now.evil is not None:
        lines += [t("Evil shows itself:"), *(_open_card(t, cast, seat, role) for seat, role in view.now.evil)]
    lines.append(t("Evil may talk it over. The one who holds the dagger names Merlin in a private chat with me."))
    lines.append(t("All others: whom will the dagger hit? Tap to bet; bets are shown afterwards."))
    bets = in_pairs([Button(cast.label(t, seat), Tap(Verb.BET, 0, seat)) for seat in range(view.seats)])
    lines += around_lines(t, cast, around)
    return Screen(t.page(*lines), (*bets, *around_rows(t, around)))


def reminder_screen(t: Translator, cast: Cast, waiting: tuple[int, ...], left: Markup) -> Screen:
    """One message that calls those the table waits for. `left` is the time left, in words."""
    names = t.listing(cast.mention(t, seat) for seat in waiting)
    return Screen(t.page(t("⏰ {names}: the table is waiting for you. {left} left.", names=names, left=left)))


def waiting_screen(t: Translator, left: Markup) -> Screen:
    """The reminder where naming those who are waited for would tell a secret."""
    return Screen(t.page(t("⏰ The table is waiting. {left} left.", left=left)))


def _news(t: Translator, view: PublicView) -> list[str]:
    last = view.last_vote
    if last is None:
        return []
    if last.approved or view.rejections == 0:
        return [Markup("<b>{}</b>").format(quest_line(t, view.quests[-1])), score_line(t, view), ""]
    return [t("⛔ The team was rejected; the crown passes on."), ""]


def _call(t: Translator, view: PublicView, cast: Cast, now: TeamNow) -> Markup:
    leader = cast.mention(t, view.leader)
    if now.quest is None or now.size is None:
        return t("👑 {leader}, choose a quest.", leader=leader)
    quest = {"leader": leader, "number": now.quest}
    if now.without_vote:
        return t.plural(
            "👑 {leader}, choose {count} player for quest {number}. This team goes without a vote!",
            "👑 {leader}, choose {count} players for quest {number}. This team goes without a vote!",
            now.size,
            **quest,
        )
    return t.plural(
        "👑 {leader}, choose {count} player for quest {number}.",
        "👑 {leader}, choose {count} players for quest {number}.",
        now.size,
        **quest,
    )


def _team_rows(t: Translator, cast: Cast, now: TeamNow) -> Rows:
    rows: list[tuple[Button, ...]] = []
    if len(now.open_quests) > 1:
        rows += in_pairs([_quest_button(t, now, number) for number in now.open_quests])
    if now.quest is None:
        return tuple(rows)
    rows += in_pairs([_seat_button(t, cast, now, seat) for seat in range(len(cast.names))])
    if len(now.draft) == now.size:
        team = sum(1 << seat for seat in now.draft)
        rows.append((Button(t("✅ Propose this team"), Tap(Verb.PROPOSE, now.proposal, team), style=Style.SUCCESS),))
    return tuple(rows)


def _quest_button(t: Translator, now: TeamNow, number: int) -> Button:
    chosen = number == now.quest
    label = t("Quest {number}", number=number)
    return Button(f"🔸 {label}" if chosen else label, Tap(Verb.QUEST, now.proposal, number))


def _seat_button(t: Translator, cast: Cast, now: TeamNow, seat: int) -> Button:
    chosen = seat in now.draft
    verb = Verb.UNPICK if chosen else Verb.PICK
    label = cast.label(t, seat)
    return Button(
        f"✔️ {label}" if chosen else label, Tap(verb, now.proposal, seat), style=Style.PRIMARY if chosen else None
    )


def _proposed_screen(t: Translator, view: PublicView, cast: Cast, around: Around, number: int) -> Screen:
    now = view.now
    if isinstance(now, VoteNow) and now.proposal == number:
        leader, team, quest = view.leader, now.team, now.quest
    elif number <= len(view.proposals):
        proposal = view.proposals[number - 1]
        leader, team, quest = proposal.leader, proposal.team, proposal.quest
    else:
        return Screen(t.page(t("👑 {leader} leads.", leader=cast.name(t, view.leader))))
    names = {"leader": cast.name(t, leader), "team": cast.names_of(t, team)}
    if number in around.teams_chosen:
        return Screen(t.page(t("⏩ Chosen in place of {leader} for quest {number}: {team}", number=quest, **names)))
    return Screen(t.page(t("👑 {leader} proposes for quest {number}: {team}", number=quest, **names)))


def _open_vote(t: Translator, view: PublicView, cast: Cast, around: Around, now: VoteNow) -> Screen:
    lines = [
        _vote_head(t, cast, around, now.proposal, now.quest, view.leader),
        t("Team: {team}", team=cast.names_of(t, now.team)),
        *last_chance(t, view),
        "",
        t("Everybody votes; you can change your vote until the last one is in."),
        t("{done} of {all} votes are in. Waiting for {names}.", done=view.seats - len(now.missing), all=view.seats,
          names=cast.names_of(t, now.missing)),
    ]  # fmt: skip
    votes = (
        Button(t("👍 Approve"), Tap(Verb.APPROVE, now.proposal), style=Style.SUCCESS),
        Button(t("👎 Reject"), Tap(Verb.REJECT, now.proposal), style=Style.DANGER),
    )
    lines += around_lines(t, cast, around)
    return Screen(t.page(*lines), (votes, *around_rows(t, around)))


def _vote_head(t: Translator, cast: Cast, around: Around, number: int, quest: int, leader: int) -> Markup:
    name = cast.name(t, leader)
    if number in around.teams_chosen:
        return t("🗳 <b>Quest {number}</b>, chosen in place of {leader}", number=quest, leader=name)
    return t("🗳 <b>Quest {number}</b>, proposed by {leader}", number=quest, leader=name)


def _last_for(view: PublicView, quest: int) -> int:
    return max(proposal.number for proposal in view.proposals if proposal.quest == quest)


def _card_rows(t: Translator, around: Around, now: QuestNow) -> Rows:
    if not around.unreachable:
        return ()
    return (
        (
            Button(t("Play Success"), Tap(Verb.SUCCESS, now.quest)),
            Button(t("Play Fail"), Tap(Verb.FAIL, now.quest, IN_GROUP)),
        ),
    )


def _checked(t: Translator, cast: Cast, check: Check) -> Markup:
    holder = cast.name(t, check.holder)
    if check.examined is None:
        return t("🌊 {holder} keeps the Lady of the Lake for now.", holder=holder)
    examined = cast.name(t, check.examined)
    return t(
        "🌊 {holder} has seen the loyalty of {examined}, who now holds the Lady of the Lake.",
        holder=holder,
        examined=examined,
    )


def _open_card(t: Translator, cast: Cast, seat: int, role: Role) -> Markup:
    return t("{name}: {role}", name=cast.name(t, seat), role=t(words.ROLES[role]))
