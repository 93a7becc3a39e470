internal import GLibSupport

/// A line on standard error that says how far things are, where a person looks at it.
final class Progress {
    /// How many pictures are many.
    private static let many = 20
    /// The time between two lines, in seconds.
    private static let interval = 0.1

    private let total: Int?
    private var done = 0
    private var last = 0.0
    private var isOnScreen = false
    private let output: Output

    /// Creates the progress of `total` pictures, or of as many as there come to be.
    init(total: Int?, output: Output) {
        self.total = total
        self.output = output
    }

    /// Counts one more picture.
    func advance() throws {
        done += 1
        guard output.isTerminal, total ?? done >= Progress.many else { return }
        let now = MainContext.now
        guard now - last >= Progress.interval else { return }
        last = now
        isOnScreen = true
        try output.append("\r\u{1b}[K\(done)\(total.map { " of \($0)" } ?? "") pictures")
        try output.flush()
    }

    /// Removes the line, before something else is written to the terminal.
    func clear() throws {
        guard isOnScreen else { return }
        isOnScreen = false
        try output.append("\r\u{1b}[K")
        try output.flush()
    }
}
