internal import GLibSupport
internal import UndertoneColor
internal import UndertoneProtocol

/// What was given for the options that several commands share; each throws where it makes no sense.
extension Options {
    func averageKind() throws -> AverageKind? {
        try average.value.map { try choice("average", $0) }
    }

    func samplingKind() throws -> Sampling? {
        try sampling.value.map { try choice("sampling", $0) }
    }

    func contrastRatio() throws -> Double? {
        try contrast.value.map { value in
            guard let ratio = Double(text(value)), 1...21 ~= ratio else {
                throw UsageError(
                    "--contrast must be a number from 1 to 21, not \(printable(value))")
            }
            return ratio
        }
    }

    func backdropColor() throws -> RGB8? {
        try backdrop.value.map { value in
            guard let color = RGB8(hexBytes: value) else {
                throw UsageError("--backdrop must be like #1e90ff, not \(printable(value))")
            }
            return color
        }
    }

    /// A scheme; nil for `auto` too, which is the daemon's own choice.
    func schemeKind() throws -> Scheme? {
        let neither = "auto"
        guard let value = scheme.value, text(value) != neither else { return nil }
        return try choice("scheme", value, besides: [neither])
    }

    /// The card's file, which the answers are not printed to.
    func cardFile() throws -> [UInt8]? {
        guard let file = card.value else { return nil }
        guard !file.isEmpty, file != Array("-".utf8) else {
            throw UsageError("--card must name a file, not \(printable(file))")
        }
        return file
    }
}

/// A whole number given for an option.
func whole(
    _ option: String, _ value: OptionValue<Int64?>, within range: ClosedRange<Int>
) throws -> Int? {
    guard let number = value.value else { return nil }
    guard let number = Int(exactly: number), range ~= number else {
        throw UsageError(
            "--\(option) must be a whole number from \(range.lowerBound) to "
                + "\(range.upperBound), not \(number)")
    }
    return number
}

/// An option's value as one of several; `others` are values that the caller has looked for.
func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ value: [UInt8], besides others: [String] = []
) throws -> Value {
    guard let choice = Value(rawValue: text(value)) else {
        throw UsageError.notOneOf(option, Value.allCases.map(\.rawValue) + others, value)
    }
    return choice
}

extension UsageError {
    /// An option's value that is none of those there are.
    static func notOneOf(_ option: String, _ choices: [String], _ value: [UInt8]) -> UsageError {
        UsageError(
            "--\(option) must be one of \(choices.joined(separator: ", ")), "
                + "not \(printable(value))")
    }
}

/// An argument that is not a file's name.
func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
}
