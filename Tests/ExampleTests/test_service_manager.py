"""The units in a real service manager of a user, with all that it confines the daemon with."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

import pytest
from conftest import BIN, ROOT
from PIL import Image

MANAGER = pathlib.Path("/lib/systemd/systemd")
# Where the kernel's second version of control groups is, beside the first one or alone.
GROUPS = [pathlib.Path("/sys/fs/cgroup/unified"), pathlib.Path("/sys/fs/cgroup")]

# Namespaces of its own, with what the system's manager would have made for a user who logs in.
SESSION = """
mount -t proc proc /proc
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
chown -R nobody /sys/fs/cgroup
mount -t tmpfs -o mode=0755 tmpfs /run
mkdir -p /run/systemd/system /run/systemd/unit-root /run/user/65534
chown nobody /run/user/65534
chmod 700 /run/user/65534
exec setpriv --reuid nobody --regid nogroup --clear-groups \
    env -i PATH="$1/prefix/bin:/usr/bin:/bin" HOME="$1/home" XDG_RUNTIME_DIR=/run/user/65534 \
    sh -euc '
        /lib/systemd/systemd --user >"$HOME/manager.log" 2>&1 &
        for _ in $(seq 600); do
            systemctl --user is-system-running >/dev/null 2>&1 && break
            sleep 0.1
        done
        sh -eu "$HOME/script"'
"""


@pytest.fixture
def session() -> Iterator[pathlib.Path]:
    """A folder in which the programs are installed, and the units where a user has them."""
    if os.geteuid() != 0 or not MANAGER.exists():
        pytest.skip("needs root and systemd, to make a session of another user's")
    if not any((groups / "cgroup.procs").exists() for groups in GROUPS):
        pytest.skip("needs control groups of the second version")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ut-"))
    folder.chmod(0o755)
    subprocess.run(
        [ROOT / "scripts/install"],
        env={**os.environ, "PREFIX": str(folder / "prefix"), "UNDERTONE_BIN": str(BIN)},
        check=True,
    )
    units = folder / "home/.config/systemd/user"
    shutil.copytree(folder / "prefix/share/systemd/user", units)
    subprocess.run(["chown", "-R", "nobody", folder / "home"], check=True)
    yield folder
    shutil.rmtree(folder)


def run(session: pathlib.Path, script: str) -> list[str]:
    """The lines that a script prints in that session."""
    groups = next(groups for groups in GROUPS if (groups / "cgroup.procs").exists())
    group = groups / f"undertone-{os.getpid()}"
    group.mkdir()
    (session / "home/script").write_text(script)
    inner = ["unshare", "--cgroup", "--mount", "--pid", "--fork", "--kill-child"]
    join = f'echo $$ >"{group}/cgroup.procs"; exec "$@"'
    command = ["sh", "-euc", join, "sh", *inner, "sh", "-euc", SESSION, "sh", str(session)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    finally:
        for child in sorted(group.rglob("*"), reverse=True):
            if child.is_dir():
                child.rmdir()
        group.rmdir()
    assert done.returncode == 0, done.stderr + (session / "home/manager.log").read_text()
    return done.stdout.splitlines()


def test_the_units_serve_a_user(session: pathlib.Path) -> None:
    """Asked through systemd's socket, confined by it, remembering, reloading, ending."""
    picture = session / "red.png"
    Image.new("RGB", (8, 8), "#c81414").save(picture)
    lines = run(
        session,
        f"""
        systemctl --user start undertone.socket
        undertone {picture}
        undertone {picture}
        undertone status --json
        process=$(systemctl --user show --value -p MainPID undertone.service)
        grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/$process/status | tr -d '[:blank:]'
        systemctl --user reload undertone.service
        undertone {picture} | cut -c1-8
        systemctl --user show --value -p ActiveState -p NRestarts undertone.service
        systemctl --user restart undertone.service
        undertone {picture} | cut -c1-8
        undertone status --json
        systemctl --user stop undertone.socket undertone.service
        systemctl --user show --value -p Result undertone.service
        """,
    )
    first, again, status, *rest = lines
    assert json.loads(first)["result"]["background"] == "#c81414"
    assert again == first
    report = json.loads(status)["result"]
    # What the manager takes away is nothing that answers from the cache or the sandbox need.
    assert report["counters"]["decodes"] == 1
    assert report["counters"]["cacheHits"] == 1
    assert report["sandbox"]["seccomp"] is True
    assert report["sandbox"]["warnings"] == []
    assert sorted(rest[:3]) == ["CapEff:0000000000000000", "NoNewPrivs:1", "Seccomp:2"]
    assert rest[3] == rest[6] == '{"path":'
    assert sorted(rest[4:6]) == ["0", "active"]
    # What was kept in the service's own folder.
    counters = json.loads(rest[7])["result"]["counters"]
    assert (counters["decodes"], counters["diskHits"]) == (0, 1)
    assert rest[8:] == ["success"]
