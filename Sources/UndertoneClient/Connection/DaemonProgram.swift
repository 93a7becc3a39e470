internal import CGLib
internal import GLibSupport
internal import Glibc

/// The daemon as a program that this client can start.
enum DaemonProgram {
    /// Finds `undertoned`: beside this program, else on `PATH`.
    static func find() -> [UInt8]? {
        var candidates: [[UInt8]] = []
        if let own = ownPath(), let slash = own.lastIndex(of: UInt8(ascii: "/")) {
            candidates.append(Array(own[..<slash]))
        }
        let path = Environment["PATH"] ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)
        // What a relative entry means changes with the current directory.
        candidates += path.split(separator: UInt8(ascii: ":")).map(Array.init)
            .filter { $0.first == UInt8(ascii: "/") }
        return candidates.map { $0 + Array("/undertoned".utf8) }.first { candidate in
            unsafe g_file_test(candidate.cString, G_FILE_TEST_IS_EXECUTABLE) != 0
                && g_file_test(candidate.cString, G_FILE_TEST_IS_REGULAR) != 0
        }
    }

    /// Starts the daemon in a session of its own, so that it outlives this program and its
    /// terminal, in the root directory, and with nothing of ours open but a pipe for what it says.
    static func start(_ program: [UInt8], _ arguments: [[UInt8]]) throws(ClientError) -> Started {
        let strings = unsafe ([program] + arguments).map { unsafe strdup($0.cString) }
        defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
        var vector = unsafe strings + [nil]
        var pid: GPid = 0
        var words: gint = -1
        var error: UnsafeMutablePointer<GError>?
        let flags = GSpawnFlags(
            G_SPAWN_DO_NOT_REAP_CHILD.rawValue | G_SPAWN_STDOUT_TO_DEV_NULL.rawValue
                | G_SPAWN_CLOEXEC_PIPES.rawValue)
        // In the child, between fork and exec: nothing but a system call.
        let detach: GSpawnChildSetupFunc = { _ in setsid() }
        guard
            unsafe g_spawn_async_with_pipes(
                "/", &vector, nil, flags, detach, nil, &pid, nil, nil, &words, &error) != 0
        else {
            defer { unsafe g_error_free(error) }
            let reason = unsafe error.map { unsafe String(cString: $0.pointee.message) }
            throw .startFailed(reason ?? "unknown error")
        }
        let descriptor = SharedDescriptor(Descriptor(owning: words))
        do throws(SystemError) {
            // Its decoder may hold the other end for a moment longer.
            try UnixSocket.makeNonBlocking(words)
        } catch {
            throw .system(error)
        }
        return Started(pid: pid, words: descriptor)
    }

    private static func ownPath() -> [UInt8]? {
        guard let path = unsafe g_file_read_link("/proc/self/exe", nil) else { return nil }
        defer { unsafe g_free(path) }
        return unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// How a program ended, by its wait status: the signal, else the last line that it wrote.
    static func ending(_ status: Int32, lastLine: String?) -> String {
        // The macros that take a status apart are not importable.
        let signal = status & 0x7f
        if signal != 0 { return "signal \(signal) ended it" }
        return lastLine ?? "it ended with exit status \(status >> 8 & 0xff)"
    }

    /// A daemon that was started.
    struct Started {
        let pid: Int32
        /// What it writes on standard error; closed when nobody listens, which it doesn't mind.
        let words: SharedDescriptor

        /// How it ended, or nil while it runs.
        func ending() -> String? {
            var status: Int32 = 0
            guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
            return DaemonProgram.ending(status, lastLine: lastLine())
        }

        /// The last line that it wrote before it ended, which says why.
        private func lastLine() -> String? {
            var room = [UInt8](repeating: 0, count: 64 * 1024)
            let count = unsafe read(words.number, &room, room.count)
            guard count > 0 else { return nil }
            let line = room[..<count].split(separator: UInt8(ascii: "\n")).last
            return line.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
