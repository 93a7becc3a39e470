internal import UndertoneColor

/// The options that several operations have, each with its default.
extension RequestFields {
    /// Returns how the pixels are to be sampled.
    func sampling() throws(RequestError) -> Sampling {
        try choice("sampling", of: Sampling.named) ?? .auto
    }

    /// Returns which of the averages is wanted.
    func average() throws(RequestError) -> AverageKind {
        try choice("average", of: AverageKind.named) ?? .simple
    }

    /// Returns the contrast ratio that text is to reach.
    func contrast() throws(RequestError) -> Double {
        try number("contrast", in: 1...21) ?? ColorRequest.defaultContrast
    }

    /// Returns what a background is to be; nil for what suits the picture.
    func scheme() throws(RequestError) -> Scheme? {
        try choice("scheme", of: Scheme.namedOrAuto) ?? nil
    }
}

extension Sampling {
    /// The ways of sampling by their names on the wire.
    static let named = allCases.map { (name: "\($0)", value: $0) }
}

extension AverageKind {
    /// The averages by their names on the wire.
    static let named = allCases.map { (name: "\($0)", value: $0) }
}

extension Scheme {
    /// The schemes by their names on the wire, and `auto` for neither.
    static let namedOrAuto =
        allCases.map { (name: $0.rawValue, value: Scheme?.some($0)) } + [(name: "auto", value: nil)]
}
