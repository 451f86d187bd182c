"""Log lines are whole, in the asked form, and hold no token wherever it comes from."""

from __future__ import annotations

import io
import json
import logging
import sys
import warnings
from datetime import UTC, datetime

import pytest
from telegram import Bot

from tests.telegram_users import Double
from tgavalon import logs
from tgavalon.bot.transport import AiohttpRequest
from tgavalon.settings import LogFormat, Secret

TOKEN = "123456789:AAEsecret_of-the_bot_0123456789abc"
HALF = TOKEN.partition(":")[2]
OTHER = "555:BBFanother_token_entirely_9876543210"
log = logging.getLogger("tgavalon.test")


@pytest.fixture(autouse=True)
def no_handlers_of_the_test_run() -> None:
    """Keep the handlers of the test run out; they come back afterwards (see conftest.py)."""
    logging.getLogger().handlers.clear()


def listen(level: str = "INFO", log_format: LogFormat = LogFormat.HUMAN, *secrets: str) -> io.StringIO:
    stream = io.StringIO()
    logs.set_up(level, log_format, [Secret(secret) for secret in secrets], stream)
    return stream


def test_a_line_for_people() -> None:
    stream = listen()
    log.info("table %s is open", "Ab3")
    time, level, name, message = stream.getvalue().rstrip("\n").split(maxsplit=4)[1:5]
    assert time.count(":") == 2
    assert (level, name, message) == ("INFO", "tgavalon.test:", "table Ab3 is open")


def test_a_json_line() -> None:
    stream = listen("INFO", LogFormat.JSON)
    try:
        raise ValueError("no such\nseat")
    except ValueError:
        log.exception('a "quoted" word\nand ünicode %d', 7, stack_info=True)
    (line,) = stream.getvalue().splitlines()
    found = json.loads(line)
    assert (found["level"], found["logger"]) == ("ERROR", "tgavalon.test")
    assert found["message"] == 'a "quoted" word\nand ünicode 7'
    assert found["exception"].startswith("Traceback")
    assert found["exception"].endswith("ValueError: no such\nseat")
    assert "test_a_json_line" in found["stack"]
    said = datetime.fromisoformat(found["time"])
    assert said.tzinfo is not None
    assert abs((datetime.now(UTC) - said).total_seconds()) < 60


def test_a_plain_json_line_has_no_empty_fields() -> None:
    stream = listen("INFO", LogFormat.JSON)
    log.info("hello")
    assert json.loads(stream.getvalue()).keys() == {"time", "level", "logger", "message"}


def test_only_the_asked_level_shows() -> None:
    stream = listen("WARNING")
    log.info("one")
    log.warning("two")
    assert "one" not in stream.getvalue()
    assert "two" in stream.getvalue()


def test_a_second_set_up_replaces_the_first() -> None:
    first, second = listen(), listen("INFO", LogFormat.JSON)
    log.info("hello")
    assert first.getvalue() == ""
    assert json.loads(second.getvalue())["message"] == "hello"


def test_lines_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up()
    log.info("hello")
    assert capsys.readouterr().err.endswith("INFO     tgavalon.test: hello\n")


class Url:
    """An object that shows a token only when it is formatted."""

    def __str__(self) -> str:
        return f"https://api.telegram.org/bot{TOKEN}/getMe"

    __repr__ = __str__


def shout(error: Exception) -> None:
    try:
        raise error
    except type(error):
        log.exception("failed")


@pytest.mark.parametrize("log_format", LogFormat)
@pytest.mark.parametrize("secrets", [(), (TOKEN,)])
def test_no_token_shows_wherever_it_comes_from(log_format: LogFormat, secrets: tuple[str, ...]) -> None:
    stream = listen("DEBUG", log_format, *secrets)
    log.info(TOKEN)
    log.info("url %s", Url())
    log.info("%(url)s", {"url": f"https://api.telegram.org/bot{TOKEN}/sendMessage?text=x"})
    log.info("nested %r", {"url": [Url(), OTHER]})
    log.info("quoted %s", TOKEN.replace(":", "%3A"))
    log.warning("does not fit %d %d", Url())
    log.warning("nor %s does this", Url(), OTHER)
    shout(ValueError(TOKEN))
    try:
        try:
            raise KeyError(TOKEN)
        except KeyError as inner:
            raise RuntimeError(f"The token `{OTHER}` was rejected") from inner
    except RuntimeError as error:
        error.add_note(TOKEN)
        log.exception("failed", stack_info=True)
    logging.getLogger("some.library").error("at %s", TOKEN)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(f"deprecated: {TOKEN}", UserWarning, stacklevel=1)
    shown = stream.getvalue()
    assert shown.count("<token>") >= 12
    assert HALF not in shown
    assert OTHER.partition(":")[2] not in shown
    assert "https://api.telegram.org/bot<token>/sendMessage?text=x" in shown


def test_given_secrets_are_hidden_word_for_word_whatever_they_look_like() -> None:
    stream = listen("INFO", LogFormat.HUMAN, "42:TEST", TOKEN, "redis://:pa/55@host")
    log.info("at bot42:TEST/getMe, %s alone, redis://:pa/55@host, redis%%3A%%2F%%2F%%3Apa%%2F55%%40host", HALF)
    shown = stream.getvalue()
    assert shown.count("<token>") == 4
    assert not any(part in shown for part in ("42:TEST", HALF, "pa/55", "pa%2F55"))


def test_times_and_ids_are_no_tokens() -> None:
    stream = listen()
    text = "12:34:56 Ab3Ab3Ab3A:approve:7:0 -1002100000001 2025-11-30T21:54:01+00:00"
    log.info(text)
    assert text in stream.getvalue()


def test_other_handlers_get_the_redacted_record() -> None:
    seen: list[str] = []

    class Elsewhere(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            assert record.exc_info is None  # else it could be formatted afresh
            seen.append(logging.Formatter().format(record))

    logging.getLogger().addHandler(Elsewhere())
    listen()
    shout(ValueError(TOKEN))
    assert "ValueError: <token>" in seen[0]
    assert HALF not in seen[0]


def test_an_uncaught_exception_is_logged_without_token() -> None:
    stream = listen()
    error = RuntimeError(f"The token `{TOKEN}` was rejected")
    sys.excepthook(RuntimeError, error, None)
    assert "CRITICAL" in stream.getvalue()
    assert "RuntimeError: The token `<token>` was rejected" in stream.getvalue()


def test_ctrl_c_is_left_to_python(capsys: pytest.CaptureFixture[str]) -> None:
    stream = listen()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert stream.getvalue() == ""
    assert "KeyboardInterrupt" in capsys.readouterr().err


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "ERROR"])
def test_libraries_are_kept_quiet(level: str) -> None:
    listen(level)
    own = logging.getLevelName(level)
    for name in ("httpx", "httpcore", "aiohttp.access", "aiohttp.client"):
        assert logging.getLogger(name).getEffectiveLevel() == max(own, logging.WARNING)
    assert logging.getLogger("telegram.ext.ExtBot").getEffectiveLevel() == max(own, logging.INFO)


async def test_a_bot_at_work_shows_neither_its_token_nor_what_it_says_at_any_level() -> None:
    stream = listen("DEBUG")
    async with Double(TOKEN) as double:
        ana = double.person("Ana", started=True)
        transport = AiohttpRequest()
        async with Bot(TOKEN, base_url=double.base_url, request=transport, get_updates_request=transport) as bot:
            await bot.send_message(ana.id, "You are Merlin.")
            ana.say(None, "I am Merlin!")
            await bot.get_updates()
    assert len(ana.hears()) == 1
    assert HALF not in stream.getvalue()
    assert "Merlin" not in stream.getvalue()
