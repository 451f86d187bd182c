"""`tgavalon doctor` against the double: each trouble is one line that says what to do, and health is exit code 0."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from tests.store.cluster import cluster
from tests.store.replicas import PASSWORD, pair, watch, watched_by
from tests.telegram_users import Double
from tgavalon import doctor, settings
from tgavalon.__main__ import main
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.server_program import find_server

WELL = {"token", "updates", "privacy mode", "groups", "clock", "store", "persistence", "languages"}


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as double:
        yield double
    double.assert_well_behaved()


class Patient:
    """A bot's settings, to be made ill."""

    def __init__(self, double: Double, folder: Path) -> None:
        self.flags = {"token": TEST_TOKEN, "api_url": double.url, "data_dir": str(folder)}

    async def findings(self, chat: int | None = None, **more: str) -> dict[str, doctor.Finding]:
        chosen = settings.load(self.flags | more, {})
        return {finding.what: finding async for finding in doctor.examine(chosen, chat)}

    async def ills(self, chat: int | None = None, **more: str) -> dict[str, str]:
        """What is to be done, by what was looked at."""
        return {what: found.line() for what, found in (await self.findings(chat, **more)).items() if not found.is_well}


@pytest.fixture
def patient(double: Double, tmp_path: Path) -> Patient:
    return Patient(double, tmp_path)


async def test_a_healthy_bot(patient: Patient) -> None:
    findings = await patient.findings()
    assert set(findings) == WELL
    assert [found.line() for found in findings.values() if not found.is_well] == []
    assert "@avalon_bot" in findings["token"].state
    assert all("\n" not in found.line() and TEST_TOKEN not in found.line() for found in findings.values())


async def test_an_unknown_token(patient: Patient) -> None:
    ills = await patient.ills(token="43:OTHER")
    assert set(ills) == {"token"}
    assert "@BotFather" in ills["token"]


async def test_telegram_out_of_reach(patient: Patient) -> None:
    assert set(await patient.ills(api_url="http://127.0.0.1:9")) == {"Telegram", "clock"}


async def test_a_webhook_where_the_bot_polls(double: Double, patient: Patient) -> None:
    await _set_webhook(double, "https://other.example/hook")
    assert "takes it away" in (await patient.ills())["updates"]


async def test_a_webhook_that_is_not_registered(double: Double, patient: Patient) -> None:
    wanted = "https://bot.example/telegram"
    assert "none is registered" in (await patient.ills(webhook=wanted))["updates"]
    await _set_webhook(double, "https://other.example/hook")
    assert "another one is registered" in (await patient.ills(webhook=wanted))["updates"]
    await _set_webhook(double, wanted)
    assert await patient.ills(webhook=wanted) == {}


async def test_a_webhook_that_telegram_cannot_reach(double: Double, patient: Patient) -> None:
    wanted = "https://bot.example/telegram"
    await _set_webhook(double, wanted)
    hook = double.world.webhook
    assert hook is not None
    hook.last_error, hook.last_error_date = "Connection refused", double.world.clock.date()
    assert "could not deliver" in (await patient.ills(webhook=wanted))["updates"]


async def _set_webhook(double: Double, url: str) -> None:
    method = f"{double.base_url}{TEST_TOKEN}/setWebhook"
    async with aiohttp.ClientSession() as session, session.post(method, data={"url": url}) as answer:
        assert answer.status == 200


async def test_privacy_mode_off(double: Double, patient: Patient) -> None:
    double.world.privacy = False
    assert "/setprivacy" in (await patient.ills())["privacy mode"]


async def test_rights_in_a_chat(double: Double, patient: Patient) -> None:
    group = double.group("Friends", ["Ana", "Ben"], kind="supergroup")
    name = f"chat {group.id}"
    assert "may write" in (await patient.findings(group.id))[name].state
    group.restrict_bot(can_send=False)
    assert "let it send" in (await patient.ills(group.id))[name]
    group.remove_bot(double["Ana"])
    assert "add" in (await patient.ills(group.id))[name]
    assert "check the number" in (await patient.ills(-100999))["chat -100999"]


async def test_a_store_that_does_not_answer(patient: Patient) -> None:
    ills = await patient.ills(redis_url="redis://:secret@127.0.0.1:9")
    assert set(ills) == {"store"}
    assert "secret" not in ills["store"]


async def test_a_store_that_keeps_nothing(patient: Patient, valkey_url: str) -> None:
    assert "appendonly yes" in (await patient.ills(redis_url=valkey_url))["persistence"]


async def test_replicas_and_sentinels(patient: Patient) -> None:
    program = await find_server()
    async with pair(program) as (master, replica), watch(program, master, replica) as sentinels:
        url = watched_by(sentinels)
        assert "TGAVALON_REDIS_REPLICAS" in (await patient.ills(redis_url=url))["replicas"]
        well = await patient.findings(redis_url=url, redis_replicas="1")
        assert {what for what, found in well.items() if found.is_well} == WELL | {"replicas"}
        ills = await patient.ills(redis_url=url, redis_replicas="2")
        assert ills["replicas"].startswith("!!  replicas: 1 in touch, 2 wanted: nothing can be saved")
        assert all(PASSWORD not in found.line() for found in well.values())
    ills = await patient.ills(redis_url=url)
    assert set(ills) == {"store"}
    assert "MasterNotFoundError" in ills["store"]


async def test_replicas_in_a_cluster(patient: Patient) -> None:
    async with cluster(await find_server(), nodes=1) as url:
        assert "not for a cluster" in (await patient.ills(redis_url=url, redis_replicas="1"))["store"]


async def test_the_store_of_a_bot_at_work_is_looked_at_as_it_is(patient: Patient, tmp_path: Path) -> None:
    async with EmbeddedServer(tmp_path):
        assert await patient.ills() == {}


@contextlib.asynccontextmanager
async def server_of_another_day() -> AsyncIterator[str]:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(headers={"Date": "Thu, 01 Jan 2026 00:00:00 GMT"})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_a_clock_that_is_wrong(patient: Patient) -> None:
    async with server_of_another_day() as url:
        assert "NTP" in (await patient.ills(api_url=url))["clock"]


async def test_the_command_line(
    patient: Patient, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(TEST_TOKEN)
    for name in ("TGAVALON_TOKEN", "TGAVALON_CONFIG", "TGAVALON_REDIS_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    arguments = [f"--api-url={patient.flags['api_url']}", f"--token-file={tmp_path / 'token'}"]
    arguments.append(f"--data-dir={tmp_path / 'data'}")
    assert await asyncio.to_thread(main, ["doctor", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(WELL)
    assert all(line.startswith("ok  ") for line in lines)
    assert await asyncio.to_thread(main, ["doctor", *arguments, "--chat", "-100999"]) == 1
    assert "!!  chat -100999" in capsys.readouterr().out
