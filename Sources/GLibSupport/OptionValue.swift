/// The value of a declared option, to be read after parsing.
public struct OptionValue<Value> {
    /// The option's long name, for messages.
    let name: String
    /// Owns the memory that `read` looks at.
    private let parser: OptionParser
    private let read: () -> Value

    init(_ parser: OptionParser, _ name: String, _ read: @escaping () -> Value) {
        self.parser = parser
        self.name = name
        self.read = read
    }

    /// What was given, or what stands for nothing given.
    public var value: Value { read() }
}

extension OptionValue<Int64?> {
    /// The number that was given; an option out of this range is refused.
    public func number(in range: ClosedRange<Int>) throws(OptionFailure) -> Int? {
        guard let value else { return nil }
        guard let number = Int(exactly: value), range.contains(number) else {
            throw OptionFailure(
                message: "--\(name) must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension OptionValue<[UInt8]?> {
    /// The choice that was given by its name; an option that is none of them is refused.
    public func choice<Choice: CaseIterable>(
        named name: (Choice) -> String
    ) throws(OptionFailure) -> Choice? {
        guard let value else { return nil }
        if let choice = Choice.allCases.first(where: { value.elementsEqual(name($0).utf8) }) {
            return choice
        }
        let names = Choice.allCases.map(name).joined(separator: ", ")
        throw OptionFailure(message: "--\(self.name) must be one of: \(names)")
    }

    /// The choice that was given by its raw value; an option that is none of them is refused.
    public func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(OptionFailure)
        -> Choice?
    {
        try choice(named: \.rawValue)
    }
}
