import Glibc
import Testing

/// A daemon on a private socket in a directory of its own, with the decoder for tests.
final class TestDaemon: Sendable {
    /// An option for tests that hold a child up: more time than they wait for anything.
    static let longDeadline = ["--deadline", "\(Int(patience) * 2)"]

    let directory: String
    let process: TestProcess
    var socket: String { directory + "/u.sock" }
    var log: String { directory + "/log" }

    init(
        _ options: [String] = [], environment: [String: String] = [:],
        decoder: String = TestProcess.buildDirectory + "/undertone-test-decoder"
    ) throws {
        directory = try Self.makeDirectory()
        process = try TestProcess(
            "undertoned",
            ["--socket", directory + "/u.sock", "--decoder", decoder, "--log-level", "debug"]
                + options,
            environment: environment, standardError: directory + "/log")
    }

    func client() throws -> TestClient { try TestClient(socket) }

    /// Makes a picture for the test decoder, which does what its name says, old enough for the
    /// cache to trust its times.
    func picture(_ name: String, content: String = "x") throws -> String {
        let path = directory + "/" + name
        try Self.write(content, to: path)
        usleep(40_000)
        return path
    }

    /// Lets the child of a picture go on whose name begins with "held", or with "undying".
    func release(_ name: String) throws {
        try Self.write("", to: directory + "/" + name + ".go")
    }

    /// A question about a picture that is made for it.
    func question(_ name: String, id: String? = nil) throws -> String {
        let field = id.map { "\"id\":\($0)," } ?? ""
        return "{\(field)\"path\":\"\(try picture(name))\"}"
    }

    /// The lines of the log so far.
    func logged() -> String { Self.read(log) }

    /// One of the counters in `status`.
    func counter(_ name: String) throws -> Int {
        let status = try client().ask(#"{"op":"status"}"#)
        guard let counters = status.firstRange(of: "\"counters\":"),
            let range = status[counters.upperBound...].firstRange(of: "\"\(name)\":")
        else { throw TestFailure("no counter \(name) in \(status)") }
        return Int(status[range.upperBound...].prefix { $0.isNumber || $0 == "-" }) ?? -1
    }

    /// Waits until a counter has a value.
    func waitFor(_ name: String, _ value: Int) throws {
        guard try eventually({ try counter(name) == value }) else {
            throw TestFailure("\(name) is \(try counter(name)), not \(value)")
        }
    }

    /// The processes that the daemon or one of its children started.
    func children(of pid: pid_t? = nil) -> [pid_t] {
        let pid = pid ?? process.pid
        return Self.read("/proc/\(pid)/task/\(pid)/children").split(separator: " ")
            .compactMap { pid_t($0) }
    }

    var threads: Int { Self.entries("/proc/\(process.pid)/task").count }
    /// The numbers of its open descriptors.
    var descriptors: Set<Int> { Set(Self.entries("/proc/\(process.pid)/fd").compactMap(Int.init)) }

    /// Waits until the daemon has no more descriptors than this.
    func returnsTo(_ descriptors: Set<Int>) -> Bool {
        eventually { self.descriptors.count <= descriptors.count }
    }

    static func makeDirectory() throws -> String {
        var template = Array("/tmp/undertone-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw TestFailure("no directory") }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    static func write(_ content: String, to path: String) throws {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw TestFailure("cannot write \(path)") }
        defer { close(number) }
        unsafe _ = Glibc.write(number, content, content.utf8.count)
    }

    static func read(_ path: String) -> String {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        defer { close(number) }
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        while case let count = unsafe Glibc.read(number, &room, room.count), count > 0 {
            result += room.prefix(count)
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func entries(_ path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    deinit {
        process.signal(SIGKILL)
        _ = process.wait()
        Self.remove(directory)
    }

    /// Removes a directory and what is in it, such as a test that failed has left there.
    private static func remove(_ directory: String) {
        for name in entries(directory) {
            let path = directory + "/" + name
            if unsafe unlink(path) != 0 { remove(path) }
        }
        unsafe rmdir(directory)
    }
}
