"""Questions to undertoned that never block: everything happens in GLib's main loop."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

from gi.repository import Gio, GLib

COLOR = re.compile("#[0-9a-f]{6}")
# Background, text and quieter text, each `#rrggbb`.
Colors = tuple[str, str, str]

# Not tried again for so many seconds where the daemon could not be started.
PAUSE = 60


def socket_path() -> str:
    """Where the daemon listens."""
    own = f"{GLib.get_user_runtime_dir()}/undertone/undertone.sock"
    return os.environ.get("UNDERTONE_SOCKET") or own


def colors_of(reply: Any) -> Colors | None:  # noqa: ANN401 (whatever JSON there is)
    """The colours in a reply; None where a picture has none, and where it is no reply at all."""
    try:
        result = reply["result"]
        texts = [result[kind]["color"] for kind in ("foreground", "secondary")]
        background, foreground, secondary = filter(COLOR.fullmatch, [result["background"], *texts])
    except (LookupError, TypeError, ValueError):
        return None
    return background, foreground, secondary


class Question:
    """Pictures asked about on a connection of their own, which cancelling closes.

    `then` is called with the first picture's colours, or None where there are none, and with
    `about`; never once the question is cancelled.
    """

    next_start = 0

    def __init__(
        self,
        uris: list[str],
        priority: str,
        then: Callable[[Colors | None, Any], None] | None = None,
        about: object = None,
    ) -> None:
        questions = [{"uri": uri, "priority": priority} for uri in uris]
        self.lines = "".join(json.dumps(question) + "\n" for question in questions).encode()
        self.waiting = len(uris)
        self.then, self.about = then, about
        self.cancellable = Gio.Cancellable()
        self.connection: Gio.SocketConnection | None = None
        self.connect(self.start_daemon)

    def cancel(self) -> None:
        """Closes the connection, which withdraws what is not answered yet."""
        self.cancellable.cancel()
        self.close()

    def close(self) -> None:
        """Lets the connection go."""
        if self.connection:
            self.connection.close_async(GLib.PRIORITY_DEFAULT, None, None)
            self.connection = None

    def connect(self, otherwise: Callable[[], None]) -> None:
        """Opens the connection and asks; `otherwise` is called where nobody listens."""

        def connected(client: Gio.SocketClient, outcome: Gio.AsyncResult) -> None:
            try:
                self.connection = client.connect_finish(outcome)
            except GLib.Error as error:
                if not error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED):
                    otherwise()
                return
            # Bytes that GLib itself holds on to until they are written.
            self.connection.get_output_stream().write_bytes_async(
                GLib.Bytes.new(self.lines), GLib.PRIORITY_DEFAULT, self.cancellable, self.written
            )

        address = Gio.UnixSocketAddress.new(socket_path())
        Gio.SocketClient.new().connect_async(address, self.cancellable, connected)

    def start_daemon(self) -> None:
        """Has the client start the daemon, if it is installed, and asks once more."""
        now = GLib.get_monotonic_time() // 1_000_000
        if now < Question.next_start:
            self.finish(None)
            return
        Question.next_start = now + PAUSE

        def started(process: Gio.Subprocess, outcome: Gio.AsyncResult) -> None:
            try:
                process.wait_finish(outcome)
            except GLib.Error:
                return  # Cancelled meanwhile.
            self.connect(lambda: self.finish(None))

        silent = Gio.SubprocessFlags.STDOUT_SILENCE | Gio.SubprocessFlags.STDERR_SILENCE
        try:
            process = Gio.Subprocess.new(["undertone", "status"], silent)
        except GLib.Error:
            self.finish(None)
        else:
            process.wait_async(self.cancellable, started)

    def written(self, stream: Gio.OutputStream, outcome: Gio.AsyncResult) -> None:
        """Reads the replies once the questions are sent: a new connection has room for them."""
        try:
            whole = stream.write_bytes_finish(outcome) == len(self.lines)
        except GLib.Error:
            whole = False
        if whole and self.connection:
            self.replies = Gio.DataInputStream.new(self.connection.get_input_stream())
            self.read()
        else:
            self.finish(None)

    def read(self) -> None:
        """Waits for the next reply."""
        self.replies.read_line_async(GLib.PRIORITY_DEFAULT, self.cancellable, self.replied)

    def replied(self, stream: Gio.DataInputStream, outcome: Gio.AsyncResult) -> None:
        """Takes a reply; of those after the first it is enough that the daemon knows them."""
        try:
            line, _ = stream.read_line_finish_utf8(outcome)
            colors = colors_of(json.loads(line or "{}"))
        # What is nested too deeply is a RecursionError, and all else that is no JSON a ValueError.
        except (GLib.Error, ValueError, RecursionError):
            colors, line = None, None
        self.waiting -= 1
        if line is not None and self.waiting:
            self.read()
        else:
            self.finish(colors)

    def finish(self, colors: Colors | None) -> None:
        """Closes, and hands the colours over unless nobody wants them any more."""
        self.close()
        if self.then and not self.cancellable.is_cancelled():
            self.then(colors, self.about)
