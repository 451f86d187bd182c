"""The steps that must happen whole or not at all, as scripts that run inside the server.

Each touches keys of one hash tag only, can be repeated after a lost answer with the same effect, and begins with a
write that a full server refuses, so that nothing is ever half done. What has been done already is written once more
rather than only read: the wait for replicas is for what was written.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua source and the SHA-1 under which the server remembers it."""

    source: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        """Compute the name."""
        digest = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()
        object.__setattr__(self, "sha", digest)


SAVED: Final = b"saved"
CONFLICT: Final = b"conflict"
SIGN_FIRST: Final = b"sign first"

PREPARE: Final = Script("""
-- KEYS table; ARGV version, blob, signpost, writer, due time or '', milliseconds
-- A new table that is not open to the world yet: it vanishes by itself unless it is opened in time.
local writer = redis.call('HGET', KEYS[1], 'writers')
if writer then return writer == ARGV[4] and 1 or 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'blob', ARGV[2], 'signpost', ARGV[3], 'writers', ARGV[4],
  'prepared', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return 1
""")

OPEN: Final = Script("""
-- KEYS table, due, unpainted; ARGV id
-- Open a prepared table to the world. Anybody may do it, any number of times.
local held = redis.call('HMGET', KEYS[1], 'version', 'prepared')
if not held[1] then return 0 end
if not held[2] then
  redis.call('HSET', KEYS[1], 'version', held[1])
  return 1
end
redis.call('ZADD', KEYS[3], held[1], ARGV[1])
if held[2] ~= '' then redis.call('ZADD', KEYS[2], held[2], ARGV[1]) end
redis.call('HDEL', KEYS[1], 'prepared')
redis.call('PERSIST', KEYS[1])
return 1
""")

SAVE: Final = Script("""
-- KEYS table, canvas, due, unpainted
-- ARGV id, expected, version, blob, signpost, writer, due time or '', milliseconds to live or '', '1' once signed
-- `writers` holds the last 32 writers of eight letters each, so that a save whose answer was lost is known again
-- even after others have saved on top of it.
local held = redis.call('HMGET', KEYS[1], 'version', 'signpost', 'writers')
if not held[1] then return {'conflict', ''} end
if string.find(held[3], ARGV[6], 1, true) then
  redis.call('HSET', KEYS[1], 'version', held[1])
  return {'saved', held[2]}
end
if held[1] ~= ARGV[2] then return {'conflict', ''} end
if held[2] ~= ARGV[5] and ARGV[9] == '' then return {'sign first', held[2]} end
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'blob', ARGV[4], 'signpost', ARGV[5],
  'writers', string.sub(held[3] .. ARGV[6], -256))
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
if ARGV[7] == '' then redis.call('ZREM', KEYS[3], ARGV[1]) else redis.call('ZADD', KEYS[3], ARGV[7], ARGV[1]) end
if ARGV[8] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[8])
  redis.call('PEXPIRE', KEYS[2], ARGV[8])
end
return {'saved', held[2]}
""")

CONFIRM: Final = Script("""
-- KEYS table
-- Change nothing, by writing: whoever waits for this waits for all that was written before.
local version = redis.call('HGET', KEYS[1], 'version')
if version then redis.call('HSET', KEYS[1], 'version', version) end
return 1
""")

LEASE: Final = Script("""
-- KEYS lease, table, canvas, spent, unpainted; ARGV worker, milliseconds, version known, id
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return false end
local version = redis.call('HGET', KEYS[2], 'version')
if not version then
  redis.call('ZREM', KEYS[5], ARGV[4])
  return false
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local blob = version ~= ARGV[3] and redis.call('HGET', KEYS[2], 'blob')
return {blob, redis.call('GET', KEYS[3]), redis.call('GET', KEYS[4])}
""")

PAINT: Final = Script("""
-- KEYS table, canvas, unpainted, lease, spent
-- ARGV id, version, blob, '1' when done, worker or '', times spent or '', milliseconds that those are worth knowing
-- The canvas lives as long as its table. A mark newer than the painted version stays.
local holder = ARGV[5] ~= '' and redis.call('GET', KEYS[4])
if holder and holder ~= ARGV[5] then return 'lost' end
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('DEL', KEYS[2], KEYS[4])
  return 'done'
end
redis.call('SET', KEYS[2], ARGV[3])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
if ARGV[6] ~= '' then redis.call('SET', KEYS[5], ARGV[6], 'PX', ARGV[7]) end
if ARGV[4] ~= '1' then return 'behind' end
local mark = redis.call('ZSCORE', KEYS[3], ARGV[1])
if mark and tonumber(mark) <= tonumber(ARGV[2]) then
  redis.call('ZREM', KEYS[3], ARGV[1])
  mark = false
end
if mark or tonumber(redis.call('HGET', KEYS[1], 'version')) > tonumber(ARGV[2]) then return 'behind' end
if holder then redis.call('DEL', KEYS[4]) end
return 'done'
""")

SCRUB: Final = Script("""
-- KEYS table, canvas; ARGV expected, version, blob, signpost, canvas blob held or '', canvas blob
-- Put a scrubbed copy in the place of a table that is no longer open; its screens are not drawn again.
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[5] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'blob', ARGV[3], 'signpost', ARGV[4])
redis.call('SET', KEYS[2], ARGV[6], 'XX', 'KEEPTTL')
return 1
""")

CLAIM: Final = Script("""
-- KEYS place; ARGV id, the holder to be replaced or ''
-- Answers who holds the place afterwards.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[2] and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
""")

RELEASE: Final = Script("""
-- KEYS place; ARGV id
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
""")
