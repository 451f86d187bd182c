"""One precedence for all settings, one clear line for each mistake, and nothing secret on show."""

from __future__ import annotations

import sys
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from tgavalon.settings import OFFICIAL_API, VARIABLES, LogFormat, Secret, SettingError, Settings, load
from tgavalon.store.redis_store import RedisStore

TOKEN = "123456789:AAE" + "x" * 32
OTHER = "987654321:AAF" + "y" * 32


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def complaint(flags: dict[str, str | None], environ: dict[str, str]) -> str:
    with pytest.raises(SettingError) as caught:
        load(flags, environ)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


def test_with_nothing_set_all_but_the_token_has_a_value(home: Path) -> None:
    settings = load({}, {})
    assert settings == Settings(data_dir=home / ".local/share/tgavalon")
    assert settings.api_url == "https://api.telegram.org"
    assert (settings.log_level, settings.log_format) == ("INFO", LogFormat.HUMAN)
    assert settings.redis_url is None
    with pytest.raises(SettingError, match=r"^No bot token: set TGAVALON_TOKEN to the token that @BotFather gave you"):
        settings.bot_token()


def test_every_setting_has_a_variable() -> None:
    assert {field.name for field in fields(Settings)} == set(VARIABLES)


VALUES: dict[str, tuple[str, str, str]] = {
    "api_url": ("https://one.example", "https://two.example", "https://three.example"),
    "redis_url": ("redis://one", "rediss://two", "unix:///three"),
    "data_dir": ("/one", "/two", "/three"),
    "log_level": ("DEBUG", "WARNING", "ERROR"),
    "log_format": ("json", "human", "json"),
    "token": (TOKEN, OTHER, TOKEN),
}


@pytest.mark.parametrize("name", VALUES)
def test_flags_win_over_the_environment_and_that_over_the_file(name: str, tmp_path: Path) -> None:
    flag, variable, stored = VALUES[name]
    config = write(tmp_path / "tgavalon.toml", f'{name} = "{stored}"\n')
    in_file = {"TGAVALON_CONFIG": config}
    everywhere = in_file | {VARIABLES[name][0]: variable}

    def got(flags: dict[str, str | None], environ: dict[str, str]) -> str:
        value = getattr(load(flags, environ), name)
        return value.reveal() if isinstance(value, Secret) else str(value)

    assert got({name: flag}, everywhere) == flag
    assert got({name: None}, everywhere) == variable
    assert got({name: ""}, in_file | {VARIABLES[name][0]: ""}) == stored
    assert got({name: None, "config": config}, {}) == stored


def test_the_config_flag_wins_over_its_variable(tmp_path: Path) -> None:
    one = write(tmp_path / "one.toml", 'log_level = "DEBUG"')
    two = write(tmp_path / "two.toml", 'log_level = "ERROR"')
    assert load({"config": one}, {"TGAVALON_CONFIG": two}).log_level == "DEBUG"


def test_the_usual_redis_variable_serves_where_our_own_is_not_set() -> None:
    assert load({}, {"REDIS_URL": "redis://usual"}).redis_url == "redis://usual"
    assert load({}, {"REDIS_URL": "redis://usual", "TGAVALON_REDIS_URL": "redis://own"}).redis_url == "redis://own"


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://one/table",
        "redis+sentinel://:pa55%2Fword@one:26379,two,[::1]:26380/table/3",
        "rediss+sentinel://user:pa55word@one,two/table?sentinel_password=pa55word&ssl_ca_certs=/ca.pem",
    ],
)
def test_a_server_may_be_found_by_its_sentinels(url: str) -> None:
    settings = load({"redis_replicas": "1"}, {"REDIS_URL": url})
    assert (settings.redis_url, settings.redis_replicas) == (url, 1)
    assert "pa55" not in repr(settings)
    RedisStore(url)


def test_a_token_file_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "token", f"\n  {TOKEN}\n")
    settings = load({}, {"TGAVALON_TOKEN_FILE": file})
    assert settings.bot_token() == Secret(TOKEN)
    assert settings.token_file == Path(file)


def test_a_token_file_in_the_flags_wins_over_a_token_in_the_environment(tmp_path: Path) -> None:
    file = write(tmp_path / "token", OTHER)
    assert load({"token_file": file}, {"TGAVALON_TOKEN": TOKEN}).bot_token().reveal() == OTHER
    assert load({"token": TOKEN}, {"TGAVALON_TOKEN_FILE": file}).bot_token().reveal() == TOKEN


def test_token_and_token_file_at_once_are_too_much(tmp_path: Path) -> None:
    file = write(tmp_path / "token", OTHER)
    text = complaint({}, {"TGAVALON_TOKEN": TOKEN, "TGAVALON_TOKEN_FILE": file})
    assert text.startswith("Both a token and a token file are set")


@pytest.mark.parametrize(
    "token",
    ["", "hello", "123456789", "123456789:short", f"bot{TOKEN}", f"{TOKEN} {TOKEN}", TOKEN + "é", "12:" + "x" * 35],
)
def test_a_malformed_token_is_refused_without_showing_it(token: str, tmp_path: Path) -> None:
    file = write(tmp_path / "token", token)
    text = complaint({}, {"TGAVALON_TOKEN_FILE": file})
    assert text == f"The bot token in {file} is malformed: it looks like 123456789:AAE…, copy it whole from @BotFather"
    if token:
        text = complaint({}, {"TGAVALON_TOKEN": token})
        assert text == "The bot token is malformed: it looks like 123456789:AAE…, copy it whole from @BotFather"


def test_a_server_of_our_own_may_have_short_tokens() -> None:
    environ = {"TGAVALON_TOKEN": "42:TEST", "TGAVALON_API_URL": "http://127.0.0.1:8081/"}
    settings = load({}, environ)
    assert settings.bot_token().reveal() == "42:TEST"
    assert settings.api_url == "http://127.0.0.1:8081"
    complaint({}, environ | {"TGAVALON_TOKEN": "42:"})
    complaint({}, environ | {"TGAVALON_API_URL": OFFICIAL_API + "/"})


def test_a_token_file_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert complaint({}, {"TGAVALON_TOKEN_FILE": str(missing)}) == (
        f"The token file {missing} cannot be read: No such file or directory"
    )
    assert complaint({}, {"TGAVALON_TOKEN_FILE": str(tmp_path)}) == (
        f"The token file {tmp_path} cannot be read: Is a directory"
    )
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "it is not text" in complaint({}, {"TGAVALON_TOKEN_FILE": str(binary)})


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("log_level", "LOUD", "log_level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'"),
        ("log_format", "xml", "log_format must be one of human, json, not 'xml'"),
        ("api_url", "api.telegram.org", "api_url must look like"),
        ("api_url", "ftp://api.telegram.org", "api_url must look like"),
        ("api_url", "http://", "api_url must look like"),
        ("api_url", "http://host:99999", "api_url must look like"),
        ("api_url", "http://[::1", "api_url must look like"),
        ("api_url", "http://me:pw@host", "api_url must look like"),
        ("api_url", "http://host/?q=1", "api_url must look like"),
        ("api_url", "http://ho st", "api_url must look like"),
        ("redis_url", "localhost:6379", "redis_url must begin with redis://"),
        ("redis_url", "http://:pa55word@host", "redis_url must begin with redis://"),
        ("redis_url", "redis+sentinel://:pa55word@host", "redis_url must look like redis+sentinel://user:password@"),
        ("redis_url", "redis+sentinel://:pa55word@host,/name", "redis_url must look like redis+sentinel://"),
        ("redis_url", "redis+sentinel://:pa55word@host:port/name", "redis_url must look like redis+sentinel://"),
        ("redis_url", "redis+sentinel://:pa55word@host/name/db", "redis_url must look like redis+sentinel://"),
        ("redis_replicas", "one", "redis_replicas must be a number from 0 to 9, not 'one'"),
        ("redis_replicas", "-1", "redis_replicas must be a number from 0 to 9"),
        ("redis_replicas", "1", "redis_replicas needs redis_url"),
    ],
)
def test_a_wrong_value_says_what_would_be_right(name: str, value: str, part: str) -> None:
    text = complaint({}, {VARIABLES[name][0]: value})
    assert text.startswith(part)
    assert "pa55word" not in text


def test_values_forgive_case_and_slashes() -> None:
    settings = load({}, {"TGAVALON_LOG_LEVEL": "debug", "TGAVALON_LOG_FORMAT": "JSON"})
    assert (settings.log_level, settings.log_format) == ("DEBUG", LogFormat.JSON)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("api_url = ", "is not valid TOML"),
        ("tokken = 'x'", "has an unknown setting 'tokken'; known are token, token_file"),
        ("log_level = 3", "log_level must be a text in quotes"),
        ("[token]\nvalue = 'x'", "token must be a text in quotes"),
    ],
)
def test_a_configuration_file_with_a_mistake(tmp_path: Path, text: str, part: str) -> None:
    config = write(tmp_path / "tgavalon.toml", text)
    found = complaint({"config": config}, {})
    assert config in found
    assert part in found


def test_a_configuration_file_that_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert complaint({"config": str(missing)}, {}) == (
        f"The configuration file {missing} cannot be read: No such file or directory"
    )
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "is not valid TOML" in complaint({"config": str(binary)}, {})


def test_paths_may_begin_with_a_tilde(home: Path) -> None:
    write(home / "token", TOKEN)
    write(home / "tgavalon.toml", 'data_dir = "~/games"\ntoken_file = "~/token"')
    settings = load({"config": "~/tgavalon.toml"}, {})
    assert settings.data_dir == home / "games"
    assert settings.bot_token().reveal() == TOKEN


def test_a_relative_data_directory_is_meant_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert load({"data_dir": "games"}, {}).data_dir == tmp_path / "games"


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/xdg"}, "/xdg/tgavalon"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "{home}/.local/share/tgavalon"),
        ("linux", {"LOCALAPPDATA": "/local"}, "{home}/.local/share/tgavalon"),
        ("darwin", {}, "{home}/Library/Application Support/tgavalon"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/tgavalon"),
    ],
)
def test_the_data_directory_is_where_the_platform_has_it(
    monkeypatch: pytest.MonkeyPatch, home: Path, platform: str, environ: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert load({}, environ).data_dir == Path(expected.format(home=home))


def test_without_a_home_a_data_directory_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    assert complaint({}, {}) == "There is no home directory: set TGAVALON_DATA_DIR to a directory for the data"
    assert load({"data_dir": "/data"}, {}).data_dir == Path("/data")


def test_no_secret_shows() -> None:
    settings = load({}, {"TGAVALON_TOKEN": TOKEN, "REDIS_URL": "redis://:pa55word@host"})
    shown = f"{settings} {settings!r} {settings.token} {settings.token!r}"
    assert TOKEN[10:] not in shown
    assert "pa55word" not in shown
    assert settings.bot_token().reveal() == TOKEN


def test_secrets_compare_by_what_they_hide() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a"), Secret("b")}) == 2


def test_settings_cannot_be_changed() -> None:
    settings = load({}, {})
    with pytest.raises(FrozenInstanceError):
        settings.log_level = "DEBUG"  # type: ignore[misc]
