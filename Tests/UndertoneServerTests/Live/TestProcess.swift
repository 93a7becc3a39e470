import Glibc

/// The longest wait for what must happen, in seconds: a sanitizer on a busy machine is slow.
let patience = 60.0

/// A program that a test started, killed and reaped with the test.
final class TestProcess: @unchecked Sendable {
    let pid: pid_t
    private var status: Int32?

    /// Starts a program of the build directory, or of an absolute path.
    ///
    /// - Parameter descriptors: The child's numbers for some of ours.
    init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        descriptors: [(ours: Int32, theirs: Int32)] = [], standardError: String? = nil
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (ours, theirs) in descriptors {
            unsafe posix_spawn_file_actions_adddup2(&actions, ours, theirs)
        }
        if let standardError {
            unsafe posix_spawn_file_actions_addopen(
                &actions, 2, standardError, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        let path = program.hasPrefix("/") ? program : Self.buildDirectory + "/" + program
        let inherited = [
            "PATH", "LD_LIBRARY_PATH", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
        ].compactMap { (name: String) -> (String, String)? in
            unsafe getenv(name).map { unsafe (name, String(cString: $0)) }
        }
        let all = environment.merging(inherited) { ours, _ in ours }
        var argv = unsafe Self.copies([path] + arguments)
        var envp = unsafe Self.copies(all.map { "\($0.key)=\($0.value)" })
        defer {
            for index in unsafe argv.indices { unsafe free(unsafe argv[index]) }
            for index in unsafe envp.indices { unsafe free(unsafe envp[index]) }
        }
        var pid: pid_t = 0
        let failure = unsafe posix_spawn(&pid, path, &actions, nil, &argv, &envp)
        guard failure == 0 else { throw TestFailure("cannot start \(path): error \(failure)") }
        self.pid = pid
    }

    /// C strings with a null pointer behind them.
    private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var result: [UnsafeMutablePointer<CChar>?] = unsafe []
        for string in strings { unsafe result.append(strdup(string)) }
        unsafe result.append(nil)
        return unsafe result
    }

    /// The directory of the programs that were built with the tests.
    static let buildDirectory: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init), as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }()

    func signal(_ number: Int32) {
        if status == nil { kill(pid, number) }
    }

    /// Waits for the end: the exit code, or minus the signal; nil if it did not come in time.
    func wait(seconds: Double = patience) -> Int32? {
        let end = monotonicSeconds() + seconds
        while status == nil {
            var found: Int32 = 0
            if unsafe waitpid(pid, &found, WNOHANG) == pid {
                status = found & 0x7f == 0 ? found >> 8 & 0xff : -(found & 0x7f)
            } else if monotonicSeconds() > end {
                return nil
            } else {
                usleep(2000)
            }
        }
        return status
    }

    deinit {
        signal(SIGKILL)
        _ = wait()
    }
}

/// Whether a process runs; one that is dead and not reaped does not.
func isRunning(_ pid: pid_t) -> Bool {
    let status = TestDaemon.read("/proc/\(pid)/stat")
    guard let end = status.lastIndex(of: ")") else { return false }
    return !status[end...].hasPrefix(") Z")
}

/// Waits until something holds, and tells whether it did in time.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = monotonicSeconds() + patience
    while try !condition() {
        if monotonicSeconds() > end { return false }
        usleep(5000)
    }
    return true
}

/// Why a test cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Seconds on a clock that nobody sets.
func monotonicSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
