"""The table of Bot API methods that the double knows. The api_*.py modules fill it; botapi.py looks calls up in it.

There is no catch-all: a method that is not here is answered with 404, as a real server does with a method it lacks.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tgavalon.playground.params import Params
from tgavalon.playground.world import World

Answerer = Callable[[World, Params], object | Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`params` are all arguments that the method has at Telegram, used or not."""

    name: str
    params: frozenset[str]
    answer: Answerer


ENDPOINTS: dict[str, Endpoint] = {}

SENDING = (
    "business_connection_id chat_id message_thread_id direct_messages_topic_id disable_notification protect_content"
    " allow_paid_broadcast message_effect_id suggested_post_parameters reply_parameters reply_markup"
    " reply_to_message_id allow_sending_without_reply"
)


def endpoint(name: str, params: str = "") -> Callable[[Answerer], Answerer]:
    """Register a function as a method; `params` are separated by spaces."""

    def register(answer: Answerer) -> Answerer:
        ENDPOINTS[name.lower()] = Endpoint(name, frozenset(params.split()), answer)
        return answer

    return register
