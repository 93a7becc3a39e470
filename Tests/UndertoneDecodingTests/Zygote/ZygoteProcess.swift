import CLinux
import GLibSupport
import Glibc
import Testing
import UndertoneProtocol

/// A running `undertone-decoder`, with this process in the place of its daemon.
final class ZygoteProcess {
    let pid: pid_t
    /// The daemon's end of the socket; -1 once closed.
    private(set) var socket: Int32
    /// The reading end of the zygote's standard error.
    private let diagnostics: Descriptor
    private var isReaped = false

    /// Starts the program that was built with these tests.
    ///
    /// - Parameters:
    ///   - wrapper: Words to put before the program's own, such as `prlimit` and its options.
    ///   - hasSmallBuffers: Whether a few packets fill the socket, each way.
    init(
        arguments: [String] = [], wrapper: [String] = [],
        socketType: __socket_type = SOCK_SEQPACKET, hasSmallBuffers: Bool = false
    ) throws {
        var ends: [Int32] = [-1, -1]
        unsafe try #require(socketpair(AF_UNIX, Int32(socketType.rawValue), 0, &ends) == 0)
        let own = Descriptor(owning: ends[0])
        let theirs = Descriptor(owning: ends[1])
        _ = fcntl(own.number, F_SETFD, FD_CLOEXEC)
        if hasSmallBuffers {
            // The kernel raises it to its own minimum.
            var size: Int32 = 1
            let length = socklen_t(MemoryLayout<Int32>.size)
            for end in ends { unsafe setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, length) }
        }
        var pipe: [Int32] = [-1, -1]
        unsafe try #require(clinux_pipe(&pipe) == 0)
        let reading = Descriptor(owning: pipe[0])
        let writing = Descriptor(owning: pipe[1])

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, writing.number, STDERR_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, theirs.number, 3)

        let words = wrapper + [Self.program] + arguments
        var argv = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let variables =
            ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + Self.sanitizerVariables
        var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe environment.forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let result = unsafe posix_spawn(&pid, words[0], &actions, nil, &argv, &environment)
        try #require(result == 0, "posix_spawn of \(words[0]): \(result)")
        self.pid = pid
        socket = own.release()
        diagnostics = reading
    }

    deinit {
        closeSocket()
        if !isReaped {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    /// What tells a sanitizer what to look for, if one is compiled in: see scripts/sanitize.
    static var sanitizerVariables: [String] {
        [
            ("UNDERTONE_DECODER_ASAN_OPTIONS", "ASAN_OPTIONS"),
            ("UNDERTONE_DECODER_LSAN_OPTIONS", "LSAN_OPTIONS"), ("TSAN_OPTIONS", "TSAN_OPTIONS"),
        ].compactMap { (ours: String, theirs: String) in
            unsafe getenv(ours).map { unsafe "\(theirs)=\(String(cString: $0))" }
        }
    }

    /// The program, which lies beside the one that runs the tests.
    static var program: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
        return path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/undertone-decoder"
    }

    func closeSocket() {
        if socket >= 0 { close(socket) }
        socket = -1
    }

    func send(_ job: DecodeJob, slot: UInt32) throws {
        try send(job.encoded(slot: slot))
    }

    func send(_ packet: [UInt8], _ descriptors: [Int32] = []) throws {
        _ = try checking("send") {
            unsafe clinux_send(
                socket, packet, packet.count, descriptors, Int32(descriptors.count))
        }
    }

    /// The next event, with the descriptors that came with it.
    func next(within milliseconds: Int32 = 60_000) throws -> (ZygoteEvent, [SharedDescriptor]) {
        try #require(wait(for: socket, milliseconds), "the zygote says nothing")
        var buffer = [UInt8](repeating: 0, count: 512)
        var numbers: [Int32] = [-1, -1, -1, -1]
        var count = Int32(numbers.count)
        let received = try checking("receive") {
            unsafe clinux_receive(socket, &buffer, buffer.count, &numbers, &count)
        }
        let descriptors = numbers.prefix(Int(count)).map {
            SharedDescriptor(Descriptor(owning: $0))
        }
        let event = try #require(
            ZygoteEvent(validating: Array(buffer.prefix(received))), "\(received) bytes")
        return (event, descriptors)
    }

    /// Waits for `.ready` and `.prepared`.
    func capabilities() throws -> DecoderCapabilities {
        guard case (.ready(let capabilities), _) = try next() else {
            throw SystemError(EPROTO, "the first event is not .ready")
        }
        guard case (.prepared, _) = try next() else {
            throw SystemError(EPROTO, "the second event is not .prepared")
        }
        return capabilities
    }

    /// Starts a child and takes its descriptors.
    func start(_ job: DecodeJob, slot: UInt32 = 1) throws -> StartedChild {
        try send(job, slot: slot)
        return try started(in: slot)
    }

    /// Has watches placed in an instance, or without one paths looked at, and waits until the child
    /// is gone.
    func watch(_ paths: [String], in instance: SharedDescriptor?) throws -> WatchReport {
        let job = WatchJob(paths: paths.map { Array($0.utf8) }, placesWatches: instance != nil)
        try send(job.encoded(slot: 1), instance.map { [$0.number] } ?? [])
        let report = try WatchReport(validating: try started(in: 1).readReport())
        #expect(try next().0 == .exited(slot: 1, code: 0, signal: 0))
        return report
    }

    private func started(in slot: UInt32) throws -> StartedChild {
        let (event, descriptors) = try next()
        guard case .started(slot, let pid) = event, descriptors.count == 2 else {
            throw SystemError(EPROTO, "\(event) with \(descriptors.count) descriptors")
        }
        return StartedChild(pid: pid, report: descriptors[0], handle: descriptors[1])
    }

    /// Asks for one picture and waits until its child is gone.
    func ask(_ job: DecodeJob, slot: UInt32 = 1) throws -> (DecodeReport, ZygoteEvent) {
        let child = try start(job, slot: slot)
        let report = try DecodeReport(validating: child.readReport())
        return (report, try next().0)
    }

    /// The exit code, or minus the signal, once the process is gone.
    func exitCode(within milliseconds: Int = 60_000) throws -> Int32 {
        for _ in 0..<(milliseconds / 5) {
            var status: Int32 = 0
            if unsafe waitpid(pid, &status, WNOHANG) == pid {
                isReaped = true
                return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
            }
            usleep(5000)
        }
        throw SystemError(ETIMEDOUT, "the zygote lives on")
    }

    /// What the zygote has written to standard error by its end.
    func readDiagnostics() -> String {
        String(decoding: readAll(diagnostics.number), as: UTF8.self)
    }
}

/// A child of a zygote, as the daemon knows it.
struct StartedChild {
    var pid: pid_t
    var report: SharedDescriptor
    var handle: SharedDescriptor

    /// Everything that the child writes before its end.
    func readReport() -> [UInt8] { readAll(report.number) }

    /// Whether the child has ended, after waiting for at most this long.
    func hasEnded(within milliseconds: Int32) -> Bool { wait(for: handle.number, milliseconds) }
}

/// Runs the program without a daemon.
///
/// - Returns: What it printed, and its exit code.
func runDecoder(_ arguments: [String]) throws -> (output: String, exitCode: Int32) {
    let command = ([ZygoteProcess.program] + arguments).joined(separator: " ")
    let variables = ["SWIFT_BACKTRACE=enable=no"] + ZygoteProcess.sanitizerVariables
    let line = "\(variables.joined(separator: " ")) \(command)"
    let stream = unsafe try #require(unsafe popen(line, "r"))
    let output = unsafe readAll(fileno(stream))
    let status = unsafe pclose(stream)
    return (String(decoding: output, as: UTF8.self), (status >> 8) & 0xff)
}

/// Whether the descriptor becomes readable in time.
func wait(for descriptor: Int32, _ milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&ready, 1, milliseconds) == 1
}

/// Everything up to the end of file, with at most a minute between two pieces.
func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while wait(for: descriptor, 60_000) {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer.prefix(count)
    }
    return bytes
}
