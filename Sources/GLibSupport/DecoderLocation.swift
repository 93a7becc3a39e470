import Glibc

/// Where the decoder's program is.
public enum DecoderLocation {
    /// The first that is given or exists: `--decoder`, `UNDERTONE_DECODER`, beside this program,
    /// or where packages put it. Nil if that is no program.
    public static func path(option: [UInt8]?, ownProgram: [UInt8]?) -> [UInt8]? {
        if let named = option ?? Environment["UNDERTONE_DECODER"] {
            return isExecutable(named) ? named : nil
        }
        guard let ownProgram, let slash = ownProgram.lastIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        let directory = ownProgram[..<slash]
        return ["/undertone-decoder", "/../libexec/undertone/undertone-decoder"]
            .map { directory + Array($0.utf8) }
            .first(where: isExecutable)
    }

    /// This program's own file.
    public static func ownProgram() -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard length > 0 else { return nil }
        return buffer.prefix(length).map { UInt8(bitPattern: $0) }
    }

    private static func isExecutable(_ path: [UInt8]) -> Bool {
        unsafe access(path.cString, X_OK) == 0
    }
}
