"""The thumbnail examples: the real Nautilus shows a column with the average colors of pictures."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from .desktop import Daemon, Desktop, require, wait_until
from .thumbnailing import EXAMPLES
from .wallpapers import draw

COLUMN = "AverageColor::average_color"
PICTURES = {"a.png": "#c86414", "b 'x\n%41.png": "#123456", "clear.svg": "", "notes.txt": ""}

# Says what a screen reader would say.
READER = Path(__file__).with_name("accessible.py")


def is_installed(desktop: Desktop) -> None:
    """Skips, aloud, without what Nautilus and its extensions need."""
    require("nautilus", "gsettings")
    extension = Path("/usr/lib").glob("*/nautilus/extensions-4/libnautilus-python.so")
    if not list(extension):
        pytest.skip("not installed: python3-nautilus")
    probe = "import gi; gi.require_version('Atspi', '2.0')"
    if desktop.try_run("python3", "-c", probe).returncode:
        pytest.skip("not installed: gir1.2-atspi-2.0")


def prepare(desktop: Desktop) -> Path:
    """Installs the extension and returns an empty folder, to be shown with the column."""
    is_installed(desktop)
    extensions = desktop.home / ".local/share/nautilus-python/extensions"
    extensions.mkdir(parents=True)
    name = "undertone-average-color.py"
    (extensions / name).symlink_to(EXAMPLES / name)
    schema = "org.gnome.nautilus"
    columns = f"['name', 'size', '{COLUMN}']"
    for key in ("default-visible-columns", "default-column-order"):
        desktop.run("gsettings", "set", f"{schema}.list-view", key, columns)
    desktop.run(
        *("gsettings", "set", f"{schema}.preferences", "default-folder-viewer", "list-view")
    )
    folder = desktop.home / "Pictures"
    folder.mkdir()
    return folder


@pytest.fixture
def folder(desktop: Desktop) -> Path:
    """A folder with pictures, and with what is none."""
    folder = prepare(desktop)
    for name, color in PICTURES.items():
        if color:
            draw(folder / name, color, (90, 60))
    (folder / "clear.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9"/>')
    (folder / "notes.txt").write_text("none")
    return folder


def rows(desktop: Desktop) -> list[list[str]]:
    """The name, size and color that Nautilus shows, row by row; the first row is the title."""
    found: list[list[str]] = []
    for part in json.loads(desktop.run("/usr/bin/python3", READER, "Average color")):
        if part["role"] == "table row":
            found.append([])
        elif part["role"] == "label" and found:
            # A label without a text is called after its class.
            found[-1].append("" if part["name"] == "GtkLabel" else part["name"])
    return [row[:3] for row in found]


def wait_for_colors(desktop: Desktop, colors: dict[str, str]) -> None:
    """Waits until Nautilus shows these colors behind the names and sizes of files."""
    seen: list[list[str]] = []

    def are_shown() -> bool:
        seen[:] = rows(desktop)
        return seen[1:] != [] and {row[0]: row[-1] for row in seen[1:]} == colors

    try:
        wait_until(are_shown, what="the colors are shown")
    except AssertionError as error:
        raise AssertionError(f"{error}; {seen}; {desktop.log('nautilus')}") from None
    assert seen[0] == ["Name", "Size", "Average color"]


def test_column_has_the_colors(desktop: Desktop, folder: Path) -> None:
    """Of pictures only, without a daemon before; and again when a picture changes."""
    desktop.spawn("nautilus", "--new-window", folder, GTK_A11Y="atspi")
    desktop.window("^Pictures$")
    wait_for_colors(desktop, PICTURES)
    draw(folder / "a.png", "#208020", (90, 60))
    wait_for_colors(desktop, {**PICTURES, "a.png": "#208020"})


def test_rows_do_not_wait_for_the_daemon(desktop: Desktop, daemon: Daemon, folder: Path) -> None:
    """While it takes its time the list can be read and sorted, and then it has the colors."""
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        desktop.spawn("nautilus", "--new-window", folder, GTK_A11Y="atspi")
        window = desktop.window("^Pictures$")
        wait_for_colors(desktop, dict.fromkeys(PICTURES, ""))
        names = [row[0] for row in rows(desktop)[1:]]
        assert names == sorted(PICTURES)
        desktop.run("xdotool", "windowfocus", "--sync", str(window.number))
        # The heads of the columns: that of the names is the first.
        place = (str(window.x + 290), str(window.y + 66))
        desktop.run("xdotool", "mousemove", *place, "click", "1")
        wait_until(lambda: [row[0] for row in rows(desktop)[1:]] == names[::-1], what="sorted")
    finally:
        os.kill(daemon.pid, signal.SIGCONT)
    wait_for_colors(desktop, PICTURES)


def test_column_is_empty_where_nobody_answers(
    desktop: Desktop, daemon: Daemon, folder: Path
) -> None:
    """Rows are there all the same, and what is asked about later has its color again."""
    daemon.kill()
    path, desktop.environment["PATH"] = desktop.environment["PATH"], "/usr/bin:/bin"
    desktop.spawn("nautilus", "--new-window", folder, GTK_A11Y="atspi")
    desktop.window("^Pictures$")
    wait_for_colors(desktop, dict.fromkeys(PICTURES, ""))
    desktop.environment["PATH"] = path
    daemon.start()
    draw(folder / "a.png", "#208020", (90, 60))
    wait_for_colors(desktop, {**dict.fromkeys(PICTURES, ""), "a.png": "#208020"})
