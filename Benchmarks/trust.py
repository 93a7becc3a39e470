"""What the sandbox, bombs and a mount that hangs cost."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / ".build" / "release"
# What is measured is what is used, not what the tests are run with.
os.environ["UNDERTONE_BIN"] = str(BUILD)
sys.path.insert(0, str(HERE.parent / "Tests"))

from EndToEndTests.harness import bombs  # noqa: E402
from EndToEndTests.harness.connection import wait_until  # noqa: E402
from EndToEndTests.harness.daemon import running  # noqa: E402
from EndToEndTests.harness.hanging import HangingMount, NoFuseError  # noqa: E402

if TYPE_CHECKING:
    from EndToEndTests.harness.connection import Connection, Json

# Runs a decoder as on a kernel without seccomp and Landlock: a filter answers ENOSYS for their
# calls (317, 444 to 446), and the decoder is told to go on with what there is.
UNCONFINED = f"""#!/usr/bin/python3
import ctypes, os, struct, sys
code = [(0x20, 0, 0, 0)]
for call in [317, 444, 445, 446]:
    code += [(0x15, 0, 1, call), (0x06, 0, 0, 0x00050000 | 38)]
code.append((0x06, 0, 0, 0x7fff0000))
text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(text)))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, head) == 0
os.execv("{BUILD}/undertone-decoder", ["undertone-decoder", *sys.argv[1:]])
"""


def region(number: int) -> dict[str, dict[str, object]]:
    """Returns an area that makes a question new, so that the picture is decoded."""
    return {"r": {"edge": "top", "size": 1 / (1 + number / 1000)}}


def milliseconds(connection: Connection, **request: Json) -> float:
    """Asks and returns how long it took."""
    start = time.perf_counter()
    connection.ask(**request)
    return (time.perf_counter() - start) * 1000


def lock_down(directory: Path, picture: Path, runs: int) -> tuple[float, float]:
    """Compares pictures in the sandbox with the same without; returns both medians in ms."""
    script = directory / "unconfined"
    script.write_text(UNCONFINED)
    script.chmod(0o700)
    options = ["--sandbox", "best-effort", "--decoder", str(script)]
    with running() as confined, running(arguments=options) as free:
        assert confined.status()["sandbox"]["seccomp"]
        assert not free.status()["sandbox"]["seccomp"]
        assert free.status()["sandbox"]["landlock"] == 0
        sides = [confined.connect(), free.connect()]
        times: list[list[float]] = [[], []]
        for number in range(100 * runs):
            for side, kept in zip(sides, times, strict=True):
                kept.append(milliseconds(side, path=str(picture), regions=region(number)))
        for side in sides:
            side.close()
    return statistics.median(times[0]), statistics.median(times[1])


def refusals(runs: int) -> tuple[float, float]:
    """Asks about bombs; returns the slowest kind's median in ms, and the most MiB held.

    In a process of its own: what a child held before it became the daemon counts as the daemon's.
    """
    command = [sys.executable, str(Path(__file__).resolve()), str(runs)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    slowest, memory = done.stdout.split()
    return float(slowest), float(memory)


def refuse(directory: Path, runs: int) -> tuple[float, float]:
    """Does the work of `refusals`."""
    slowest = 0.0
    with running() as daemon, daemon.connect() as connection:
        kinds = [
            bombs.one_bit_png(50_000),
            bombs.png_header(60_000, 60_000, color=6) + bombs.chunk(b"IEND"),
            bombs.gif(65_535, 65_535),
            bombs.webp(16_383, 16_383),
            bombs.jpeg(65_500),
            # Its pixels would be eight megabytes of file, which are no part of the refusal.
            bombs.jpeg(65_500, scans=2)[:4096],
            bombs.tiff(50_000, 50_000),
            bombs.bmp(65_535, 65_535),
        ]
        for number, data in enumerate(kinds):
            path = directory / f"bomb{number}"
            path.write_bytes(data)
            code = connection.ask(path=str(path))["error"]["code"]
            assert code in {"image_too_large", "unsupported_format"}, (number, code)
            times = [milliseconds(connection, path=str(path)) for _ in range(5 * runs)]
            slowest = max(slowest, statistics.median(times))
        connection.close()
        # What its children held is the zygote's once they are buried, and the daemon's in its turn.
        old = daemon.zygotes()
        os.kill(old[0], signal.SIGKILL)
        wait_until(lambda: bool(daemon.zygotes()) and daemon.zygotes() != old)
        process, daemon.process = daemon.process, None
        assert process is not None
        process.terminate()
        # The most that the daemon or any process below it ever held.
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return slowest, usage.ru_maxrss / 1024


def beside_a_hang(directory: Path, known: Path, runs: int) -> tuple[float, float] | None:
    """Asks while one of two slots waits for a mount that hangs; returns the slowest in ms.

    Of a cached answer and of a picture of one megapixel; None where there is no FUSE.
    """
    from PIL import Image  # Debian ships no type information for it

    megapixel = directory / "megapixel.jpg"
    Image.effect_noise((1000, 1000), 60).convert("RGB").save(megapixel, quality=90)
    cached, decoded = 0.0, 0.0
    with running(arguments=["--jobs", "2"]) as daemon:
        daemon.color(known)
        try:
            with (
                HangingMount(directory / "hang") as mount,
                daemon.connect() as hanging,
                daemon.connect() as asking,
            ):
                hanging.send(path=str(mount.directory / "x.png"))
                for number in range(3 * runs):
                    cached = max(cached, milliseconds(asking, path=str(known)))
                    options = {"path": str(megapixel), "regions": region(number)}
                    decoded = max(decoded, milliseconds(asking, **options))
                assert daemon.counters()["decodersRunning"] >= 1
        except NoFuseError as error:
            print(f"left out: {error}")
            return None
    return cached, decoded


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ut-") as name:
        print(*refuse(Path(name), int(sys.argv[1])))
