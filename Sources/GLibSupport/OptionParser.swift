import CGLib
import Glibc
import Synchronization

/// A program's options, parsed by GLib.
///
/// Declare the options, parse once, then read their values. `--help` prints what was declared and
/// exits with status 0.
@safe
public final class OptionParser {
    private typealias Vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    private var entries: [GOptionEntry] = unsafe []
    private var texts: [UnsafeMutablePointer<CChar>] = unsafe []
    private var places: [UnsafeMutableRawPointer] = unsafe []
    /// Those of the places that GLib writes its own memory's address into.
    private var strings: [UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>] = unsafe []
    private var vectors: [UnsafeMutablePointer<Vector>] = unsafe []
    private let usage: String
    private let summary: String
    private let hasHelp: Bool

    /// Creates a parser without options.
    ///
    /// - Parameter usage: What follows the program's name and the options, such as `FILE…`.
    /// - Parameter summary: What the program does, for `--help`.
    /// - Parameter hasHelp: Whether `--help` is declared and answered; if not, `help` is for that.
    public init(usage: String = "", summary: String, hasHelp: Bool = true) {
        self.usage = usage
        self.summary = summary
        self.hasHelp = hasHelp
    }

    /// Declares an option without a value.
    public func flag(
        _ name: String, short: Character? = nil, _ description: String
    ) -> OptionValue<Bool> {
        let place = unsafe place(for: gboolean(0))
        unsafe add(name, short, G_OPTION_ARG_NONE, place, description, nil)
        return OptionValue(self, name) { unsafe place.pointee != 0 }
    }

    /// Declares an option whose value is bytes, as names of files are.
    public func bytes(
        _ name: String, short: Character? = nil, _ placeholder: String, _ description: String
    ) -> OptionValue<[UInt8]?> {
        let place = unsafe place(for: UnsafeMutablePointer<CChar>?.none)
        unsafe strings.append(place)
        unsafe add(name, short, G_OPTION_ARG_FILENAME, place, description, placeholder)
        return OptionValue(self, name) {
            guard let text = unsafe place.pointee else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }

    /// Declares an option that may be given several times, each with bytes as its value.
    public func list(
        _ name: String, short: Character? = nil, _ placeholder: String, _ description: String
    ) -> OptionValue<[[UInt8]]> {
        let place = unsafe place(
            for: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.none)
        unsafe vectors.append(place)
        unsafe add(name, short, G_OPTION_ARG_FILENAME_ARRAY, place, description, placeholder)
        return OptionValue(self, name) {
            var values: [[UInt8]] = []
            while let text = unsafe place.pointee?[values.count] {
                values.append(
                    unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            }
            return values
        }
    }

    /// Declares an option whose value is a whole number.
    public func integer(
        _ name: String, short: Character? = nil, _ placeholder: String, _ description: String
    ) -> OptionValue<Int64?> {
        // GLib stores nothing for an option that is not given.
        let unset = Int64.min
        let place = unsafe place(for: unset)
        unsafe add(name, short, G_OPTION_ARG_INT64, place, description, placeholder)
        return OptionValue(self, name) { unsafe place.pointee == unset ? nil : place.pointee }
    }

    /// Parses the arguments, the program's name first, and returns those that are no options.
    public func parse(_ arguments: [[UInt8]]) throws(OptionFailure) -> [[UInt8]] {
        guard let context = unsafe context() else { return [] }
        defer { unsafe g_option_context_free(context) }
        // GLib's own handler turns what the locale's character set lacks into question marks.
        unsafe g_set_print_handler { text in
            if let text = unsafe text { unsafe _ = write(STDOUT_FILENO, text, strlen(text)) }
        }

        // GLib takes apart a vector of its own strings, and leaves those that are no options.
        let size = unsafe (arguments.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
        guard let memory = unsafe g_malloc0(gsize(size)) else { return [] }
        var vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            unsafe memory.bindMemory(
                to: UnsafeMutablePointer<CChar>?.self, capacity: arguments.count + 1)
        defer { unsafe g_strfreev(vector) }
        for (index, argument) in arguments.enumerated() {
            unsafe argument.withUnsafeBytes { bytes in
                let text = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                unsafe vector?[index] = unsafe g_strndup(text, gsize(argument.count))
            }
        }
        var failure: UnsafeMutablePointer<GError>?
        guard unsafe g_option_context_parse_strv(context, &vector, &failure) != 0 else {
            defer { unsafe g_clear_error(&failure) }
            // It quotes what was given.
            let message = unsafe failure.map {
                unsafe printable(String(cString: $0.pointee.message))
            }
            throw OptionFailure(message: message ?? "the options cannot be parsed")
        }
        var rest: [[UInt8]] = []
        var index = 1
        while let text = unsafe vector?[index] {
            rest.append(unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            index += 1
        }
        // GLib removes the "--" that ends the options only where nothing after it starts with a
        // dash; so the first one that is left is that one, whatever follows.
        if let end = rest.firstIndex(of: Array("--".utf8)) { rest.remove(at: end) }
        return rest
    }

    /// What `--help` prints of the program: usage, summary and options.
    public func help(program: String) -> String {
        // GLib takes the name from a variable that all threads share.
        Self.naming.withLock { _ in
            unsafe g_set_prgname(program)
            guard let context = unsafe context() else { return "" }
            defer { unsafe g_option_context_free(context) }
            guard let text = unsafe g_option_context_get_help(context, 1, nil) else { return "" }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
    }

    /// Held while the program's name is that of one help.
    private static let naming = Mutex(())

    private func context() -> OpaquePointer? {
        guard let context = unsafe g_option_context_new(usage.isEmpty ? nil : usage) else {
            return nil
        }
        unsafe g_option_context_set_summary(context, summary)
        unsafe g_option_context_set_help_enabled(context, hasHelp ? 1 : 0)
        let entries = unsafe entries + [unsafe GOptionEntry()]
        unsafe g_option_context_add_main_entries(context, entries, nil)
        return unsafe context
    }

    private func add(
        _ name: String, _ short: Character?, _ kind: GOptionArg, _ place: UnsafeMutableRawPointer,
        _ description: String, _ placeholder: String?
    ) {
        unsafe entries.append(
            GOptionEntry(
                long_name: text(name), short_name: CChar(short?.asciiValue ?? 0), flags: 0,
                arg: kind, arg_data: place, description: text(description),
                arg_description: placeholder.map { unsafe text($0) }))
    }

    /// Memory that GLib writes a value into; it lives as long as the parser.
    private func place<Value: BitwiseCopyable>(for initial: Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe place.initialize(to: initial)
        unsafe places.append(place)
        return unsafe place
    }

    /// A C string that lives as long as the parser.
    private func text(_ string: String) -> UnsafePointer<CChar> {
        guard let copy = unsafe strdup(string) else { fatalError("out of memory") }
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
    }

    deinit {
        for index in unsafe strings.indices { unsafe g_free(strings[index].pointee) }
        for index in unsafe vectors.indices { unsafe g_strfreev(vectors[index].pointee) }
        for index in unsafe texts.indices { unsafe free(unsafe texts[index]) }
        for index in unsafe places.indices { unsafe places[index].deallocate() }
    }
}

/// Why a command line cannot be understood.
public struct OptionFailure: Error, Equatable, Sendable {
    /// One line for people, which does nothing to a terminal.
    public var message: String

    /// Creates a failure.
    public init(message: String) { self.message = message }
}
