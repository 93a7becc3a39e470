/// An enumeration that is one byte in encoded summaries and jobs, and a name elsewhere.
public protocol ByteCoded: CaseIterable, Equatable {}

extension ByteCoded {
    /// The case's place in the declaration, from 0.
    public var code: UInt8 {
        Self.allCases.enumerated().first { $0.element == self }.map { UInt8($0.offset) } ?? .max
    }

    /// The case at a place in the declaration; nil where there is none.
    public init?(code: UInt8) {
        guard let found = Self.allCases.dropFirst(Int(code)).first else { return nil }
        self = found
    }
}
