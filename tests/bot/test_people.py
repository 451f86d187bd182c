"""Who is a member and who is an admin, as Telegram's answers say it, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import Bot, ChatMember, ChatMemberRestricted

from tests.telegram_users import Double
from tgavalon.bot.people import ANONYMOUS_ADMIN, TelegramRoster
from tgavalon.bot.transport import AiohttpRequest
from tgavalon.ui.refusals import Refusal, Refused

RIGHTS = dict.fromkeys(
    (
        *("can_change_info", "can_invite_users", "can_pin_messages", "can_send_messages", "can_send_polls"),
        *("can_send_other_messages", "can_add_web_page_previews", "can_manage_topics", "can_send_audios"),
        *("can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes", "can_send_voice_notes"),
        *("can_edit_tag", "can_react_to_messages"),
    ),
    False,
)


@pytest.fixture
async def bot(double: Double) -> AsyncIterator[Bot]:
    request = AiohttpRequest()
    async with Bot(double.world.token, base_url=double.base_url, request=request, get_updates_request=request) as bot:
        yield bot


async def test_members_admins_and_others(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana", "Ben", "Cho"], kind="supergroup")
    roster, stranger = TelegramRoster(bot), double.person("Zoe")
    double["Cho"].kicked_from(group)
    people = [double["Ana"], double["Ben"], double["Cho"], stranger]
    assert [await roster.is_member(group.id, person.id) for person in people] == [True, True, False, False]
    assert [await roster.is_admin(group.id, person.id) for person in people] == [True, False, False, False]
    assert await roster.is_admin(group.id, ANONYMOUS_ADMIN)


@pytest.mark.parametrize("inside", [True, False])
async def test_somebody_under_restrictions_may_have_left(monkeypatch: pytest.MonkeyPatch, inside: bool) -> None:
    """Telegram goes on calling them restricted (Bot API, ChatMemberRestricted.is_member)."""
    restricted = _restricted(inside)

    async def answer(*_: object) -> ChatMember:
        return restricted

    monkeypatch.setattr(Bot, "get_chat_member", answer)
    assert await TelegramRoster(Bot("42:TEST")).is_member(-100, 7) is inside


def _restricted(inside: bool) -> ChatMemberRestricted:
    raw = {"user": {"id": 7, "is_bot": False, "first_name": "Ana"}, "status": "restricted", "until_date": 0}
    member = ChatMember.de_json(raw | RIGHTS | {"is_member": inside})
    assert isinstance(member, ChatMemberRestricted)
    return member


async def test_whoever_cannot_be_looked_up_is_asked_to_try_again(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    double.fault("getChatMember", code=502)
    with pytest.raises(Refused) as refused:
        await TelegramRoster(bot).is_member(group.id, double["Ana"].id)
    assert refused.value.why is Refusal.BUSY


async def test_a_member_that_telegram_does_not_find_is_none(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    double.fault("getChatMember", code=400, description="Bad Request: member not found")
    assert not await TelegramRoster(bot).is_member(group.id, double["Ana"].id)


async def test_a_group_that_has_moved_is_asked_where_it_is_now(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    old = group.id
    group.migrate()
    assert await TelegramRoster(bot).is_member(old, double["Ana"].id)
