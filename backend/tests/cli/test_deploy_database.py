"""`liuying deploy etcd | patroni | haproxy`: what is written, and what is refused."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from liuying.installation.database_files import PASSWORDS
from liuying.installation.settings import REPOSITORY
from tests.command_line import Run, run

__all__ = ["run"]
ADDRESSES = {"pg1": "10.0.0.11", "pg2": "10.0.0.12", "pg3": "10.0.0.13"}
MEMBERS = tuple(
    part for name, address in ADDRESSES.items() for part in ("--member", f"{name}={address}")
)

# Python takes any text for the scope of an address.
SCOPED = "fe80::1%x'  evil: 1 #"
TWICE = ("--etcd", "a=10.0.1.1", "--etcd", "a=10.0.1.2")


def values(text: str) -> dict[str, str]:
    """The variables of an environment file."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def written(run: Run, folder: Path, *arguments: str) -> Any:
    """A Patroni's configuration."""
    target = folder / "patroni.yml"
    done = run(folder, "deploy", "patroni", *arguments, "--output", target, "--yes")
    assert done.exit_code == 0, done.output
    return yaml.safe_load(target.read_text(encoding="utf-8"))


def test_members_of_etcd_know_each_other(run: Run, tmp_path: Path) -> None:
    told = {
        name: values(run(tmp_path, "deploy", "etcd", "--name", name, *MEMBERS).stdout)
        for name in ADDRESSES
    }
    for name, own in told.items():
        assert own["ETCD_NAME"] == name
        assert own["ETCD_LISTEN_CLIENT_URLS"] == f"https://{ADDRESSES[name]}:2379"
        assert own["ETCD_INITIAL_CLUSTER"] == ",".join(
            f"{one}={told[one]['ETCD_INITIAL_ADVERTISE_PEER_URLS']}" for one in ADDRESSES
        )
        assert own["ETCD_CLIENT_CERT_AUTH"] == own["ETCD_PEER_CLIENT_CERT_AUTH"] == "true"
        assert own["ETCD_INITIAL_CLUSTER_STATE"] == "new"
    later = run(tmp_path, "deploy", "etcd", "--name", "pg2", *MEMBERS, "--existing").stdout
    assert values(later)["ETCD_INITIAL_CLUSTER_STATE"] == "existing"


def test_a_database_is_synchronous_and_behind_tls(run: Run, tmp_path: Path) -> None:
    told = written(run, tmp_path, "--name", "pg2", *MEMBERS, "--network", "10.0.0.7/24")
    assert told["name"] == "pg2"
    assert told["etcd3"]["hosts"] == [f"{one}:2379" for one in ADDRESSES.values()]
    shared = told["bootstrap"]["dcs"]
    assert shared["loop_wait"] + 2 * shared["retry_timeout"] <= shared["ttl"] == 20
    assert (shared["synchronous_mode"], shared["primary_start_timeout"]) == (True, 0)
    postgres = told["postgresql"]
    assert postgres["listen"] == "10.0.0.12:5432"
    assert {one["sslmode"] for one in postgres["authentication"].values()} == {"verify-full"}
    access = [line.split() for line in postgres["pg_hba"]]
    # Nobody comes in over the network without TLS, nor without a password.
    assert {(line[0], line[-1]) for line in access} == {
        ("hostssl", "scram-sha-256"),
        ("host", "reject"),
        ("local", "scram-sha-256"),
    }
    assert ["hostssl", "all", "all", "10.0.0.0/24", "scram-sha-256"] in access
    assert access.index(["host", "all", "postgres,rewinder", "all", "reject"]) < access.index(
        ["hostssl", "all", "all", "10.0.0.0/24", "scram-sha-256"]
    )


@pytest.mark.parametrize("name", ["1", "on", "no", "null"])
def test_names_that_look_like_something_else_stay_names(
    run: Run, tmp_path: Path, name: str
) -> None:
    told = written(run, tmp_path, "--name", name, "--member", f"{name}=10.0.0.14", *MEMBERS[:4])
    assert (told["name"], told["scope"]) == (name, "liuying")


def test_connections_of_machines_that_vanished_end(run: Run, tmp_path: Path) -> None:
    settings = written(run, tmp_path, "--name", "pg1", *MEMBERS)["postgresql"]["parameters"]
    assert settings["tcp_user_timeout"] == 10_000
    quiet = settings["tcp_keepalives_idle"] + (
        settings["tcp_keepalives_interval"] * settings["tcp_keepalives_count"]
    )
    assert quiet == 11


def test_the_log_is_kept_where_pgbackrest_is_wanted(run: Run, tmp_path: Path) -> None:
    with_it, without = (
        written(run, tmp_path, "--name", "pg1", *MEMBERS, *more)["postgresql"]["parameters"]
        for more in (("--pgbackrest",), ())
    )
    assert with_it["archive_mode"] == "on"
    assert with_it["archive_command"] == "pgbackrest --stanza=liuying archive-push %p"
    assert not [name for name in without if name.startswith("archive")]


def test_no_password_is_written_and_their_place_is_told(run: Run, tmp_path: Path) -> None:
    done = run(tmp_path, "deploy", "patroni", "--name", "pg1", *MEMBERS)
    assert "password:" not in done.stdout
    assert "/etc/patroni/passwords.env" in done.stderr
    assert all(name in done.stderr for name in PASSWORDS)
    assert "--network" in done.stderr
    unit = run(tmp_path, "deploy", "patroni", "--unit")
    assert (unit.exit_code, unit.stderr) == (0, "")
    assert "EnvironmentFile=/etc/patroni/passwords.env" in unit.stdout.splitlines()


def test_etcd_may_stand_on_machines_of_its_own(run: Run, tmp_path: Path) -> None:
    apart = tuple(part for n in (1, 2, 3) for part in ("--etcd", f"etcd{n}=10.0.1.{n}"))
    told = written(run, tmp_path, "--name", "pg1", *MEMBERS[:4], *apart)
    assert told["etcd3"]["hosts"] == [f"10.0.1.{n}:2379" for n in (1, 2, 3)]


def test_haproxy_asks_each_patroni_by_its_name(run: Run, tmp_path: Path) -> None:
    text = run(tmp_path, "deploy", "haproxy", *MEMBERS, "--listen", "[::1]:6432").stdout
    assert "bind [::1]:6432" in text
    servers = [line.split() for line in text.splitlines() if line.startswith("    server ")]
    assert [(one[1], one[2]) for one in servers] == [
        (name, f"{address}:5432") for name, address in ADDRESSES.items()
    ]
    assert all(one[-2:] == ["verifyhost", one[1]] and "required" in one for one in servers)


def test_a_file_that_is_there_is_replaced_when_that_is_agreed(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "haproxy.cfg"
    target.write_text("mine")
    refused = run(tmp_path, "deploy", "haproxy", *MEMBERS, "--output", target)
    assert (refused.exit_code, target.read_text()) == (2, "mine")
    done = run(tmp_path, "deploy", "haproxy", *MEMBERS, "--output", target, "--yes", "--json")
    assert json.loads(done.stdout) == {"file": str(target)}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("etcd",), "要写出每一台：--member pg1=10.0.0.11"),
        (("patroni", "--name", "pg1"), "要写出每一台：--member pg1=10.0.0.11"),
        (("etcd", *MEMBERS), "要写出这台的名字，是 pg1、pg2、pg3 里的一个：--name pg1"),
        (("etcd", "--name", "pg9", *MEMBERS), "--member 里没有叫 pg9 的，只有 pg1、pg2、pg3"),
        (("etcd", "--name", "pg1", *MEMBERS[:4]), "etcd 要 3 台或 5 台，给了 2 台"),
        (("etcd", "--name", "pg1", *MEMBERS, "--data-dir", "/a b"), "路径里只能有"),
        (("etcd", "--name", "pg1", *MEMBERS, "--peer-port", "0"), "端口的写法不对：0"),
        (("patroni", "--name", "pg1", *MEMBERS[:2]), "至少要两台"),
        (("patroni", "--name", "pg1", *MEMBERS[:4]), "etcd 要 3 台或 5 台"),
        (("patroni", "--name", "pg1", *MEMBERS, "--network", "all"), "网段的写法不对"),
        (("patroni", "--name", "pg1", *MEMBERS, "--member", "pg1=10.0.0.14"), "同一个名字：pg1"),
        (("patroni", "--name", "pg1", *MEMBERS, "--member", "x=10.0.0.11"), "同一个地址"),
        (("patroni", "--name", "pg1", "--member", "pg1=db.example.com"), "= 后面要写 IP 地址"),
        (("patroni", "--name", "pg1", "--member", "PG 1=10.0.0.11"), "--member 的写法不对"),
        (("patroni", "--name", "pg1", *MEMBERS, "--network", f"{SCOPED}/128"), "网段的写法不对"),
        (("patroni", "--name", "pg1", "--member", f"pg1={SCOPED}"), "= 后面要写 IP 地址"),
        (("patroni", "--name", "pg1", *MEMBERS, "--etcd", "a=b"), "--etcd 的写法不对：a=b"),
        (("patroni", "--name", "pg1", *MEMBERS, "--etcd", "A=10.0.1.1"), "--etcd 的写法不对：A"),
        (("patroni", "--name", "pg1", *MEMBERS, *TWICE), "--etcd 里有两台用同一个名字：a"),
        (("patroni", "--unit", "--program", "/opt/a b"), "路径里只能有"),
        (("haproxy",), "要写出每一台 PostgreSQL"),
        (("haproxy", *MEMBERS, "--listen", "localhost:5432"), "地址的写法不对"),
        (("haproxy", *MEMBERS, "--listen", "127.0.0.1:99999"), "地址的写法不对"),
        (("haproxy", *MEMBERS, "--listen", f"[{SCOPED}]:5432"), "地址的写法不对"),
        (("haproxy", *MEMBERS, "--authority", "/a;b"), "路径里只能有"),
    ],
)
def test_what_cannot_stand_in_a_configuration(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = run(tmp_path, "deploy", *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence in done.stderr


def test_documented_commands_are_taken(run: Run, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "operating.md").read_text(encoding="utf-8")
    command = re.compile(
        r"^liuying (deploy (?:etcd|patroni|haproxy) .*--output )(\S+)", re.MULTILINE
    )
    # Each is a shell of its own, on another machine.
    found = [(block, *parts) for block in page.split("```") for parts in command.findall(block)]
    assert len(found) == 4
    for block, line, target in found:
        members = re.search(r'^members="(.+)"$', block, re.MULTILINE)
        words = shlex.split(line.replace("$members", members[1] if members else ""))
        done = run(tmp_path, *words, tmp_path / Path(target).name)
        assert done.exit_code == 0, done.output
