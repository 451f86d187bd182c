"""Why a tap or a command is refused, in words for the person who did it: one sentence for every reason there is."""

from __future__ import annotations

from enum import StrEnum

from tgavalon.core.reasons import Reason
from tgavalon.ui.catalogue import Translator, mark, plain


class Refusal(StrEnum):
    """Why a table, rather than the rules of the game, refuses something."""

    NO_TABLE = "no_table"
    TABLE_EXISTS = "table_exists"
    TABLE_GONE = "table_gone"
    TABLE_FULL = "table_full"
    OLD_BUTTON = "old_button"
    ALREADY_SEATED = "already_seated"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_SEATED = "not_seated"
    IN_NO_GAME = "in_no_game"
    NOT_HOST = "not_host"
    NOT_ADMIN = "not_admin"
    NOT_READY = "not_ready"
    NOT_OVER = "not_over"
    NOT_MEMBER = "not_member"
    ANONYMOUS = "anonymous"
    SEAT_TAKEN = "seat_taken"
    SEEN_A_CARD = "seen_a_card"
    BET_NOT_FOR_EVIL = "bet_not_for_evil"
    KICK_WHOM = "kick_whom"
    WORDS_ONLY = "words_only"
    ONLY_IN_GROUP = "only_in_group"
    ONLY_IN_PRIVATE = "only_in_private"
    NO_RECORD = "no_record"
    BAD_LINK = "bad_link"
    TOO_FAST = "too_fast"
    BUSY = "busy"


class Refused(Exception):
    """A refusal on its way to the person. The text is the code alone, so that it can be logged."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.value)
        self.why = why


SENTENCES: dict[Refusal | Reason, str] = {
    Refusal.NO_TABLE: mark("There is no table here. Open one with /newgame."),
    Refusal.TABLE_EXISTS: mark("There is already a table here. I have brought it down for you."),
    Refusal.TABLE_GONE: mark("This table is closed. Open a new one with /newgame."),
    Refusal.TABLE_FULL: mark("All ten seats are taken."),
    Refusal.OLD_BUTTON: mark("That button is from an earlier moment. Use those of my newest message."),
    Refusal.ALREADY_SEATED: mark("You are already at the table."),
    Refusal.ALREADY_STARTED: mark("That is only possible before the game begins."),
    Refusal.NOT_STARTED: mark("The game has not begun yet."),
    Refusal.NOT_SEATED: mark("You are not at this table."),
    Refusal.IN_NO_GAME: mark("You are in no game now."),
    Refusal.NOT_HOST: mark("Only the host or a group admin can do that."),
    Refusal.NOT_ADMIN: mark("Only a group admin can do that."),
    Refusal.NOT_READY: mark("Somebody still has to press Start in a private chat with me."),
    Refusal.NOT_OVER: mark("That comes when the game is over."),
    Refusal.NOT_MEMBER: mark("Only members of the group can sit at its table."),
    Refusal.ANONYMOUS: mark("You are posting as the group. Tap Join on the table: I can see who taps."),
    Refusal.SEAT_TAKEN: mark("That seat is taken."),
    Refusal.SEEN_A_CARD: mark("You have already had a role in this game, so you cannot take another seat."),
    Refusal.BET_NOT_FOR_EVIL: mark(
        "Evil does not bet. Whoever holds the dagger names Merlin in a private chat with me."
    ),
    Refusal.KICK_WHOM: mark("Say which seat, for example /kick 3."),
    Refusal.WORDS_ONLY: mark("I understand buttons and commands only: /help."),
    Refusal.ONLY_IN_GROUP: mark("This command works in a group."),
    Refusal.ONLY_IN_PRIVATE: mark("This command works in a private chat with me."),
    Refusal.NO_RECORD: mark("No game has been finished here yet."),
    Refusal.BAD_LINK: mark("That link does not lead to an open table. Tap Join in your group once more."),
    Refusal.TOO_FAST: mark("That was a lot of taps. Give me a few seconds."),
    Refusal.BUSY: mark("That did not work just now. Nothing has changed: please tap again."),
    Reason.GAME_OVER: mark("The game is over."),
    Reason.NO_SUCH_SEAT: mark("There is no such seat."),
    Reason.NOT_PROPOSING: mark("The team has already been proposed."),
    Reason.NOT_LEADER: mark("Only the leader chooses the quest and the team."),
    Reason.PROPOSAL_IS_OVER: mark("That team is history. Use the buttons of my newest message."),
    Reason.WRONG_TEAM_SIZE: mark("The team does not have the right number of players yet."),
    Reason.TEAM_IS_FULL: mark("The team is full. Take somebody off first."),
    Reason.DUPLICATE_MEMBER: mark("Nobody can be on the team twice."),
    Reason.NO_SUCH_QUEST: mark("There is no such quest."),
    Reason.QUEST_OUT_OF_ORDER: mark("The quests are played in order."),
    Reason.QUEST_ALREADY_PLAYED: mark("That quest has been played."),
    Reason.QUEST_LOCKED: mark("Quest 5 is not open yet."),
    Reason.QUEST_NOT_CHOSEN: mark("Choose the quest first."),
    Reason.NO_VOTE_NOW: mark("There is no vote now."),
    Reason.VOTE_IS_OVER: mark("This vote is over."),
    Reason.VOTES_MISSING: mark("Not everybody has voted."),
    Reason.NO_QUEST_NOW: mark("No team is on a quest now."),
    Reason.QUEST_IS_OVER: mark("This quest is over."),
    Reason.NOT_ON_TEAM: mark("You are not on this quest."),
    Reason.CARD_ALREADY_PLAYED: mark("Your card is already in."),
    Reason.CARDS_MISSING: mark("Not all cards are in."),
    Reason.GOOD_CANNOT_FAIL: mark("Good players can only play Success."),
    Reason.NO_LADY_NOW: mark("The Lady of the Lake is not asked now."),
    Reason.NOT_LADY: mark("Only the holder of the Lady of the Lake chooses."),
    Reason.LADY_SELF: mark("The holder cannot examine themselves."),
    Reason.LADY_IMMUNE: mark("The Lady of the Lake cannot examine this player."),
    Reason.LADY_MUST_EXAMINE: mark("The Lady of the Lake must examine somebody."),
    Reason.NO_SHOT_NOW: mark("It is not the time to name Merlin."),
    Reason.NOT_ASSASSIN: mark("Only the one who holds the dagger names Merlin."),
    Reason.SHOT_SELF: mark("You cannot name yourself."),
    Reason.MOMENT_IS_OVER: mark("That moment has passed."),
    Reason.TOO_FEW_PLAYERS: mark("Avalon needs at least five players."),
    Reason.TOO_MANY_PLAYERS: mark("Avalon takes at most ten players."),
    Reason.TOO_MANY_EVIL_ROLES: mark("With the Assassin there are more evil roles than evil seats: switch some off."),
    Reason.ROLES_DO_NOT_FIT: mark("These roles do not fit the number of players."),
    Reason.DUPLICATE_ROLE: mark("A special role can be dealt only once."),
    Reason.MORGANA_NEEDS_PERCIVAL: mark("Morgana needs Percival: add him too."),
    Reason.DAGGER_NEEDS_ROLE: mark(
        "The role that holds the dagger is not in play: add it, or give the dagger to another."
    ),
    Reason.DAGGER_NOT_EVIL: mark("Only an evil player can hold the dagger."),
    Reason.NO_DAGGER: mark("Nobody holds the dagger."),
    Reason.LADY_NOT_ALLOWED: mark("With so few players these rules have no Lady of the Lake: switch her off."),
    Reason.NOT_IN_PRESET: mark("These rules do not have that choice."),
}


def sentence(t: Translator, why: Refusal | Reason) -> str:
    """The refusal as plain text for a toast or a message."""
    return plain(t(SENTENCES[why]))
