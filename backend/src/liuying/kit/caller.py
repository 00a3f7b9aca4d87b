"""Who makes a request: the data code it presents and the network it comes from."""

from __future__ import annotations

import msgspec

from liuying.kit.client_network import ClientNetwork
from liuying.kit.errors import InvalidInputError
from liuying.kit.responses import CODE_PARAMETER
from liuying.kit.visitor_code import CODE_MESSAGE, VisitorCode


class Caller(msgspec.Struct, frozen=True):
    """One request's caller.

    Attributes:
        code: The data code from the header `X-Visitor-Code`, or from `uuid` in the query or body;
            None where none was sent. Its form is valid; whether anybody uses it is unknown.
        network: The key for counters and limits.
    """

    code: VisitorCode | None
    network: ClientNetwork

    @property
    def required_code(self) -> VisitorCode:
        """The code.

        Raises:
            InvalidInputError: None was sent.
        """
        if self.code is None:
            raise InvalidInputError(CODE_MESSAGE, CODE_PARAMETER)
        return self.code
