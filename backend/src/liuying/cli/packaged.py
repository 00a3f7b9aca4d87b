"""`/usr/bin/liuying` of the Debian package and of the image: the command with the settings of the
site's file, as the user who owns the data.

What root writes into the data folder the site could not change any more: only what writes outside
of it runs as root.
"""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path

SETTINGS_FILE = "LIUYING_SETTINGS_FILE"
DATA_DIR = "LIUYING_DATA_DIR"
USER = "liuying"
# They write below /etc.
AS_ROOT = frozenset({"setup", "deploy"})
EXIT_USAGE = 2


def main() -> None:
    """Read the file, become the user, run the command."""
    from liuying.kit.setting_lines import SettingFileError, of_file

    path = Path(os.environ.setdefault(SETTINGS_FILE, "/etc/liuying/liuying.env"))
    try:
        values = of_file(path)
    except PermissionError:
        sys.exit(_told(f"没有读取 {path} 的权限，请用 sudo 执行"))
    except (OSError, SettingFileError) as error:
        sys.exit(_told(str(error)))
    for name, value in values.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault(DATA_DIR, "/var/lib/liuying")
    if os.geteuid() == 0 and not AS_ROOT.intersection(sys.argv[1:2]):
        become(USER)
    from liuying.cli.app import app

    app(prog_name="liuying")


def become(name: str) -> None:
    """Give up root for good; stay who we are if there is no such user."""
    try:
        account = pwd.getpwnam(name)
    except KeyError:
        return
    os.initgroups(name, account.pw_gid)
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.environ["HOME"] = account.pw_dir


def _told(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return EXIT_USAGE


if __name__ == "__main__":
    main()
