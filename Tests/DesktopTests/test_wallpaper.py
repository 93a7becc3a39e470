"""The wallpaper example: what it writes, and how that is undone."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from .desktop import Daemon, Desktop
from .wallpapers import GREEN, NOWHERE, ORANGE, SCRIPT, draw, theme, theme_of, try_theme

from wallpaper.files import STEPS, History  # isort: skip (it is found by the line before)

FILES = [
    ".cache/undertone/sequences",
    ".cache/wal/colors.json",
    ".config/foot/undertone.ini",
    ".config/gtk-4.0/undertone.css",
    ".config/kitty/undertone.conf",
    ".config/undertone/Xresources",
    ".config/waybar/undertone.css",
]


def written(desktop: Desktop) -> list[str]:
    """The files below the home's folders for them, without what the daemon remembers."""
    return sorted(
        str(path.relative_to(desktop.home))
        for folder in (".cache", ".config")
        for path in (desktop.home / folder).rglob("*")
        if path.is_file() and not path.name.startswith("summaries.sqlite")
    )


@pytest.fixture
def orange(desktop: Desktop) -> Path:
    """An orange picture."""
    return draw(desktop.home / "orange.png", ORANGE)


@pytest.mark.usefixtures("daemon")
def test_writes_only_what_changes(desktop: Desktop, green: Path) -> None:
    """Every format is written once, with the theme's background in it, and no more after that."""
    names = theme(desktop, green).splitlines()
    assert written(desktop) == FILES
    assert sorted(names) == sorted(str(desktop.home / name) for name in FILES)
    background = theme_of(desktop, green)["background"]
    for name in FILES:
        assert background.removeprefix("#") in (desktop.home / name).read_text()
    before = {name: (desktop.home / name).stat() for name in FILES}
    assert theme(desktop, green) == ""
    after = {name: (desktop.home / name).stat() for name in FILES}
    assert {n: (s.st_ino, s.st_mtime_ns) for n, s in before.items()} == {
        n: (s.st_ino, s.st_mtime_ns) for n, s in after.items()
    }


@pytest.mark.usefixtures("daemon")
def test_writes_only_what_it_is_told(desktop: Desktop, green: Path) -> None:
    """`--only` leaves the others out, and knows its formats."""
    theme(desktop, "--only", "kitty,pywal", green)
    assert written(desktop) == [".cache/wal/colors.json", ".config/kitty/undertone.conf"]
    refused = try_theme(desktop, "--only", "kitty,kity", green)
    assert refused.returncode == 2
    assert "'kity'" in refused.stderr


@pytest.mark.usefixtures("daemon")
def test_shows_what_it_would_do(desktop: Desktop, green: Path) -> None:
    """`--dry-run` prints a difference and touches nothing."""
    shown = theme(desktop, "--dry-run", green)
    background = theme_of(desktop, green)["background"]
    assert f"+background {background}\n" in shown
    assert "\x1b" not in shown
    assert written(desktop) == []
    assert not (desktop.home / ".local").exists()


@pytest.mark.usefixtures("daemon")
def test_is_dark_or_light(desktop: Desktop, green: Path, orange: Path) -> None:
    """The picture decides, unless it is told."""
    kitty = desktop.home / ".config/kitty/undertone.conf"
    for picture, option, scheme in [
        (green, "auto", "dark"),
        (orange, "auto", "light"),
        (green, "light", "light"),
        (orange, "dark", "dark"),
    ]:
        theme(desktop, "--only", "kitty", "--scheme", option, picture)
        answer = theme_of(desktop, picture, option)
        assert answer["scheme"] == scheme
        assert f"background {answer['background']}\n" in kitty.read_text()


@pytest.mark.usefixtures("daemon")
def test_undoes_step_by_step(desktop: Desktop, green: Path, orange: Path) -> None:
    """First the theme before the last comes back, then what there was before any."""
    kitty = desktop.home / ".config/kitty/undertone.conf"
    foot = desktop.home / ".config/foot/undertone.ini"
    kitty.parent.mkdir(parents=True)
    kitty.write_bytes(b"# mine \xff\n")
    kitty.chmod(0o600)
    theme(desktop, green)
    first = kitty.read_bytes()
    theme(desktop, orange)
    assert kitty.read_bytes() != first
    theme(desktop, "--undo")
    assert kitty.read_bytes() == first
    theme(desktop, "--undo")
    assert kitty.read_bytes() == b"# mine \xff\n"
    assert kitty.stat().st_mode & 0o777 == 0o600
    assert not foot.exists()
    assert written(desktop) == [".config/kitty/undertone.conf"]
    ended = try_theme(desktop, "--undo")
    assert (ended.returncode, ended.stderr) == (
        1,
        "theme-from-wallpaper: there is nothing to undo\n",
    )


def test_undoes_all_however_many(tmp_path: Path) -> None:
    """What was there before the first of many themes is not forgotten."""
    often, seldom, never = tmp_path / "often", tmp_path / "seldom", tmp_path / "never"
    often.write_text("mine")
    history = History(tmp_path / "history.json")
    for index in range(3 * STEPS + 1):
        texts = {often: str(index), never: "always the same"}
        assert often in history.apply(texts | ({seldom: str(index)} if index % 7 == 3 else {}))
    assert len(json.loads((tmp_path / "history.json").read_text())) == STEPS
    assert history.undo() == ({often: str(3 * STEPS - 1)}, [])
    restored, foreign = history.undo(everything=True)
    assert (restored, foreign) == ({often: "mine", seldom: None, never: None}, [])
    assert often.read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir() if entry.suffix != ".lock"] == ["often"]


@pytest.mark.usefixtures("daemon")
def test_leaves_what_others_have_changed(desktop: Desktop, green: Path) -> None:
    """A file that was edited since is not overwritten by undoing, and that is said."""
    theme(desktop, "--only", "kitty,foot", green)
    kitty = desktop.home / ".config/kitty/undertone.conf"
    kitty.write_text("# mine\n")
    undone = try_theme(desktop, "--undo")
    assert undone.returncode == 0
    assert str(kitty) in undone.stderr
    assert kitty.read_text() == "# mine\n"
    assert written(desktop) == [".config/kitty/undertone.conf"]


@pytest.mark.usefixtures("daemon")
def test_writes_through_links(desktop: Desktop, green: Path) -> None:
    """A file that is kept elsewhere stays there, and its link a link."""
    kept = desktop.home / "dotfiles/kitty.conf"
    kept.parent.mkdir()
    kept.write_text("")
    link = desktop.home / ".config/kitty/undertone.conf"
    link.parent.mkdir(parents=True)
    link.symlink_to(kept)
    theme(desktop, "--only", "kitty", green)
    assert link.is_symlink()
    assert "background #" in kept.read_text()


@pytest.mark.parametrize(
    "name",
    [b"two words.png", b"-n.png", b"line\nbreak.png", b"'q\" $(x) `y`.png", b"cut \xe2\x82.png"],
)
@pytest.mark.usefixtures("daemon")
def test_takes_any_name(desktop: Desktop, name: bytes) -> None:
    """A picture's name may be any bytes, and the hook gets them as they are."""
    picture = draw(desktop.home / "green.png", GREEN)
    named = os.fsencode(desktop.home) + b"/" + name
    os.rename(picture, named)  # noqa: PTH104 (pathlib knows no bytes)
    hook = desktop.home / "hook"
    hook.write_text('#!/bin/sh\nprintf \'%s|%s\' "$1" "$UNDERTONE_BACKGROUND" >"$HOME/told"\n')
    hook.chmod(0o755)
    theme(desktop, "--hook", hook, "--", name)
    background = json.loads((desktop.home / ".cache/wal/colors.json").read_text())["special"][
        "background"
    ]
    assert (desktop.home / "told").read_bytes() == named + b"|" + background.encode()


def test_starts_the_daemon(desktop: Desktop, green: Path) -> None:
    """Where none runs, one is started."""
    theme(desktop, "--only", "kitty", green)
    assert "undertoned" in desktop.processes().values()
    assert written(desktop)[-1] == ".config/kitty/undertone.conf"


def test_says_that_nobody_answers(desktop: Desktop, green: Path) -> None:
    """Without the programs it ends with 2, a message and everything as it was."""
    desktop.environment["PATH"] = "/usr/bin:/bin"
    failed = try_theme(desktop, green)
    assert failed.returncode == 2
    assert failed.stderr.startswith("theme-from-wallpaper: undertoned cannot be asked")
    assert written(desktop) == []


@pytest.mark.usefixtures("daemon")
def test_leaves_all_as_it_is_where_there_is_no_theme(desktop: Desktop, green: Path) -> None:
    """A picture that is none, or that cannot be seen, changes nothing."""
    theme(desktop, green)
    before = {name: (desktop.home / name).read_bytes() for name in FILES}
    text = desktop.home / "text.png"
    text.write_text("no picture")
    clear = desktop.home / "clear.svg"
    clear.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for picture, words in [
        (text, "unsupported_format"),
        (clear, "can be seen"),
        (desktop.home / "gone.png", "not_found"),
    ]:
        failed = try_theme(desktop, picture)
        assert failed.returncode == 1
        assert words in failed.stderr
    assert {name: (desktop.home / name).read_bytes() for name in FILES} == before


@pytest.mark.usefixtures("daemon")
def test_outlives_a_hook_that_fails(desktop: Desktop, green: Path) -> None:
    """The theme is written, and what failed is said."""
    done = try_theme(desktop, "--hook", "/bin/false", green)
    assert done.returncode == 1
    assert "the hook has failed" in done.stderr
    assert written(desktop) == FILES


def test_waits_for_a_slow_answer(desktop: Desktop, green: Path) -> None:
    """A daemon that takes its time is waited for, and blanks before an answer are nothing."""
    directory = desktop.runtime / "undertone"
    directory.mkdir(mode=0o700)
    real = Daemon(desktop.directory, environment=desktop.environment).start()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(directory / "undertone.sock"))
        listener.listen()
        script = desktop.spawn(SCRIPT, *NOWHERE, "--only", "kitty", green)
        client, _ = listener.accept()
        with client, client.makefile("rb") as lines, real.connect() as connection:
            for line in lines:
                # Nothing is written while nothing is known.
                client.sendall(b" " * 8)
                assert script.poll() is None
                assert written(desktop) == []
                connection.send_bytes(line)
                client.sendall(connection.raw_line())
        assert script.wait(timeout=60) == 0
    real.stop()
    assert written(desktop) == [".config/kitty/undertone.conf"]
