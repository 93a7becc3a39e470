/// The scans of a JPEG: which components and coefficients the file holds, and where.
package struct JPEGScans: Equatable {
    /// A color component, with its sampling factors.
    struct Component: Equatable {
        var id: UInt8
        var horizontal, vertical: Int
    }

    /// One scan, with its place in the file: from its marker to the end of its data.
    struct Scan: Equatable {
        var ids: [UInt8]
        var firstCoefficient, lastCoefficient: Int
        /// How many low bits of each coefficient are left to later scans.
        var missingBits: Int
        var range: Range<Int>
    }

    private(set) var components: [Component] = []
    private(set) var isProgressive = false
    private(set) var isArithmetic = false
    private(set) var scans: [Scan] = []
    /// Whether there is more of them behind what was read of the file.
    package var areOpen = false

    /// Takes the frame header's word.
    mutating func begin(_ components: [Component], isProgressive: Bool, isArithmetic: Bool) {
        self.components = components
        self.isProgressive = isProgressive
        self.isArithmetic = isArithmetic
    }

    /// Adds the scan that comes next in the file.
    mutating func append(_ scan: Scan) { scans.append(scan) }

    /// What makes a decoder keep all coefficients.
    var kind: String {
        isProgressive ? "progressive" : isArithmetic ? "coded arithmetically" : "in several scans"
    }

    /// How often the loader writes each row: after each scan of a progressive picture. It waits for
    /// all scans of any other one.
    var passes: Int { isProgressive ? scans.count : 1 }

    /// Whether the loader's progress tells if the last scan is whole. Arithmetic coding ends
    /// without the zeros that it would end with, so that more bits would be taken for data.
    var canBeProbed: Bool { !isArithmetic && (isProgressive || scans.count == 1) }

    /// How many passes it takes until pixels have their mean; `nil` if the file ends before.
    var passesUntilColored: Int? {
        guard let count = scansUntilColored else { return nil }
        return isProgressive ? count : 1
    }

    /// How many scans it takes until every component has its first coefficient, from which pixels
    /// get their mean.
    private var scansUntilColored: Int? {
        var missing = Set(components.map(\.id))
        for (index, scan) in scans.enumerated() where scan.firstCoefficient == 0 {
            missing.subtract(scan.ids)
            if missing.isEmpty { return index + 1 }
        }
        return nil
    }

    /// Whether the scans hold every coefficient of every component with all of its bits.
    var isDetailed: Bool {
        guard !components.isEmpty else { return false }
        return components.allSatisfy { component in
            var missing = Set(0..<64)
            for scan in scans where scan.ids.contains(component.id) {
                if !isProgressive { return true }
                let last = min(scan.lastCoefficient, 63)
                if scan.missingBits == 0, scan.firstCoefficient <= last {
                    missing.subtract(scan.firstCoefficient...last)
                }
            }
            return missing.isEmpty
        }
    }

    /// The scans that hold nothing but first coefficients, from which pixels get their mean, and
    /// the parts of the file to feed for them: headers, tables and these scans.
    package func onlyFirstCoefficients() -> (scans: JPEGScans, pieces: [Piece]) {
        var kept = self
        kept.scans = []
        var pieces: [Range<Int>] = []
        var start = 0
        for scan in scans {
            let piece = start..<scan.range.lowerBound
            if scan.firstCoefficient == 0 && scan.lastCoefficient == 0 {
                kept.scans.append(scan)
                pieces += [piece, scan.range]
            } else {
                // Its tables may serve a later scan.
                pieces.append(piece)
            }
            start = scan.range.upperBound
        }
        return (kept, pieces.filter { !$0.isEmpty }.map(Piece.file))
    }

    /// The bytes in which a decoder keeps all coefficients between scans, two each; none where
    /// the picture comes in one scan and need not be written again.
    package func coefficientBytes(of size: PixelSize) -> Int {
        if scans.count <= 1 && !isProgressive && !isArithmetic { return 0 }
        let widest = max(1, components.map(\.horizontal).max() ?? 1)
        let highest = max(1, components.map(\.vertical).max() ?? 1)
        let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
        if overflows { return .max }
        let perPixel = components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        let (bytes, bytesOverflow) = pixels.multipliedReportingOverflow(by: 2 * perPixel)
        return bytesOverflow ? .max : bytes / (widest * highest)
    }
}
