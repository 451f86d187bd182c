"""Faults on order: an error instead of an answer, a slow answer, a connection lost before or after the effect.

It decides nothing about when a call fails by itself; that is the rest of the double.
"""

from dataclasses import dataclass, field
from typing import Literal

from tgavalon.playground.refusals import RESTART, Refusal, flood

_USUAL = {
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    500: RESTART,
    502: "Bad Gateway",
}


@dataclass(slots=True)
class Fault:
    """`code`: refuse with it. `delay`: seconds until the answer leaves; the effect is at once. `drop`: lose the
    connection before or after the effect. `times`: how many calls are struck. `chat`: only calls with this chat_id."""

    method: str = "*"
    times: int = 1
    code: int | None = None
    description: str = ""
    parameters: dict[str, int] = field(default_factory=dict)
    delay: float = 0.0
    drop: Literal["", "before", "after"] = ""
    chat: int | None = None

    def refusal(self) -> Refusal | None:
        if self.code is None:
            return None
        if self.code == 429:
            return flood(self.parameters.get("retry_after", 1))
        description = self.description or _USUAL.get(self.code, "Bad Request")
        return Refusal(self.code, description, self.parameters)


class Faults:
    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, fault: Fault) -> None:
        self._ordered.append(fault)

    def clear(self) -> None:
        self._ordered.clear()

    def strike(self, method: str, chat_id: str) -> Fault | None:
        """The fault that hits this call, if any; the oldest order goes first."""
        for fault in self._ordered:
            right_method = fault.method == "*" or fault.method.lower() == method.lower()
            if right_method and (fault.chat is None or str(fault.chat) == chat_id):
                fault.times -= 1
                if fault.times <= 0:
                    self._ordered.remove(fault)
                return fault
        return None
