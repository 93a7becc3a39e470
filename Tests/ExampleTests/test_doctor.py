"""`undertone doctor`, each fault that it names, and what is said of a daemon of another version."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator

import pytest
from conftest import BIN, environment
from EndToEndTests.harness import processes, programs
from EndToEndTests.harness.connection import Json, wait_until

FORMATS = ["png", "jpeg", "gif", "webp", "tiff", "bmp", "ico", "pnm", "avif", "heic", "svg"]


@pytest.fixture
def variables() -> Iterator[dict[str, str]]:
    """An environment with a socket of its own, at which nobody listens."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="ut-"))
    found = {
        **environment(directory),
        "PATH": "/usr/bin:/bin",
        "HOME": str(directory),
        "XDG_CACHE_HOME": str(directory / "cache"),
        "UNDERTONE_SOCKET": str(directory / "s"),
    }
    yield found
    end_daemon(found)
    shutil.rmtree(directory)


def end_daemon(variables: dict[str, str]) -> None:
    """Ends the daemon of an environment, if one runs, and waits for its end."""
    done = undertone(variables, "status", "--no-start")
    if done.returncode == 0:
        process = json.loads(done.stdout)["result"]["pid"]
        os.kill(process, signal.SIGTERM)
        wait_until(lambda: processes.state(process) in {None, "Z"}, what="the daemon ends")


def undertone(
    variables: dict[str, str], *arguments: str, program: pathlib.Path = BIN / "undertone"
) -> subprocess.CompletedProcess[str]:
    return programs.run([program, *arguments], variables)


def doctor(
    variables: dict[str, str], *arguments: str, program: pathlib.Path = BIN / "undertone"
) -> tuple[int, list[dict[str, Json]]]:
    """The exit status and what was found; the text for people must say the same."""
    done = undertone(variables, "doctor", "--json", *arguments, program=program)
    assert done.stderr == "", done.stderr
    report = json.loads(done.stdout)
    assert report["ok"] == all(finding["ok"] for finding in report["findings"])
    assert done.returncode == (0 if report["ok"] else 1)
    for finding in report["findings"]:
        assert finding["ok"] == ("advice" not in finding), finding
    return done.returncode, report["findings"]


def faults(findings: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return [finding for finding in findings if not finding["ok"]]


def status(**changes: Json) -> dict[str, Json]:
    """What a daemon in good health says of itself, but for some members."""
    version = undertone({"PATH": "/usr/bin:/bin"}, "--version").stdout.split()[1]
    return {
        "version": version,
        "protocol": 1,
        "pid": 4242,
        "formats": FORMATS,
        "limits": {"memoryCacheBytes": 32 << 20},
        "counters": {
            "uptimeSeconds": 7300,
            "cacheEntries": 12,
            "cacheBytes": 3 << 19,
            "decoderSlots": 4,
            "decodersStuck": 0,
            "crashes": 1,
            "timeouts": 2,
        },
        "sandbox": {"seccomp": True, "landlock": 4, "warnings": []},
        **changes,
    }


@contextlib.contextmanager
def pretended(path: str, answers: dict[str, Json]) -> Iterator[None]:
    """Listens in a daemon's place, and answers each operation as it is told to."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def answer(connection: socket.socket) -> None:
            with connection, connection.makefile("rw") as lines:
                for line in lines:
                    operation = json.loads(line).get("op", "color")
                    error = {"code": "unknown_op", "message": f"there is no operation {operation}"}
                    reply = answers.get(operation, {"error": error})
                    lines.write(json.dumps(reply) + "\n")
                    lines.flush()

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(
                        target=answer, args=[listener.accept()[0]], daemon=True
                    ).start()

        threading.Thread(target=serve, daemon=True).start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
    pathlib.Path(path).unlink()


def examined(variables: dict[str, str], **changes: Json) -> list[dict[str, Json]]:
    """What is found of a daemon that says this of itself."""
    with pretended(variables["UNDERTONE_SOCKET"], {"status": {"result": status(**changes)}}):
        return doctor(variables)[1]


def test_all_is_well(variables: dict[str, str]) -> None:
    # None runs, and one is started, as with any question.
    code, findings = doctor(variables)
    assert code == 0, findings
    texts = [f"{finding['topic']}: {finding['text']}" for finding in findings]
    place = variables["UNDERTONE_SOCKET"]
    assert f"socket: {place}, by UNDERTONE_SOCKET" in texts
    running = json.loads(undertone(variables, "status").stdout)["result"]
    told = f"daemon: version {running['version']}, process {running['pid']}, up "
    assert any(text.startswith(told) for text in texts)
    assert f"loaders: installed: {', '.join(FORMATS)}" in texts
    assert "sandbox: the raster profile holds" in texts
    assert "sandbox: the wide profile holds" in texts
    assert any(text.startswith("cache: in memory 0 pictures, 0 of 32 MiB") for text in texts)


def test_text_for_people(variables: dict[str, str]) -> None:
    with pretended(
        variables["UNDERTONE_SOCKET"],
        {"status": {"result": status(formats=FORMATS[:-1])}},
    ):
        done = undertone(variables, "doctor")
    assert done.returncode == 1
    assert re.search(r"^ok     daemon    version .*, process 4242, up 2 h$", done.stdout, re.M)
    assert "FAULT  loaders   missing: svg\n" in done.stdout
    assert "                 → apt install librsvg2-common\n" in done.stdout


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("--socket", {}),
        ("UNDERTONE_SOCKET", {}),
        ("XDG_RUNTIME_DIR", {"UNDERTONE_SOCKET": None}),
    ],
)
def test_why_the_socket_is_where_it_is(
    variables: dict[str, str], rule: str, changes: dict[str, str | None]
) -> None:
    directory = variables["HOME"]
    variables["XDG_RUNTIME_DIR"] = directory
    for name in changes:
        del variables[name]
    option = ["--socket", f"{directory}/o"] if rule == "--socket" else []
    place = {
        "--socket": f"{directory}/o",
        "UNDERTONE_SOCKET": f"{directory}/s",
        "XDG_RUNTIME_DIR": f"{directory}/undertone/undertone.sock",
    }[rule]
    findings = doctor(variables, "--no-start", *option)[1]
    assert findings[0] == {"topic": "socket", "ok": True, "text": f"{place}, by {rule}"}


@pytest.mark.parametrize("value", ["relative", "/" + "x" * 120])
def test_no_place_for_a_socket(variables: dict[str, str], value: str) -> None:
    code, findings = doctor({**variables, "UNDERTONE_SOCKET": value})
    assert code == 1
    assert findings[0]["topic"] == "socket"
    assert "UNDERTONE_SOCKET" in findings[0]["advice"]


def test_something_else_in_its_place(variables: dict[str, str]) -> None:
    pathlib.Path(variables["UNDERTONE_SOCKET"]).write_text("")
    found = faults(doctor(variables)[1])
    assert found[0]["topic"] == "socket"
    assert "not a socket" in found[0]["text"]
    assert "move it away" in found[0]["advice"]


def test_none_runs(variables: dict[str, str]) -> None:
    code, findings = doctor(variables, "--no-start")
    assert code == 1
    assert faults(findings) == [
        {
            "topic": "daemon",
            "ok": False,
            "text": "no daemon is running",
            "advice": "ask without --no-start, and it is started",
        }
    ]


def alone(variables: dict[str, str]) -> pathlib.Path:
    """A copy of the program that has no daemon beside it."""
    program = pathlib.Path(variables["HOME"]) / "bin/undertone"
    program.parent.mkdir()
    shutil.copy(BIN / "undertone", program)
    return program


def write_daemon(program: pathlib.Path, script: str) -> None:
    daemon = program.with_name("undertoned")
    daemon.write_text(f"#!/bin/sh\n{script}\n")
    daemon.chmod(daemon.stat().st_mode | stat.S_IXUSR)


def test_none_is_installed(variables: dict[str, str]) -> None:
    found = faults(doctor(variables, program=alone(variables))[1])
    assert [finding["topic"] for finding in found] == ["daemon"]
    assert "there is no undertoned to start" in found[0]["text"]
    assert "install the package undertone" in found[0]["advice"]


def test_it_does_not_start(variables: dict[str, str]) -> None:
    program = alone(variables)
    write_daemon(program, "echo 'undertoned: why' >&2; exit 1")
    found = faults(doctor(variables, program=program)[1])
    assert found[0]["text"] == "the daemon did not start: undertoned: why"
    assert "--log-level debug" in found[0]["advice"]
    # Nor is there a decoder beside it.
    assert found[1]["topic"] == "sandbox"
    assert "no undertone-decoder" in found[1]["text"]


def test_a_sandbox_that_does_not_hold(variables: dict[str, str]) -> None:
    program = alone(variables)
    write_daemon(program, "exit 1")
    decoder = program.with_name("undertone-decoder")
    decoder.write_text("#!/bin/sh\necho 'the sandbox does not hold: open' >&2\nexit 1\n")
    decoder.chmod(0o700)
    found = [f for f in faults(doctor(variables, program=program)[1]) if f["topic"] == "sandbox"]
    assert [finding["text"] for finding in found] == [
        f"the {profile} profile: the sandbox does not hold: open" for profile in ("raster", "wide")
    ]
    assert "--check-sandbox --profile raster" in found[0]["advice"]


def test_what_is_no_daemon(variables: dict[str, str]) -> None:
    with pretended(variables["UNDERTONE_SOCKET"], {"status": {"hello": 1}}):
        found = faults(doctor(variables)[1])
    assert found[0]["text"] == "a malformed reply: what answers on the socket is not undertoned"
    assert found[0]["advice"].startswith("end what listens there")


def test_a_daemon_that_is_stopped(variables: dict[str, str]) -> None:
    """It is told of, with all that can be looked at without it."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(variables["UNDERTONE_SOCKET"])
        listener.listen()
        _, findings = doctor(variables)
    found = faults(findings)
    assert [finding["text"] for finding in found] == ["the daemon does not answer"]
    assert "kill -KILL" in str(found[0]["advice"])
    assert [finding["topic"] for finding in findings].count("sandbox") == 2


def test_another_version(variables: dict[str, str]) -> None:
    found = faults(examined(variables, version="0.9.0"))
    assert len(found) == 1
    assert "version 0.9.0" in found[0]["text"]
    assert f"this program {status()['version']}" in found[0]["text"]
    assert "kill 4242" in found[0]["advice"]


def test_missing_loaders(variables: dict[str, str]) -> None:
    found = faults(examined(variables, formats=["png", "jpeg", "gif", "tiff", "bmp", "ico"]))
    assert {finding["package"]: finding["text"] for finding in found} == {
        "webp-pixbuf-loader": "missing: webp",
        "libavif-gdk-pixbuf": "missing: avif",
        "heif-gdk-pixbuf": "missing: heic",
        "librsvg2-common": "missing: svg",
        "libgdk-pixbuf-2.0-0": "missing: pnm",
    }
    assert all(finding["advice"] == f"apt install {finding['package']}" for finding in found)


def test_no_decoder(variables: dict[str, str]) -> None:
    found = faults(examined(variables, formats=None, sandbox=None))
    assert [finding["topic"] for finding in found] == ["loaders", "sandbox"]
    assert all("no decoder runs" in finding["text"] for finding in found)


def test_a_weak_sandbox(variables: dict[str, str]) -> None:
    weak = {"seccomp": True, "landlock": 0, "warnings": ["There is no Landlock."]}
    found = faults(examined(variables, sandbox=weak))
    assert [finding["text"] for finding in found] == ["There is no Landlock."]
    assert "Landlock" in found[0]["advice"]
    none = {"seccomp": False, "landlock": 0, "warnings": []}
    assert faults(examined(variables, sandbox=none))[0]["topic"] == "sandbox"


def test_decoders_that_hang(variables: dict[str, str]) -> None:
    counters = {**status()["counters"], "decodersStuck": 3}
    found = faults(examined(variables, counters=counters))
    assert [finding["text"] for finding in found] == ["3 of 4 hang and cannot be ended"]
    assert "unmount" in found[0]["advice"]


@pytest.mark.parametrize(
    ("state", "advice"),
    [
        ("ready", None),
        ("off", None),
        ("busy", "end one of the two"),
        ("full", "free some"),
        ("stalled", "hangs"),
        ("unusable", "can be written"),
    ],
)
def test_the_cache_on_disk(variables: dict[str, str], state: str, advice: str | None) -> None:
    disk = {"state": state, "path": "/c/s.db", "entries": 7, "bytes": 5 << 20, "limit": 256 << 20}
    answers = {"status": {"result": status()}, "cache": {"result": {"disk": disk}}}
    with pretended(variables["UNDERTONE_SOCKET"], answers):
        code, findings = doctor(variables)
    found = [finding for finding in findings if finding["topic"] == "cache"]
    assert found[0]["text"] == "in memory 12 pictures, 1.5 of 32 MiB"
    assert code == (0 if advice is None else 1)
    if state == "ready":
        assert found[1]["text"] == "on disk 7 pictures, 5 of 256 MiB, in /c/s.db"
    if advice is not None:
        assert advice in found[1]["advice"]


def test_status_tells_of_another_version(variables: dict[str, str]) -> None:
    version = status()["version"]
    with pretended(variables["UNDERTONE_SOCKET"], {"status": {"result": status(version="0.9.0")}}):
        done = undertone(variables, "status")
        # A newer question, to an older daemon.
        asked = undertone(variables, "/a.png")
    hint = (
        f"undertone: the daemon that runs is version 0.9.0, and this program {version}: "
        "end it with kill 4242, and the next question starts the new one\n"
    )
    assert json.loads(done.stdout)["result"]["version"] == "0.9.0"
    assert (done.returncode, done.stderr) == (0, hint)
    assert (asked.returncode, asked.stderr) == (1, hint)


def test_the_same_version_is_not_told(variables: dict[str, str]) -> None:
    with pretended(variables["UNDERTONE_SOCKET"], {"status": {"result": status()}}):
        assert undertone(variables, "status").stderr == ""
        assert undertone(variables, "/a.png").stderr == ""


def test_an_answer_that_is_none_is_a_hint_too(variables: dict[str, str]) -> None:
    answers = {"status": {"result": status(version="0.9.0")}, "color": {"result": {"new": 1}}}
    with pretended(variables["UNDERTONE_SOCKET"], answers):
        done = undertone(variables, "--color", "always", "/a.png")
    assert done.returncode == 2
    assert "version 0.9.0" in done.stderr
