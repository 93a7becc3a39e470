"""A column with the average color of each picture, for Nautilus.

A file manager must never wait for us, and Python's threads stand still in it: everything happens
in its own main loop, and rows are filled in as the answers come.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable

from gi.repository import Gio, GLib, GObject, Nautilus

ATTRIBUTE = "undertone_average_color"
# After the daemon could not be started that is not tried again for so long.
PAUSE_SECONDS = 60


def socket_path() -> str:
    """Where the daemon listens."""
    named = os.environ.get("UNDERTONE_SOCKET")
    return named or f"{GLib.get_user_runtime_dir()}/undertone/undertone.sock"


class Question:
    """A picture that the daemon is asked about, on a connection of its own.

    `then` is called with its average color, or with nothing where there is none.
    """

    next_start = 0

    def __init__(self, path: bytes, then: Callable[[str], None]) -> None:
        name = base64.b64encode(path).decode()
        self.line = json.dumps({"path_b64": name, "sampling": "thumbnail"}).encode() + b"\n"
        self.then = then
        self.connection: Gio.SocketConnection | None = None
        self.connect(otherwise=self.start_daemon)

    def connect(self, otherwise: Callable[[], None]) -> None:
        """Asks; calls `otherwise` where nobody listens."""

        def connected(client: Gio.SocketClient, result: Gio.AsyncResult) -> None:
            try:
                self.connection = client.connect_finish(result)
            except GLib.Error:
                otherwise()
            else:
                stream = self.connection.get_output_stream()
                data = GLib.Bytes.new(self.line)
                # A new connection has room for so little: it is written as a whole.
                stream.write_bytes_async(data, GLib.PRIORITY_DEFAULT, None, self.written)

        address = Gio.UnixSocketAddress.new(socket_path())
        Gio.SocketClient.new().connect_async(address, None, connected)

    def start_daemon(self) -> None:
        """Has the command-line client start the daemon, and asks again."""
        now = GLib.get_monotonic_time() // 1_000_000
        silent = Gio.SubprocessFlags.STDOUT_SILENCE | Gio.SubprocessFlags.STDERR_SILENCE
        try:
            if now < Question.next_start:
                raise GLib.Error("it could not be started before")
            Question.next_start = now + PAUSE_SECONDS
            process = Gio.Subprocess.new(["undertone", "status"], silent)
        except GLib.Error:
            self.finish()
        else:
            process.wait_async(None, lambda *_: self.connect(otherwise=self.finish))

    def written(self, stream: Gio.OutputStream, result: Gio.AsyncResult) -> None:
        """Waits for the reply."""
        try:
            stream.write_bytes_finish(result)
            assert self.connection
            lines = Gio.DataInputStream.new(self.connection.get_input_stream())
            lines.read_line_async(GLib.PRIORITY_DEFAULT, None, self.replied)
        except GLib.Error:
            self.finish()

    def replied(self, lines: Gio.DataInputStream, result: Gio.AsyncResult) -> None:
        """Takes the reply."""
        try:
            line, _ = lines.read_line_finish_utf8(result)
            color = json.loads(line or "{}")["result"]["background"]
        # What comes in the daemon's place may be anything: no JSON, nested too deeply, no object.
        except (GLib.Error, LookupError, RecursionError, TypeError, ValueError):
            color = None
        self.finish(color if isinstance(color, str) else "")

    def finish(self, color: str = "") -> None:
        """Hands the color over."""
        if self.connection:
            self.connection.close_async(GLib.PRIORITY_DEFAULT, None, None)
        self.then(color)


class AverageColor(GObject.GObject, Nautilus.ColumnProvider, Nautilus.InfoProvider):
    """The column, and what fills it."""

    def get_columns(self) -> list[Nautilus.Column]:
        """Describes the column, which is shown where the user chooses it."""
        return [
            Nautilus.Column(
                name="AverageColor::average_color",
                attribute=ATTRIBUTE,
                label="Average color",
                description="The average color of a picture",
            )
        ]

    def update_file_info_full(
        self,
        provider: Nautilus.InfoProvider,
        handle: Nautilus.OperationHandle,
        closure: GObject.Closure,
        file: Nautilus.FileInfo,
    ) -> Nautilus.OperationResult:
        """Asks about a file that is a picture by its type."""
        location = file.get_location()
        path = location.get_path() if location else None
        if path is None or not file.get_mime_type().startswith("image/"):
            return Nautilus.OperationResult.COMPLETE

        def fill(color: str) -> None:
            file.add_string_attribute(ATTRIBUTE, color)
            Nautilus.info_provider_update_complete_invoke(
                closure, provider, handle, Nautilus.OperationResult.COMPLETE
            )

        Question(os.fsencode(path), fill)
        return Nautilus.OperationResult.IN_PROGRESS
