"""A Postfix that delivers to a Dovecot, on high ports of 127.0.0.1, with all their files in one folder.

Nothing leaves this machine: whatever is not for example.org is an error. They need root to start, as mail
servers do.
"""

from __future__ import annotations

import imaplib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.unit.mail.smtp_server import certificate

PASSWORD = "a-word-for-tests"
DOMAIN = "example.org"
PROGRAMS = ("postfix", "dovecot", "doveadm")
_USERS = ("postfix", "dovecot", "dovenull")  # the packages make them; a program can be there without its user
_DAEMONS = "/usr/lib/postfix/sbin"
_SERVICES = """\
127.0.0.1:{smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""
_START = 20  # seconds that a server may take to answer


def missing() -> str:
    """Why these tests cannot run here; "" if they can."""
    lacking = [name for name in PROGRAMS if _program(name) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)} (apt-get install postfix dovecot-imapd dovecot-lmtpd)"
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "mail servers are started by root only"
    nobody = [name for name in _USERS if os.path.expanduser(f"~{name}") == f"~{name}"]
    if nobody:
        return f"no such user: {', '.join(nobody)} (apt-get install --reinstall postfix dovecot-core)"
    return "" if Path(_DAEMONS).is_dir() else f"Postfix has its programs elsewhere than in {_DAEMONS}"


def _program(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


@dataclass(frozen=True)
class Servers:
    """Where they listen. `trusted` is the certificate both show."""

    root: Path
    smtp: int
    imap: int
    imaps: int
    lmtp: int
    auth: int
    trusted: Path

    def settings(self, user: str, *, move_to: str = "") -> str:
        """`mail.yaml` of a user, as docs/mail.md has it."""
        move = f"  move_to: {move_to}\n" if move_to else ""
        return (
            f"out:\n  way: smtp\n  server: localhost\n  port: {self.smtp}\n  user: {user}\n"
            f"  certificates: {self.trusted}\n  password: {{variable: PBEM_TEST_MAIL}}\n"
            f"in:\n  way: imap\n  server: localhost\n  port: {self.imaps}\n  user: {user}\n"
            f"  certificates: {self.trusted}\n  password: {{variable: PBEM_TEST_MAIL}}\n{move}"
        )

    def box(self, user: str) -> imaplib.IMAP4:
        """A look into somebody's mailbox with another program than ours."""
        box = imaplib.IMAP4("127.0.0.1", self.imap)
        box.login(user, PASSWORD)
        return box

    def wait_for(self, user: str, count: int, folder: str = "INBOX") -> list[bytes]:
        """The mails of a user once there are so many; AssertionError if they do not come."""
        box = self.box(user)
        try:
            for _ in range(200):
                box.select(folder, readonly=True)
                _, (found,) = box.search(None, "ALL")
                numbers = found.split()
                if len(numbers) >= count:
                    return [box.fetch(n.decode(), "(BODY.PEEK[])")[1][0][1] for n in numbers]  # type: ignore[index]
                time.sleep(0.1)
        finally:
            box.logout()
        raise AssertionError(f"{user} has {len(numbers)} mails, wanted {count}:\n{self.logs()}")

    def logs(self) -> str:
        """The ends of their logs."""
        texts = []
        for name in ("postfix.log", "dovecot.log"):
            path = self.root / name
            if path.exists():
                texts.append("\n".join(path.read_text("utf-8", "replace").splitlines()[-20:]))
        return "\n".join(texts)


@contextmanager
def running(root: Path) -> Iterator[Servers]:
    """Both, up and answering; stopped afterwards whatever happened."""
    root.chmod(0o755)  # their programs run as other users
    trusted, _ = certificate(root)
    (root / "server.pem").chmod(0o644)
    ports = _free_ports(5)
    servers = Servers(root, *ports, trusted)
    _write_dovecot(servers)
    _write_postfix(servers)
    dovecot = [str(_program("dovecot")), "-c", str(root / "dovecot.conf")]
    postfix = [str(_program("postfix")), "-c", str(root / "postfix")]
    try:
        _run(dovecot)
        _run([*postfix, "start"])
        for port in (servers.smtp, servers.imap, servers.imaps, servers.lmtp):
            _wait_for_port(port, servers)
        yield servers
    finally:
        with suppress(subprocess.CalledProcessError):
            _run([*postfix, "stop"])
        with suppress(subprocess.CalledProcessError):
            _run([str(_program("doveadm")), "-c", str(root / "dovecot.conf"), "stop"])


def _run(command: list[str]) -> None:
    """Output goes to a file: a server that stays would keep a pipe open for ever."""
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=60, check=False
        )
        out.seek(0)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, out.read())


def _wait_for_port(port: int, servers: Servers) -> None:
    end = time.monotonic() + _START
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nobody answers at port {port}:\n{servers.logs()}")


def _free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def _write_dovecot(servers: Servers) -> None:
    root = servers.root
    mail = root / "mail"
    mail.mkdir(mode=0o777)
    mail.chmod(0o777)
    (root / "dovecot.conf").write_text(
        f"""
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/dovecot.log
listen = 127.0.0.1
protocols = imap lmtp
ssl = yes
ssl_cert = <{root}/server.pem
ssl_key = <{root}/server.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %n
first_valid_uid = 1
mail_location = maildir:~/Maildir
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={mail}/%u allow_all_users=yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {servers.imap}
  }}
  inet_listener imaps {{
    port = {servers.imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {servers.lmtp}
  }}
}}
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {servers.auth}
  }}
}}
service anvil {{
  chroot =
}}
"""
    )


def _write_postfix(servers: Servers) -> None:
    root = servers.root
    for name in ("postfix", "spool", "data"):
        (root / name).mkdir(mode=0o755)
    shutil.chown(root / "data", "postfix")
    (root / "postfix" / "main.cf").write_text(
        f"""
compatibility_level = 3.6
queue_directory = {root}/spool
data_directory = {root}/data
command_directory = /usr/sbin
daemon_directory = {_DAEMONS}
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = {root}
maillog_file = {root}/postfix.log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.{DOMAIN}
myorigin = {DOMAIN}
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = {DOMAIN}
virtual_mailbox_maps = static:all
virtual_transport = lmtp:inet:127.0.0.1:{servers.lmtp}
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
local_transport = error:nobody lives here
smtpd_tls_cert_file = {root}/server.pem
smtpd_tls_key_file = {root}/server.pem
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{servers.auth}
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
""".lstrip()
    )
    (root / "postfix" / "master.cf").write_text(_SERVICES.format(smtp=servers.smtp))
