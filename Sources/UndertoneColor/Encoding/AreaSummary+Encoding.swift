extension AreaSummary {
    /// The number of opacity steps of a scrim, 0…255.
    static let scrimSteps = 256
    /// The size of an encoded area: 19 numbers, two quantile tables and 2 + 2 × 256 colours.
    static let encodedSize = 19 * 8 + 2 * 2 * quantileCount + 3 * (2 + 2 * scrimSteps)

    func encode(to writer: inout SummaryWriter) {
        guard opacity > 0 else { return writer.zeros(Self.encodedSize) }
        writer.double(opacity)
        writer.triple(simple)
        writer.triple(squareRoot)
        writer.triple(linear)
        writer.triple(oklab)
        for value in [
            luminance.mean, luminance.min, luminance.p05, luminance.p50, luminance.p95,
            luminance.max,
        ] {
            writer.double(value)
        }
        writer.color(darkestUnderWhiteText)
        writer.color(lightestUnderBlackText)
        precondition(underWhiteText.count == Self.quantileCount)
        for value in underWhiteText { writer.integer(value) }
        precondition(underBlackText.count == Self.quantileCount)
        for value in underBlackText { writer.integer(value) }
        precondition(worstUnderBlackScrim.count == Self.scrimSteps)
        for color in worstUnderBlackScrim { writer.color(color) }
        precondition(worstUnderWhiteScrim.count == Self.scrimSteps)
        for color in worstUnderWhiteScrim { writer.color(color) }
    }

    init(from reader: inout SummaryReader, field: String) throws(SummaryFault) {
        self.init()
        guard !reader.skipZeros(Self.encodedSize) else { return }
        opacity = try reader.double("\(field).opacity", .leastNonzeroMagnitude...1)
        simple = try reader.triple("\(field).simple", 0...255)
        squareRoot = try reader.triple("\(field).squareRoot", 0...255)
        linear = try reader.triple("\(field).linear", 0...1)
        // Cube roots are within 3e-7, and the matrix rows do not add up to 1 exactly.
        oklab.x = try reader.double("\(field).oklab", -1e-5...1.00001)
        oklab.y = try reader.double("\(field).oklab", -0.5...0.5)
        oklab.z = try reader.double("\(field).oklab", -0.5...0.5)
        luminance = try LuminanceStatistics(from: &reader, field: "\(field).luminance")
        darkestUnderWhiteText = try reader.color("\(field).darkestUnderWhiteText")
        lightestUnderBlackText = try reader.color("\(field).lightestUnderBlackText")
        underWhiteText = try Self.quantiles(from: &reader, field: "\(field).underWhiteText")
        underBlackText = try Self.quantiles(from: &reader, field: "\(field).underBlackText")
        worstUnderBlackScrim = try Self.colors(
            from: &reader, field: "\(field).worstUnderBlackScrim")
        worstUnderWhiteScrim = try Self.colors(
            from: &reader, field: "\(field).worstUnderWhiteScrim")
    }

    private static func quantiles(
        from reader: inout SummaryReader, field: String
    ) throws(SummaryFault) -> [UInt16] {
        var values: [UInt16] = []
        values.reserveCapacity(quantileCount)
        for _ in 0..<quantileCount {
            let value: UInt16 = try reader.integer(field)
            guard value >= values.last ?? 0 else { throw SummaryFault(field) }
            values.append(value)
        }
        return values
    }

    private static func colors(
        from reader: inout SummaryReader, field: String
    ) throws(SummaryFault) -> [RGB8] {
        var values: [RGB8] = []
        values.reserveCapacity(scrimSteps)
        for _ in 0..<scrimSteps { values.append(try reader.color(field)) }
        return values
    }
}

extension LuminanceStatistics {
    init(from reader: inout SummaryReader, field: String) throws(SummaryFault) {
        self.init()
        mean = try reader.double("\(field).mean", 0...1)
        min = try reader.double("\(field).min", 0...1)
        // Each bound is the one before.
        p05 = try reader.double("\(field).p05", min...1)
        p50 = try reader.double("\(field).p50", p05...1)
        p95 = try reader.double("\(field).p95", p50...1)
        max = try reader.double("\(field).max", p95...1)
        guard min <= mean, mean <= max else { throw SummaryFault("\(field).mean") }
    }
}
