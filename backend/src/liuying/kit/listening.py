"""Listening on a TCP port."""

from __future__ import annotations

import socket

from liuying.kit.system_errors import reason_of


class ListenError(Exception):
    """An address cannot be listened on. The message says which and why, in Chinese.

    Args:
        host: The address.
        port: Its port.
        error: What the system said.
    """

    def __init__(self, host: str, port: int, error: OSError) -> None:
        super().__init__(f"无法监听 {host}:{port}：{reason_of(error)}")


def listen(host: str, port: int, backlog: int) -> socket.socket:
    """A socket that listens.

    Args:
        host: The address.
        port: TCP port; 0 takes a free one.
        backlog: Connections that may wait to be taken.

    Raises:
        ListenError: It cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise ListenError(host, port, error) from error
    return listener
