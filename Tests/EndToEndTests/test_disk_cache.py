"""The cache that outlives the daemon: what it answers, and what a disk can do to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import mounts, names
from .harness.connection import Reply, wait_until
from .harness.daemon import Daemon
from .harness.hanging import HangingMount, NoFuseError
from .harness.users import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parent / "cases"
RED = CASES / "49-ipc-framing/red.png"
PICTURES = sorted(CASES.glob("13-contrast-table/*.png"))


def store(daemon: Daemon) -> Path:
    """Where a daemon keeps its summaries."""
    return Path(daemon.environment["XDG_CACHE_HOME"]) / "undertone/summaries.sqlite"


def files(daemon: Daemon) -> list[str]:
    """What there is in the cache's directory."""
    return sorted(path.name for path in store(daemon).parent.iterdir())


def ask_all(daemon: Daemon, pictures: list[Path]) -> list[Reply]:
    """Asks about pictures, in several ways."""
    replies = []
    with daemon.connect() as connection:
        for number, path in enumerate(pictures):
            several: list[dict[str, object]] = [
                {},
                {"sampling": "exact"},
                {"backdrop": "#102030", "contrast": 7},
                {"regions": {"r": {"edge": "top", "size": 0.5}}, "average": "oklab"},
                {"op": "palette", "count": 3},
            ]
            replies += [connection.ask(id=number, path=str(path), **more) for more in several]
    assert all("result" in reply for reply in replies)
    return replies


def ask_for_stored(daemon: Daemon, ask: Callable[[], object]) -> dict[str, int]:
    """Starts a daemon, which must find on disk all that it is asked, and returns its counters.

    Where the machine was too busy for the disk to be waited for, it is started again.
    """
    for _ in range(6):
        daemon.start()
        before = daemon.log.read_text().count("does not answer")
        ask()
        if daemon.log.read_text().count("does not answer") == before:
            counters = daemon.counters()
            assert counters["decodes"] == counters["diskMisses"] == 0
            return counters
        daemon.stop()
    pytest.fail("the machine is too busy")


def fill(daemon: Daemon) -> Reply:
    """Has a daemon decode and keep one picture, and ends it; returns its answer."""
    daemon.start()
    answer = daemon.color(RED)
    daemon.stop()
    return answer


def forget(picture: Path) -> None:
    """Has the kernel forget where a picture is, as after a boot."""
    try:
        names.forget(picture)
    except names.NoForgettingError as error:
        pytest.skip(str(error))


def assert_red(daemon: Daemon, answer: Reply) -> None:
    """Asks again about the picture of `fill`."""
    assert daemon.color(RED) == answer


def test_drawings_are_drawn_anew(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    drawing = directory / "drawing.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">'
        '<rect width="8" height="8" fill="#c81414"/></svg>'
    )
    daemon = make_daemon().start()
    first = daemon.color(drawing)
    answer = daemon.color(RED)
    daemon.stop()
    daemon.start()
    assert daemon.color(drawing) == first
    assert daemon.color(RED) == answer
    assert daemon.counters()["decodes"] == 1


def test_a_new_daemon_answers_without_decoding(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon().start()
    before = ask_all(daemon, PICTURES)
    # Four different jobs each: a contrast or an operation is no other one.
    assert daemon.counters()["decodes"] == 4 * len(PICTURES)
    daemon.stop()

    def ask() -> None:
        assert ask_all(daemon, PICTURES) == before

    assert ask_for_stored(daemon, ask)["diskHits"] == 4 * len(PICTURES)
    # What was found on disk is in memory now.
    ask()
    assert daemon.counters()["diskHits"] == 4 * len(PICTURES)


@pytest.mark.parametrize("through", ["itself", "a link"])
def test_after_a_boot_nothing_is_decoded(
    make_daemon: Callable[..., Daemon], draw: Callable[..., Path], through: str
) -> None:
    daemon = make_daemon().start()
    picture = path = draw("picture.png", color=(20, 20, 200))
    if through == "a link":
        path = picture.with_name("link")
        path.symlink_to(picture.name)
    time.sleep(0.05)
    answer = daemon.ask(path=str(path))
    assert answer["result"]["background"] == "#1414c8"
    assert daemon.counters()["decodes"] == 1
    daemon.stop()

    def ask() -> None:
        forget(picture)
        assert not names.known(path)
        assert daemon.ask(path=str(path)) == answer

    assert ask_for_stored(daemon, ask)["diskHits"] == 1


def test_whoever_asks_for_more_decodes_once_more(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    fill(daemon)
    daemon.start()
    daemon.color(RED, regions={"r": {"edge": "top", "size": 0.25}})
    daemon.color(RED, backdrop="#000000")
    counters = daemon.counters()
    assert (counters["decodes"], counters["diskHits"], counters["diskMisses"]) == (2, 0, 2)


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_a_file_that_has_changed_is_another(
    make_daemon: Callable[..., Daemon], draw: Callable[..., Path], is_forgotten: bool
) -> None:
    daemon = make_daemon().start()
    picture = draw("picture.png", color=(200, 20, 20))
    time.sleep(0.05)
    assert daemon.color(picture)["background"] == "#c81414"
    daemon.stop()
    times = picture.stat()
    draw("picture.png", color=(20, 200, 20))
    os.utime(picture, ns=(times.st_atime_ns, times.st_mtime_ns))
    daemon.start()
    if is_forgotten:
        forget(picture)
    assert daemon.color(picture)["background"] == "#14c814"
    counters = daemon.counters()
    assert (counters["diskHits"], counters["diskMisses"]) == (0, 1)


def test_nothing_is_opened_before_a_question(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon().start()
    daemon.status()
    assert not store(daemon).parent.exists()
    assert daemon.error("/missing")["code"] == "not_found"
    assert not store(daemon).parent.exists()


def test_only_the_user_may_look(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    store(daemon).parent.mkdir(parents=True, mode=0o755)
    daemon.start()
    daemon.color(RED)
    wait_until(lambda: "summaries.sqlite-wal" in files(daemon))
    assert stat.S_IMODE(store(daemon).parent.stat().st_mode) == 0o700
    for name in files(daemon):
        assert stat.S_IMODE((store(daemon).parent / name).stat().st_mode) == 0o600
    daemon.stop()
    # Nothing beside the database outlives its use.
    assert files(daemon) == ["summaries.sqlite"]


def test_it_is_told_of_and_emptied(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    daemon.start()
    nothing = daemon.ask(op="cache")["result"]
    assert nothing["memory"]["entries"] == nothing["disk"]["entries"] == 0
    answers = ask_all(daemon, PICTURES)
    number = 4 * len(PICTURES)

    def told(**options: object) -> tuple[Reply, Reply]:
        result = daemon.ask(op="cache", **options)["result"]
        return result["memory"], result["disk"]

    wait_until(lambda: bool(told()[1]["entries"] == number), what="all is written")
    memory, disk = told()
    assert memory["entries"] == number
    # Five questions about each picture, two of them of one job.
    assert (memory["hits"], memory["misses"]) == (len(PICTURES), number)
    assert (disk["hits"], disk["misses"]) == (0, number)
    assert (disk["state"], disk["path"], disk["limit"]) == ("ready", str(store(daemon)), 256 << 20)
    assert disk["bytes"] == sum(path.stat().st_size for path in store(daemon).parent.iterdir())
    memory, disk = told(clear=True)
    assert memory["entries"] == memory["bytes"] == disk["entries"] == 0
    # Nothing is found, here or there, and everything is again.
    assert ask_all(daemon, PICTURES) == answers
    assert daemon.counters()["decodes"] == 2 * number
    daemon.stop()
    ask_for_stored(daemon, lambda: ask_all(daemon, PICTURES))
    # Emptied by a daemon that has nothing in memory, for the next one.
    told(clear=True)
    daemon.stop()
    daemon.start()
    ask_all(daemon, PICTURES)
    assert daemon.counters()["diskHits"] == 0


@pytest.mark.parametrize("option", ["--no-cache", "--cache-size=0"])
def test_without_a_cache_there_is_nothing_to_tell(
    make_daemon: Callable[..., Daemon], option: str
) -> None:
    daemon = make_daemon(arguments=[option]).start()
    daemon.color(RED)
    for clear in (False, True):
        result = daemon.ask(op="cache", clear=clear)["result"]
        assert result["memory"]["entries"] == (0 if clear else 1)
        assert result["disk"] == {
            "state": "off",
            "path": None,
            "entries": None,
            "bytes": None,
            "limit": 0,
            "hits": 0,
            "misses": 0,
        }
    assert not Path(daemon.environment["XDG_CACHE_HOME"]).exists()


def test_what_another_daemon_has_is_not_emptied(make_daemon: Callable[..., Daemon]) -> None:
    first = make_daemon().start()
    second = make_daemon(
        environment={"XDG_CACHE_HOME": first.environment["XDG_CACHE_HOME"]}
    ).start()

    def replies() -> tuple[Reply, Reply]:
        first.color(RED, backdrop=f"#{time.monotonic_ns() % 0xFFFFFF:06x}")
        return second.ask(op="cache", clear=True), second.ask(op="cache")

    # Where the machine is very busy, the first has let it go by then.
    for _ in range(20):
        refused, told = replies()
        if "error" in refused:
            break
    assert refused["error"]["code"] == "busy"
    if told["result"]["disk"]["state"] == "busy":
        assert told["result"]["disk"]["entries"] is None
    first.stop()
    wait_until(lambda: "result" in second.ask(op="cache", clear=True), what="it is let go")


def test_no_path_is_kept(make_daemon: Callable[..., Daemon], draw: Callable[..., Path]) -> None:
    daemon = make_daemon().start()
    picture = draw("a-telling-name.png")
    time.sleep(0.05)
    daemon.color(picture)
    daemon.stop()
    kept = store(daemon).read_bytes()
    assert len(kept) > 1000
    assert b"telling" not in kept
    assert os.fsencode(picture.parent.name) not in kept


def test_it_is_let_go_when_nobody_asks(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon().start()
    daemon.color(RED)
    wait_until(lambda: "summaries.sqlite-wal" in files(daemon))
    wait_until(lambda: files(daemon) == ["summaries.sqlite"], what="the file is let go")
    database = sqlite3.connect(store(daemon))
    assert database.execute("SELECT count(*) FROM entry").fetchone() == (1,)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    daemon.color(RED, backdrop="#123456")
    assert daemon.counters()["diskMisses"] == 2


@pytest.mark.parametrize("option", ["--no-cache", "--cache-size=0"])
def test_without_a_cache_nothing_is_written(
    make_daemon: Callable[..., Daemon], option: str
) -> None:
    daemon = make_daemon(arguments=[option])
    fill(daemon)
    assert not Path(daemon.environment["XDG_CACHE_HOME"]).exists()
    daemon.start()
    daemon.color(RED)
    assert daemon.counters()["decodes"] == 1
    assert daemon.status()["limits"]["diskCacheBytes"] == 0


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"XDG_CACHE_HOME": ""}, ".cache/undertone"),
        ({"XDG_CACHE_HOME": "relative"}, ".cache/undertone"),
        ({"XDG_CACHE_HOME": "", "HOME": ""}, None),
    ],
)
def test_the_place(
    make_daemon: Callable[..., Daemon], environment: dict[str, str], place: str | None
) -> None:
    daemon = make_daemon(environment=environment)
    fill(daemon)
    if place is not None:
        assert (daemon.directory / place / "summaries.sqlite").exists()
        return
    assert list(daemon.directory.rglob("*.sqlite*")) == []


def test_a_damaged_file_is_made_anew(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    answer = fill(daemon)
    good = store(daemon).read_bytes()
    damages = {
        "empty": b"",
        "random": os.urandom(20_000),
        "no database": b"not a database at all\n" * 1000,
        "cut": good[: len(good) // 2],
        "header": b"\0" * 100 + good[100:],
        "schema": good[:100] + os.urandom(4000) + good[4100:],
    }
    for name, damaged in damages.items():
        store(daemon).write_bytes(damaged)
        assert fill(daemon) == answer, name
        assert ask_for_stored(daemon, lambda: assert_red(daemon, answer))["diskHits"] == 1, name
        daemon.stop()
    lines = [line for line in daemon.log.read_text().splitlines() if "anew" in line]
    # An empty file is what a new one is.
    assert len(lines) == len(damages) - 1


@pytest.mark.parametrize("kind", ["link", "dangling", "hard link", "fifo", "version", "foreign"])
def test_what_is_in_the_file_s_place_is_replaced(
    make_daemon: Callable[..., Daemon], directory: Path, kind: str
) -> None:
    daemon = make_daemon()
    precious = directory / "precious"
    precious.write_text("precious")
    place = store(daemon)
    place.parent.mkdir(parents=True, mode=0o700)
    if kind == "link":
        place.symlink_to(precious)
    elif kind == "dangling":
        place.symlink_to(directory / "nothing")
    elif kind == "hard link":
        place.hardlink_to(precious)
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        database = sqlite3.connect(place)
        database.execute("CREATE TABLE entry (id INTEGER)")
        if kind == "version":
            database.execute("PRAGMA application_id = 1431589715")
            database.execute("PRAGMA user_version = 99")
        database.close()
    answer = fill(daemon)
    ask_for_stored(daemon, lambda: assert_red(daemon, answer))
    assert precious.read_text() == "precious"
    assert not (directory / "nothing").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("whose", ["file", "directory"])
def test_what_is_somebody_else_s_is_left_alone(
    make_daemon: Callable[..., Daemon], whose: str
) -> None:
    daemon = make_daemon()
    place = store(daemon)
    place.parent.mkdir(parents=True, mode=0o700)
    place.write_text("precious")
    os.chown(place if whose == "file" else place.parent, NOBODY, NOBODY)
    daemon.start()
    for turn in range(3):
        daemon.color(RED, backdrop=f"#00000{turn}")
    assert daemon.counters()["decodes"] == 3
    assert place.read_text() == "precious"
    assert daemon.log.read_text().count("cannot be used") == 1


def test_a_directory_in_the_file_s_place(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    (store(daemon) / "precious").mkdir(parents=True)
    fill(daemon)
    assert (store(daemon) / "precious").is_dir()
    assert daemon.log.read_text().count("cannot be used") == 1


@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_directory_that_cannot_be_written(unstarted: Daemon, directory: Path, mode: int) -> None:
    daemon = unstarted
    cache = Path(daemon.environment["XDG_CACHE_HOME"])
    cache.mkdir()
    cache.chmod(mode)
    picture = shutil.copy(RED, directory / "red.png")
    Path(picture).chmod(0o644)
    daemon.start()
    for turn in range(3):
        assert daemon.color(picture, backdrop=f"#00000{turn}")
    assert daemon.counters()["decodes"] == 3
    daemon.stop()
    cache.chmod(0o700)
    assert list(cache.iterdir()) == []
    assert daemon.log.read_text().count("cannot be used") == 1


@pytest.mark.skipif(not mounts.allowed(), reason="this user may not mount")
def test_a_full_disk(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    answer = fill(daemon)
    kept = store(daemon).read_bytes()
    cache = Path(daemon.environment["XDG_CACHE_HOME"])
    shutil.rmtree(cache)
    cache.mkdir()
    with mounts.memory(cache, size="2m"):
        store(daemon).parent.mkdir(mode=0o700)
        store(daemon).write_bytes(kept)
        filler = cache / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while True:
                file.write(bytes(4096))
        # What is there is found, and everything else decoded.
        ask_for_stored(daemon, lambda: assert_red(daemon, answer))
        before = ask_all(daemon, PICTURES)
        wait_until(lambda: "cannot grow" in daemon.log.read_text())
        assert ask_all(daemon, PICTURES) == before
        assert daemon.log.read_text().count("cannot grow") == 1
        filler.unlink()
        daemon.color(RED, backdrop="#123456")
        daemon.stop()

        def ask() -> None:
            daemon.color(RED, backdrop="#123456")

        ask_for_stored(daemon, ask)
        daemon.stop()


def test_a_disk_that_hangs(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    try:
        with HangingMount(directory / "hang") as mount:
            hanging = {"XDG_CACHE_HOME": str(mount.directory / "c")}
            daemon, other = (make_daemon(environment=hanging).start() for _ in range(2))
            for turn in range(20):
                daemon.color(RED, backdrop=f"#0000{turn:02}")
            counters = daemon.counters()
            assert (counters["decodes"], counters["diskMisses"]) == (20, 20)
            assert daemon.log.read_text().count("does not answer") == 1
            other.color(RED)
            # Told to, it ends at once. Its thread cannot, and the kernel keeps the rest of it.
            assert other.process is not None
            other.process.terminate()
            wait_until(lambda: not other.socket.exists())
            mount.let_go()
            wait_until(lambda: "answers again" in daemon.log.read_text())
            daemon.color(RED, backdrop="#ffffff")
            daemon.stop()
            assert other.process.wait(60) == 0
    except NoFuseError as error:
        pytest.skip(str(error))


def test_two_daemons_share_it(make_daemon: Callable[..., Daemon]) -> None:
    first = make_daemon()
    second = make_daemon(environment={"XDG_CACHE_HOME": first.environment["XDG_CACHE_HOME"]})
    first.start()
    second.start()
    answers = ask_all(first, PICTURES)

    def ask(daemon: Daemon) -> None:
        assert ask_all(daemon, PICTURES) == answers

    # The first has the file still, or not any more: the answers are the same.
    ask(second)
    first.stop()
    second.stop()
    ask_for_stored(second, lambda: ask(second))
    # Once it has let go, either gets it.
    wait_until(lambda: files(second) == ["summaries.sqlite"], what="the file is let go")
    ask_for_stored(first, lambda: ask(first))


def test_killed_at_any_moment(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    answers: dict[int, Reply] = {}
    for turn in range(8):
        daemon.start()
        with daemon.connect() as connection:
            for number in range(turn * 64, turn * 64 + 64):
                connection.send(id=number, path=str(RED), backdrop=f"#{number:06x}")
            for _ in range(64):
                reply = connection.receive()
                answers[reply["id"]] = reply
        # A batch is under way, or none: at another moment each time.
        time.sleep(0.07 * turn)
        daemon.kill()
    daemon.start()
    with daemon.connect() as connection:
        for number, answer in answers.items():
            assert connection.ask(id=number, path=str(RED), backdrop=f"#{number:06x}") == answer
    assert daemon.counters()["diskHits"] > 0
    daemon.stop()
    assert "anew" not in daemon.log.read_text()
    database = sqlite3.connect(store(daemon))
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


@pytest.fixture
def noise(directory: Path) -> Path:
    """A picture whose summary is as large as any."""
    pixels = np.random.default_rng(1).integers(0, 256, (24, 24, 3), dtype=np.uint8)
    path = directory / "noise.png"
    Image.fromarray(pixels).save(path)
    time.sleep(0.05)
    return path


def ask_in_colors(daemon: Daemon, picture: Path, numbers: range) -> None:
    """Asks for as many different decodes of one picture."""
    with daemon.connect() as connection:
        for number in numbers:
            assert "result" in connection.ask(path=str(picture), backdrop=f"#{number:06x}")


def test_the_files_stay_below_the_limit(make_daemon: Callable[..., Daemon], noise: Path) -> None:
    daemon = make_daemon(arguments=["--cache-size", "1"]).start()
    for turn in range(0, 900, 100):
        ask_in_colors(daemon, noise, range(turn, turn + 100))
        size = sum(path.stat().st_size for path in store(daemon).parent.iterdir())
        # The database, and the log that is written back into it.
        assert size < (1 << 20) * 5 // 4
    daemon.stop()
    assert (1 << 19) < store(daemon).stat().st_size <= 1 << 20
    # The latest are there, the first are not.
    ask_for_stored(daemon, lambda: ask_in_colors(daemon, noise, range(890, 900)))
    ask_in_colors(daemon, noise, range(10))
    assert daemon.counters()["diskHits"] == 10


def test_a_lower_limit_holds_for_what_is_there(
    make_daemon: Callable[..., Daemon], noise: Path
) -> None:
    daemon = make_daemon(arguments=["--cache-size", "2"]).start()
    ask_in_colors(daemon, noise, range(900))
    daemon.stop()
    # More than is allowed from now on.
    assert store(daemon).stat().st_size > 1 << 20
    daemon.arguments = ["--cache-size", "1"]
    daemon.start()
    daemon.color(RED)
    wait_until(lambda: files(daemon) == ["summaries.sqlite"], what="the file is let go")
    assert (1 << 19) < store(daemon).stat().st_size <= 1 << 20
