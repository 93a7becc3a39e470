// The release build finds the members of `stat` in this one.
internal import CGLib
internal import GLibSupport
internal import Glibc
internal import UndertoneProtocol

/// Looks at the daemon and at the machine, from the socket on to the last decoder.
struct Doctor {
    /// What was found, in the order in which a question meets it.
    private(set) var findings: [Finding] = []
    let connector: Connector

    /// Prepares to look at the daemon that a connector reaches or starts.
    init(_ connector: Connector) {
        self.connector = connector
    }

    /// Looks at everything.
    mutating func examine() {
        guard let path = examineSocket() else { return }
        do throws(ClientError) {
            let client = try Client(connector)
            examine(try client.status())
            // An older daemon does not know the question.
            if let cache = try? client.cache() { findings += Self.diskCache(cache) }
        } catch {
            findings.append(Self.fault(error, path))
        }
        findings += SandboxExamination.findings()
    }

    /// Looks at what a daemon says of itself.
    mutating func examine(_ status: JSONDocument) {
        findings.append(Self.daemon(status))
        findings += Self.loaders(status)
        findings += Self.sandbox(status)
        findings += Self.decoders(status)
        findings.append(Self.memoryCache(status))
    }

    private mutating func examineSocket() -> [UInt8]? {
        let rule = SocketLocation.rule(.current(option: connector.socket))
        do throws(ClientError) {
            let path = try connector.path()
            findings.append(Self.socket(path, by: rule))
            return path
        } catch {
            findings.append(
                .fault(
                    .socket, error.description,
                    do: "set UNDERTONE_SOCKET to a path in a directory of your own"))
            return nil
        }
    }

    private static func socket(_ path: [UInt8], by rule: SocketLocation.Rule) -> Finding {
        let name = printable(path)
        var status = stat()
        if unsafe lstat(path.cString, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            return .fault(
                .socket, "something that is not a socket is at \(name)",
                do: "move it away, or name another place with UNDERTONE_SOCKET")
        }
        let reason =
            switch rule {
            case .option: "--socket"
            case .variable: "UNDERTONE_SOCKET"
            case .runtimeDirectory: "XDG_RUNTIME_DIR"
            case .userDirectory: "the user's number: XDG_RUNTIME_DIR is not set"
            }
        return .good(.socket, "\(name), by \(reason)")
    }

    /// What it means that the daemon could not be asked.
    static func fault(_ error: ClientError, _ path: [UInt8]) -> Finding {
        let advice =
            switch error {
            case .notRunning: "ask without --no-start, and it is started"
            case .daemonNotFound:
                "install the package undertone, or put undertoned beside this program or on PATH"
            case .sandboxed: "run undertone status outside of it"
            case .startFailed: "undertoned --log-level debug, run by hand, tells more"
            case .foreign: "name a socket of your own with UNDERTONE_SOCKET"
            case .refused(let error) where error.code == ErrorCode.busy.rawValue:
                "close some of the programs that ask, or wait for them"
            case .silent:
                "end it: fuser \(printable(path)) tells its process, and kill -KILL ends it"
            case .closed, .malformedReply, .refused:
                "end what listens there: fuser \(printable(path)) tells its process"
            case .noSocket, .notWritten, .system:
                "see that the socket and its directory are yours and can be entered"
            }
        return .fault(.daemon, error.description, do: advice)
    }
}
