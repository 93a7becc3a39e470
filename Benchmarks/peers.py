"""What people use for the same question, each at its best: the whole process, start to end."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE.parent / ".build" / "peers-venv"
PYTHON = VENV / "bin" / "python"
FROM_PYPI = ("pillow", "opencv-python-headless", "colorthief", "pywal")
PATH = f"{VENV}/bin:/usr/bin:/bin"
# A picture that takes a peer longer is one that it does not finish.
PATIENCE = 60

PILLOW = """
import sys
from PIL import Image
for path in sys.argv[1:]:
    with Image.open(path) as image:
        image.draft("RGB", (480, 480))
        print(image.convert("RGB").resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)))
"""
OPENCV = """
import sys
import cv2
for path in sys.argv[1:]:
    print(cv2.mean(cv2.imread(path, cv2.IMREAD_REDUCED_COLOR_8)))
"""
COLOR_THIEF = """
import sys
from colorthief import ColorThief
print(ColorThief(sys.argv[1]).get_color())
"""


class PeerError(Exception):
    """A peer that did not answer."""


@dataclasses.dataclass(frozen=True)
class Peer:
    """A tool: the command that answers for the files after it, and how it does a library."""

    name: str
    version: str
    # "{home}" in it is a directory for what the tool writes.
    command: tuple[str, ...]
    # How many files one process takes, where the tool is measured on a library; 0 where not.
    batch: int = 0

    def milliseconds(self, picture: Path) -> float:
        """Times one process for one picture."""
        return timed([*self.command, str(picture)])

    def library_milliseconds(self, pictures: Sequence[Path], cores: int) -> float:
        """Times as many processes as there are cores, with files in batches."""
        names = "\0".join(map(str, pictures)).encode()
        sharing = ["xargs", "-0", "-P", str(cores), "-n", str(self.batch)]
        return timed([*sharing, *self.command], names)


def timed(command: Sequence[str], given: bytes = b"") -> float:
    """Returns the milliseconds from start to end of a command that must succeed."""
    with tempfile.TemporaryDirectory(prefix="ut-", dir="/dev/shm") as home:
        # A home of its own each time: some keep what they have seen.
        environment = {
            "PATH": PATH,
            "HOME": home,
            "XDG_RUNTIME_DIR": home,
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
            "QT_QUICK_BACKEND": "software",
        }
        words = [word.replace("{home}", home) for word in command]
        limit = PATIENCE * (10 if given else 1)
        with tempfile.TemporaryFile() as names, tempfile.TemporaryFile() as said:
            names.write(given)
            names.seek(0)
            start = time.perf_counter()
            process = subprocess.Popen(
                words,
                env=environment,
                cwd=home,
                stdin=names,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
            # Not `wait` with a timeout, which looks only now and then.
            watchdog = threading.Timer(limit, process.kill)
            watchdog.start()
            code = process.wait()
            end = time.perf_counter()
            watchdog.cancel()
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
    name = Path(command[0]).name
    if code == -signal.SIGKILL:
        raise PeerError(f"{name} takes more than {limit} s")
    if code != 0:
        raise PeerError(f"{name}: {lines[-1] if lines else code}")
    return (end - start) * 1000


def package_version(package: str) -> str:
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


def install() -> dict[str, str]:
    """Installs what comes from PyPI; returns versions by name, and none where it can't be had."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    versions = {}
    for name in FROM_PYPI:
        show = [str(PYTHON), "-c", f"import importlib.metadata as m; print(m.version({name!r}))"]
        found = subprocess.run(show, capture_output=True, text=True, check=False)
        if found.returncode != 0:
            subprocess.run([str(PYTHON), "-m", "pip", "install", "-q", name], check=False)
            found = subprocess.run(show, capture_output=True, text=True, check=False)
        if found.returncode == 0:
            versions[name] = found.stdout.strip()
    return versions


def prepare() -> tuple[list[Peer], dict[str, str]]:
    """Returns the peers of this machine, and why each of the others is not there."""
    python, versions = str(PYTHON), install()
    size = ["-define", "jpeg:size=480x480"]
    candidates = [
        Peer("ImageMagick", package_version("imagemagick"),
             ("sh", "-c", f'convert {" ".join(size)} "$1" -scale "1x1!" txt:-', "sh"), 1),
        Peer("Pillow", versions.get("pillow", ""), (python, "-c", PILLOW), 30),
        Peer("vipsthumbnail", package_version("libvips-tools"),
             ("vipsthumbnail", "--size", "1x1!", "--output", "{home}/%s.png"), 30),
        Peer("OpenCV", versions.get("opencv-python-headless", ""), (python, "-c", OPENCV), 30),
        Peer("pywal", versions.get("pywal", ""), (f"{VENV}/bin/wal", "-nqste", "-i")),
        Peer("Kirigami ImageColors", package_version("qml-module-org-kde-kirigami2"),
             ("qml", str(HERE / "kirigami.qml"), "--")),
        Peer("ColorThief", versions.get("colorthief", ""), (python, "-c", COLOR_THIEF)),
    ]  # fmt: skip
    absent = {peer.name: "cannot be installed here" for peer in candidates if not peer.version}
    # It runs in browsers; its only other home is npm, with a binary of libvips in its wake.
    absent["fast-average-color"] = "no Debian or Python package has it"
    if shutil.which("qml", path=PATH) is None:
        absent["Kirigami ImageColors"] = "qml is not installed"
    return [peer for peer in candidates if peer.name not in absent], absent


if __name__ == "__main__":
    # Tries each on the pictures named, once.
    there, missing = prepare()
    for peer in there:
        for argument in sys.argv[1:]:
            try:
                print(f"{peer.name} {peer.version}: {peer.milliseconds(Path(argument)):.0f} ms")
            except PeerError as problem:
                print(f"{peer.name} {peer.version}: {problem}")
    print(os.linesep.join(f"{name}: {reason}" for name, reason in missing.items()))
