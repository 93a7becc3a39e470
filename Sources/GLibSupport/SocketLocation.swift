import Glibc

/// Where the daemon's socket is: the same answer for the daemon and its clients.
public enum SocketLocation {
    /// Why no place for the socket could be told.
    public enum Failure: Error, Equatable, Sendable {
        /// The path is longer than a socket's path may be.
        case tooLong([UInt8])
        /// The path is not absolute.
        case relative([UInt8])
        /// There is neither `XDG_RUNTIME_DIR` nor a private `/run/user/UID`.
        case noRuntimeDirectory
    }

    /// What the choice rests on, so that it can be made without a machine.
    public struct Surroundings: Sendable {
        /// The value of `--socket`, if given.
        public var option: [UInt8]?
        /// The value of `UNDERTONE_SOCKET`.
        public var variable: [UInt8]?
        /// The value of `XDG_RUNTIME_DIR`.
        public var runtimeDirectory: [UInt8]?
        /// The user's number.
        public var user: UInt32
        /// Whether a directory exists, is the user's own and has mode 0700.
        public var isPrivateDirectory: @Sendable ([UInt8]) -> Bool

        /// Creates surroundings of their parts.
        public init(
            option: [UInt8]? = nil, variable: [UInt8]? = nil, runtimeDirectory: [UInt8]? = nil,
            user: UInt32, isPrivateDirectory: @escaping @Sendable ([UInt8]) -> Bool
        ) {
            self.option = option
            self.variable = variable
            self.runtimeDirectory = runtimeDirectory
            self.user = user
            self.isPrivateDirectory = isPrivateDirectory
        }

        /// This process's surroundings.
        public static func current(option: [UInt8]? = nil) -> Surroundings {
            Surroundings(
                option: option, variable: Environment["UNDERTONE_SOCKET"],
                runtimeDirectory: Environment["XDG_RUNTIME_DIR"], user: getuid(),
                isPrivateDirectory: SocketLocation.isPrivateDirectory)
        }
    }

    /// The socket's path: `--socket`, else `UNDERTONE_SOCKET`, else `undertone/undertone.sock` in
    /// the runtime directory, else in `/run/user/UID` if that is private. Never under `/tmp`.
    public static func path(_ surroundings: Surroundings) throws(Failure) -> [UInt8] {
        let name = Array("/undertone/undertone.sock".utf8)
        switch rule(surroundings) {
        case .option: return try checked(surroundings.option ?? [])
        case .variable: return try checked(surroundings.variable ?? [])
        case .runtimeDirectory: return try checked((surroundings.runtimeDirectory ?? []) + name)
        case .userDirectory:
            let directory = Array("/run/user/\(surroundings.user)".utf8)
            guard surroundings.isPrivateDirectory(directory) else { throw .noRuntimeDirectory }
            return try checked(directory + name)
        }
    }

    /// What decides where the socket is.
    public enum Rule: Sendable {
        case option, variable, runtimeDirectory, userDirectory
    }

    /// The first of the rules whose condition holds.
    public static func rule(_ surroundings: Surroundings) -> Rule {
        if surroundings.option != nil { return .option }
        if surroundings.variable != nil { return .variable }
        return surroundings.runtimeDirectory != nil ? .runtimeDirectory : .userDirectory
    }

    /// Whether a directory exists, is this user's own, is no symbolic link and has mode 0700.
    public static func isPrivateDirectory(_ path: [UInt8]) -> Bool {
        var status = stat()
        guard unsafe lstat(path.cString, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o777 == 0o700
            && status.st_uid == getuid()
    }

    private static func checked(_ path: [UInt8]) throws(Failure) -> [UInt8] {
        guard path.first == UInt8(ascii: "/") else { throw .relative(path) }
        guard path.count <= UnixSocketAddress.maximumPathBytes else { throw .tooLong(path) }
        return path
    }
}

extension SocketLocation.Failure: CustomStringConvertible {
    /// One line that says what to do about it.
    public var description: String {
        switch self {
        case .tooLong(let path):
            "the socket's path \(printable(path)) has \(path.count) bytes, and a Unix socket's path "
                + "at most \(UnixSocketAddress.maximumPathBytes): name a shorter one with --socket"
        case .relative(let path):
            "the socket's path must be absolute, not \(path.isEmpty ? "empty" : printable(path))"
        case .noRuntimeDirectory:
            "XDG_RUNTIME_DIR is not set and /run/user/\(getuid()) is not a private directory: "
                + "name the socket with --socket or UNDERTONE_SOCKET"
        }
    }
}
