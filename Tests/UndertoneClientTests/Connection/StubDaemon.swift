import GLibSupport
import Glibc
import Testing

@testable import UndertoneClient

/// One end of a connection whose other end the test plays, on a thread of its own.
///
/// The script gets the accepted connection's number, and the connection ends with it.
struct StubDaemon {
    let path: [UInt8]

    init(_ script: @escaping @Sendable (Int32) -> Void) throws {
        path = Array("/tmp/ut-stub-\(getpid())-\(UInt64.random(in: 0...UInt64.max))".utf8)
        let listener = try UnixSocket.stream(nonBlocking: false)
        try UnixSocket.bind(listener, to: UnixSocketAddress(path))
        _ = try retrying("listen") { listen(listener.number, 1) }
        // The thread owns the listener and the socket's name from here on.
        let job = Job(path: path, listener: listener.release(), script: script)
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let job = unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
                let connection = accept(job.listener, nil, nil)
                _ = unsafe unlink(job.path.cString)
                close(job.listener)
                job.script(connection)
                close(connection)
                return nil
            }, Unmanaged.passRetained(job).toOpaque())
        try #require(failure == 0)
        pthread_detach(thread)
    }

    private final class Job: Sendable {
        let path: [UInt8]
        let listener: Int32
        let script: @Sendable (Int32) -> Void

        init(path: [UInt8], listener: Int32, script: @escaping @Sendable (Int32) -> Void) {
            self.path = path
            self.listener = listener
            self.script = script
        }
    }
}

/// Reads until the client's end of file.
func readAll(_ connection: Int32) -> [UInt8] {
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = unsafe read(connection, &piece, piece.count)
        if count <= 0 { return result }
        result += piece[..<count]
    }
}

/// Writes a text whole.
func writeAll(_ connection: Int32, _ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return }
        bytes = bytes.dropFirst(count)
    }
}
