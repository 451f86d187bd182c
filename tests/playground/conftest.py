"""Fixtures: a running double, a raw HTTP caller for it, and python-telegram-bot's own Bot pointed at it."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

import aiohttp
import pytest
from telegram import Bot

from tests.telegram_users import Double


class Api(Protocol):
    """Calls a Bot API method with JSON; returns the HTTP status and the body."""

    async def __call__(self, method: str, **params: Any) -> tuple[int, dict[str, Any]]: ...


class Control(Protocol):
    """Posts a control verb; returns the HTTP status and the body."""

    async def __call__(self, verb: str, **params: Any) -> tuple[int, dict[str, Any]]: ...


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def api(double: Double, http: aiohttp.ClientSession) -> Api:
    async def call(method: str, **params: Any) -> tuple[int, dict[str, Any]]:
        async with http.post(f"{double.base_url}42:TEST/{method}", json=params) as response:
            return response.status, await response.json()

    return call


@pytest.fixture
def control(double: Double, http: aiohttp.ClientSession) -> Control:
    async def call(verb: str, **params: Any) -> tuple[int, dict[str, Any]]:
        async with http.post(f"{double.url}control/{verb}", json=params) as response:
            return response.status, await response.json()

    return call


@pytest.fixture
async def bot(double: Double) -> AsyncIterator[Bot]:
    async with Bot("42:TEST", base_url=double.base_url, base_file_url=double.base_file_url) as running:
        yield running
