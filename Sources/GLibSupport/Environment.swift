import CLinux
import Glibc

/// What the process was started with, as bytes: names of files are not text.
public enum Environment {
    /// The command line, the program's name first; `CommandLine.arguments` mends what is no text.
    public static var commandLine: [[UInt8]] {
        var arguments: [[UInt8]] = []
        guard var next = unsafe clinux_arguments() else { return [] }
        while let text = unsafe next.pointee {
            unsafe arguments.append(
                Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            unsafe next += 1
        }
        return arguments
    }

    /// A variable's value, nil if it is unset or empty.
    public static subscript(_ name: String) -> [UInt8]? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// All variables in the form `NAME=value`, without those named.
    public static func all(without names: [String] = []) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var entry = unsafe environ
        while let variable = unsafe entry.pointee {
            let length = unsafe strlen(variable)
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: variable, count: length))
            if !names.contains(where: { bytes.starts(with: $0.utf8 + [UInt8(ascii: "=")]) }) {
                result.append(bytes)
            }
            unsafe entry += 1
        }
        return result
    }

    /// Removes variables, so that programs started later don't see them.
    public static func remove(_ names: [String]) {
        for name in names { unsafe unsetenv(name) }
    }
}
