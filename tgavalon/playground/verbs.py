"""The control verbs, one small function each: a JSON object in, a JSON value out. `Nonsense` is the caller's fault."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tgavalon.playground import groups, people
from tgavalon.playground.faults import Fault
from tgavalon.playground.model import Chat, Nonsense, User
from tgavalon.playground.puppets import DEFAULT_PACE
from tgavalon.playground.state import chat_state, message_state, state_json, user_state

if TYPE_CHECKING:
    from tgavalon.playground.double import Double

T = TypeVar("T")
MISSING: Any = object()


class Request:
    """The arguments of one verb; wrong types and missing ones raise Nonsense by name."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def get(self, name: str, kind: type[T], default: Any = MISSING) -> T:
        value = self.values.get(name)
        if value is None:
            if default is MISSING:
                raise Nonsense(f"{name} is missing")
            return default  # type: ignore[no-any-return]  # the caller's own default
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise Nonsense(f"{name} must be {kind.__name__}")
        return value


Verb = Callable[["Double", Request], object]
VERBS: dict[str, Verb] = {}


def verb(function: Verb) -> Verb:
    VERBS[function.__name__.rstrip("_")] = function
    return function


def _user(double: "Double", request: Request, name: str = "user") -> User:
    user = double.world.users.get(request.get(name, int))
    if user is None:
        raise Nonsense(f"no {name} {request.values[name]}")
    return user


def _chat(double: "Double", request: Request) -> Chat:
    chat = double.world.chats.get(request.get("chat", int))
    if chat is None:
        raise Nonsense(f"no chat {request.values['chat']}")
    return chat


def _group(double: "Double", request: Request) -> Chat:
    chat = _chat(double, request)
    if chat.is_private:
        raise Nonsense("not a group")
    return chat


@verb
def user(double: "Double", request: Request) -> object:
    found = people.add_user(
        double.world,
        request.get("first_name", str),
        request.get("last_name", str, ""),
        request.get("username", str, ""),
        request.get("language_code", str, ""),
        request.get("id", int, None),
    )
    return user_state(found)


@verb
def rename(double: "Double", request: Request) -> object:
    who = _user(double, request)
    people.rename(double.world, who, request.get("first_name", str), request.get("last_name", str, ""))
    return user_state(who)


@verb
def group(double: "Double", request: Request) -> object:
    members = request.get("members", list, [])
    creator = _user(double, request, "creator").id
    if unknown := [member for member in members if member not in double.world.users]:
        raise Nonsense(f"no user {unknown[0]}")
    kind = request.get("type", str, "group")
    if kind not in ("group", "supergroup"):
        raise Nonsense("type must be group or supergroup")
    chat = groups.add_group(
        double.world,
        request.get("title", str),
        "group" if kind == "group" else "supergroup",
        members,
        creator,
        with_bot=request.get("with_bot", bool, True),
        forum=request.get("forum", bool, False),
        username=request.get("username", str, ""),
    )
    return chat_state(double.world, chat)


@verb
def topic(double: "Double", request: Request) -> object:
    return {"id": groups.add_topic(double.world, _group(double, request), request.get("name", str))}


@verb
def say(double: "Double", request: Request) -> object:
    message = people.say(
        double.world,
        _user(double, request),
        _chat(double, request),
        request.get("text", str),
        topic=request.get("topic", int, None),
        anonymous=request.get("anonymous", bool, False),
        reply_to=request.get("reply_to", int, None),
    )
    return message_state(double.world, message)


@verb
def press(double: "Double", request: Request) -> object:
    who, chat = _user(double, request), _chat(double, request)
    made = people.press(double.world, who, chat, request.get("message_id", int), request.get("data", str))
    return {"query": made.query}


@verb
def start(double: "Double", request: Request) -> object:
    message = people.start(double.world, _user(double, request), request.get("payload", str, ""))
    return message_state(double.world, message)


@verb
def open_(double: "Double", request: Request) -> object:
    who = _user(double, request)
    chat = _chat(double, request) if "chat" in request.values else None
    message = groups.open_link(double.world, who, request.get("url", str), chat)
    return message_state(double.world, message) if message else None


@verb
def block(double: "Double", request: Request) -> None:
    people.block(double.world, _user(double, request))


@verb
def unblock(double: "Double", request: Request) -> None:
    people.unblock(double.world, _user(double, request))


@verb
def deactivate(double: "Double", request: Request) -> None:
    people.deactivate(double.world, _user(double, request))


@verb
def join(double: "Double", request: Request) -> None:
    groups.join(double.world, _user(double, request), _group(double, request))


@verb
def leave(double: "Double", request: Request) -> None:
    groups.leave(double.world, _user(double, request), _group(double, request))


@verb
def kick(double: "Double", request: Request) -> None:
    groups.kick(double.world, _user(double, request), _group(double, request))


@verb
def promote(double: "Double", request: Request) -> None:
    groups.set_rank(double.world, _user(double, request), _group(double, request), "administrator")


@verb
def demote(double: "Double", request: Request) -> None:
    groups.set_rank(double.world, _user(double, request), _group(double, request), "member")


@verb
def add_bot(double: "Double", request: Request) -> None:
    groups.add_bot(double.world, _group(double, request), _user(double, request, "by"))


@verb
def remove_bot(double: "Double", request: Request) -> None:
    groups.remove_bot(double.world, _group(double, request), _user(double, request, "by"))


@verb
def promote_bot(double: "Double", request: Request) -> None:
    groups.promote_bot(double.world, _group(double, request), _user(double, request, "by"))


@verb
def demote_bot(double: "Double", request: Request) -> None:
    groups.demote_bot(double.world, _group(double, request), _user(double, request, "by"))


@verb
def restrict_bot(double: "Double", request: Request) -> None:
    chat = _group(double, request)
    by = groups.creator_of(double.world, chat)
    groups.restrict_bot(double.world, chat, by, can_send=request.get("can_send", bool))


@verb
def migrate(double: "Double", request: Request) -> object:
    return {"chat": groups.migrate(double.world, _group(double, request)).id}


@verb
def delete_message(double: "Double", request: Request) -> None:
    chat, message_id = _chat(double, request), request.get("message_id", int)
    if message_id not in chat.messages:
        raise Nonsense("MESSAGE_ID_INVALID")
    double.world.delete(chat, message_id)


@verb
def delete_group(double: "Double", request: Request) -> None:
    groups.delete_group(double.world, _group(double, request))


@verb
def fault(double: "Double", request: Request) -> None:
    drop = request.get("drop", str, "")
    if drop not in ("", "before", "after"):
        raise Nonsense("drop must be before or after")
    ordered = Fault(
        method=request.get("method", str, "*"),
        times=request.get("times", int, 1),
        code=request.get("code", int, None),
        description=request.get("description", str, ""),
        parameters=request.get("parameters", dict, {}),
        delay=request.get("delay", float, 0.0),
        drop="before" if drop == "before" else "after" if drop == "after" else "",
        chat=request.get("chat", int, None),
    )
    double.world.faults.order(ordered)


@verb
def clear_faults(double: "Double", _request: Request) -> None:
    double.world.faults.clear()


@verb
def limits(double: "Double", request: Request) -> None:
    double.world.limits.on = request.get("on", bool)


@verb
def clock(double: "Double", request: Request) -> object:
    seconds = request.get("advance", float)
    if seconds < 0:
        raise Nonsense("the clock only turns forward")
    double.world.clock.advance(seconds)
    return {"now": double.world.clock.now()}


@verb
def autoplay(double: "Double", request: Request) -> object:
    pace = request.get("pace", float, DEFAULT_PACE)
    double.puppets.set(request.get("users", list), on=request.get("on", bool), pace=pace)
    return double.puppets.users


@verb
def state(double: "Double", _request: Request) -> object:
    return state_json(double.world, double.puppets.users)


@verb
def calls(double: "Double", request: Request) -> object:
    since = request.get("since", int, 0)
    return [call.shown() for call in double.world.journal.calls if call.n > since]


@verb
def undelivered(double: "Double", _request: Request) -> object:
    return len(double.world.updates.pending())
