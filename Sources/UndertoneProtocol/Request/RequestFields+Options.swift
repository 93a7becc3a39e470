internal import UndertoneColor

/// The options that several operations have, each with its default.
extension RequestFields {
    /// Returns how the pixels are to be sampled.
    func sampling() throws(RequestError) -> Sampling {
        try choice("sampling") ?? .auto
    }

    /// Returns which of the averages is wanted.
    func average() throws(RequestError) -> AverageKind {
        try choice("average") ?? .simple
    }

    /// Returns the contrast ratio that text is to reach.
    func contrast() throws(RequestError) -> Double {
        try number("contrast", in: 1...21) ?? ColorRequest.defaultContrast
    }

    /// Returns what a background is to be; nil for what suits the picture.
    func scheme() throws(RequestError) -> Scheme? {
        let neither = "auto"
        if self["scheme"]?.text == neither { return nil }
        return try choice("scheme", besides: [neither])
    }
}
