"""The errors that a request may end with, mapped to answers in one place (`main.web.refusals`)."""

from __future__ import annotations


class LiuyingError(Exception):
    """Base of all errors with a text for the visitor.

    Args:
        message: One sentence in Chinese, shown as it is.
    """

    code = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFoundError(LiuyingError):
    """What was asked for is not there (or is hidden): 404."""

    code = 404

    def __init__(self, message: str = "内容不存在或已下架") -> None:
        super().__init__(message)


class InvalidInputError(LiuyingError):
    """The request's values break a rule: 422."""

    code = 422


class ForbiddenError(LiuyingError):
    """Known, but not for this visitor: 403."""

    code = 403
