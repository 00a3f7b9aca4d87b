"""The errors that a request may end with, mapped to answers in one place (`kit.refusals`)."""

from __future__ import annotations


class LiuyingError(Exception):
    """Base of all errors with a text for the visitor.

    Args:
        message: One sentence in Chinese, shown as it is.
        command: The option or command that answers it, which the command line says beside it.
    """

    code = 500

    def __init__(self, message: str, *, command: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.command = command

    @property
    def with_command(self) -> str:
        """What the command line says."""
        return f"{self.message}（{self.command}）" if self.command else self.message


class NotFoundError(LiuyingError):
    """The requested thing does not exist or is hidden: 404."""

    code = 404

    def __init__(self, message: str = "内容不存在或已下架") -> None:
        super().__init__(message)


class InvalidInputError(LiuyingError):
    """The request's values are invalid: 422.

    Args:
        message: One sentence in Chinese.
        field: The invalid value, by its name on the wire; named in every refusal that a
            caller of the API can meet.
        command: The option or command that answers it, which the command line says beside it.
    """

    code = 422

    def __init__(self, message: str, field: str = "", *, command: str = "") -> None:
        super().__init__(message, command=command)
        self.field = field


class ConflictError(LiuyingError):
    """Somebody else changed it meanwhile: 409."""

    code = 409


class ForbiddenError(LiuyingError):
    """It exists, but this visitor may not have it: 403."""

    code = 403


class UnauthorizedError(LiuyingError):
    """A valid session is needed and missing: 401, which sends the client to /vendor (specification
    §8).
    """

    code = 401


class TooManyRequestsError(LiuyingError):
    """A limit is reached: 429 with `Retry-After`.

    Args:
        message: One sentence in Chinese.
        retry_after: Seconds until it is worth trying again.
    """

    code = 429

    def __init__(self, message: str = "操作过于频繁，请稍后再试", retry_after: int = 60) -> None:
        super().__init__(message)
        self.retry_after = retry_after
