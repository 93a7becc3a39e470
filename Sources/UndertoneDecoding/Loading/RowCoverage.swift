/// Which rows a loader says that it has written, and how often.
struct RowCoverage: Equatable {
    private var counts: [UInt16] = []

    /// Notes that rows were written once more.
    mutating func add(firstRow: Int, rows: Int) {
        guard firstRow >= 0, rows > 0 else { return }
        let end = firstRow + rows
        if counts.count < end {
            counts.append(contentsOf: repeatElement(0, count: end - counts.count))
        }
        for row in firstRow..<end where counts[row] < .max { counts[row] += 1 }
    }

    /// Whether a row was written at least once.
    func contains(_ row: Int) -> Bool {
        row < counts.count && counts[row] > 0
    }

    /// How often a row was written, up to 65,535 times.
    func passes(_ row: Int) -> Int {
        row < counts.count ? Int(counts[row]) : 0
    }

    /// Whether all of a number of rows were written so many times.
    func containsAll(_ rows: Int, passes: Int = 1) -> Bool {
        counts.count >= rows && (0..<rows).allSatisfy { counts[$0] >= passes }
    }
}
