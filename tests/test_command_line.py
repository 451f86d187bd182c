"""A store that cannot be used is one line and exit code 2, and the line shows nothing of the address."""

from __future__ import annotations

from pathlib import Path

import pytest

from tgavalon.__main__ import main


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("redis+sentinel://:hush@host", "redis_url must look like redis+sentinel://user:password@host1:26379,host2"),
        ("redis+sentinel://:hush@127.0.0.1:9/hush", "The Redis at the given URL does not answer"),
        ("redis://:hush@127.0.0.1:9", "The Redis at the given URL does not answer"),
        ("redis://:hush@host:hush", "redis_url is malformed"),
        ("redis+sentinel://:hush@host/hush?hush=1", "redis_url is malformed"),
    ],
)
def test_a_store_that_cannot_be_used(
    url: str, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("TGAVALON_CONFIG", "TGAVALON_REDIS_URL", "TGAVALON_REDIS_REPLICAS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TGAVALON_TOKEN", "123456789:AAE" + "x" * 32)
    monkeypatch.setenv("REDIS_URL", url)
    assert main(["run", "--data-dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"tgavalon: {line}")
    assert said.count("\n") == 1
    assert "hush" not in said
