"""System errors about files and addresses in Chinese, worded for operators."""

from __future__ import annotations

import errno

REASONS = {
    errno.ENOENT: "文件或文件夹不存在",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EISDIR: "这是一个文件夹",
    errno.ENOTDIR: "路径中间的一段不是文件夹",
    errno.EEXIST: "已存在同名的文件",
    errno.ENOTEMPTY: "文件夹不是空的",
    errno.ENOSPC: "磁盘已满",
    errno.EDQUOT: "磁盘配额已用完",
    errno.EFBIG: "文件过大",
    errno.EROFS: "磁盘是只读的",
    errno.EIO: "磁盘读写出错",
    errno.ENAMETOOLONG: "名称过长",
    errno.ELOOP: "链接循环",
    errno.EMFILE: "打开的文件过多",
    errno.ENOMEM: "内存不足",
    errno.ESTALE: "网络共享已断开",
    errno.ETIMEDOUT: "等待超时",
    errno.EADDRINUSE: "端口已被占用，可以用 PORT 换一个",
    errno.EADDRNOTAVAIL: "本机没有这个地址",
}


def reason_of(error: OSError) -> str:
    """Why the system refused something, in a few Chinese words or else in its own."""
    return REASONS.get(error.errno or 0) or error.strerror or str(error)


def fault_of(error: OSError) -> str:
    """What went wrong as a sentence, with the file if there is one."""
    place = f"（{error.filename}）" if error.filename else ""
    return f"系统错误：{reason_of(error)}{place}"
