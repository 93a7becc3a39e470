internal import UndertoneProtocol

extension FuzzTarget {
    /// The printing of numbers and strings: what a strict reader reads is what was written.
    ///
    /// An input is a rounding, a number, and a string.
    static let numbers = FuzzTarget(
        name: "numbers", maximumBytes: 128, runs: 1_000_000,
        seeds: { numberSeeds }
    ) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let rounding = input.choice(of: [JSONWriter.Rounding.nearest, .down, .up])
        let bits = input.integer(UInt64.self)
        try requireReal(Double(bitPattern: bits), rounding)
        // Random bits are rarely numbers of the size that replies hold.
        try requireReal(Double(bits >> 11) / 0x1p53, rounding)
        try requireReal(Double(bits % 100_000_000) / 1000, rounding)

        try require(written { $0.value(bits) } == "\(bits)", "\(bits) is written in full")
        let signed = Int64(bitPattern: bits)
        try require(written { $0.value(signed) } == "\(signed)", "\(signed) is written in full")

        let text = String(decoding: input.remainder().filter { $0 != 0 }, as: UTF8.self)
        var line = JSONWriter()
        line.beginObject()
        line.name("id")
        line.value(text)
        line.name("result")
        line.null()
        line.endObject()
        try ReplyDocument(line.bytes + [UInt8(ascii: "\n")]).requireID(.string(text))
    }

    private static func requireReal(
        _ number: Double, _ rounding: JSONWriter.Rounding
    ) throws(Violation) {
        let text = written { $0.value(number, rounding) }
        let magnitude = number.magnitude
        guard magnitude < 1e15 else {
            return try require(text == "null", "\(number) has no digits, not \(text)")
        }
        let digits = text.drop { $0 == "-" }
        try require(
            digits.allSatisfy { "0123456789.".contains($0) }, "\(text) has digits only")
        try require(
            digits.first != "." && digits.last != "." && !digits.hasPrefix("00"),
            "\(text) is spelled as JSON has it")
        let significant = digits.filter { $0 != "." }.drop { $0 == "0" }
        try require(
            significant.count <= 6 || magnitude >= 999_999, "\(text) has six digits at most")
        try require(text != "-0", "zero has no sign")

        let value = try require(Double(digits), "\(text) is a number")
        try require(text.hasPrefix("-") == (number < 0 && value > 0), "\(text) has the sign")
        let tolerance = max(magnitude * 1e-5, 1e-18)
        try require(abs(value - magnitude) <= tolerance, "\(text) is close to \(number)")
        switch rounding {
        case .nearest: break
        case .down: try require(value <= magnitude, "\(text) is not above \(number)")
        case .up: try require(value >= magnitude, "\(text) is not below \(number)")
        }
    }

    private static func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static let numberSeeds: [[UInt8]] = {
        let numbers = [
            0, -0.0, 4.5, 4.49999999999, 5.13967, 0.513726, 21, 1e-18, 1e-19, 999_999.5, 1e6, 1e15,
            .nan, .infinity, -0.000123456789, .leastNonzeroMagnitude, 0.1 + 0.2,
        ]
        let text = Array("a\"\\/\u{1}\n é \u{2028}".utf8)
        return numbers.flatMap { number in
            [UInt8(0), 1, 2].map { rounding in
                [rounding]
                    + (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
                    + text
            }
        }
    }()
}
