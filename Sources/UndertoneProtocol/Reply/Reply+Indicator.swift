public import UndertoneColor

extension Reply {
    /// Answers `indicator`.
    ///
    /// - Parameters:
    ///   - id: The request's identifier.
    ///   - request: The question.
    ///   - summary: What the picture was reduced to for the question's job, with its regions.
    ///   - glyph: What the glyph was reduced to; nil where the question has none.
    public static func indicator(
        id: RequestID?, _ request: IndicatorRequest, of summary: ImageSummary,
        glyph: ImageSummary?
    ) -> [UInt8] {
        let area = summary.regions.first ?? summary.picture
        let indicator = Indicator(
            area, average: request.average, over: request.over, scheme: request.scheme)
        return line(id: id, capacity: 1280) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("image")
            writer.facts(summary.image)
            writer.name("opacity")
            writer.value(area.opacity)
            writer.strip(of: area, indicator, average: request.average)
            if let glyph {
                writer.name("glyph")
                writer.glyph(glyph, on: indicator)
            }
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func strip(
        of area: AreaSummary, _ indicator: Indicator?, average: AverageKind
    ) {
        name("average")
        optional(indicator) { writer, _ in writer.averages(area.average) }
        name("base")
        optional(area.average(average)) { $0.value($1) }
        name("scheme")
        optional(indicator) { $0.value($1.material.scheme.rawValue) }
        name("material")
        optional(indicator) { $0.layer($1.material.color, opacity: $1.material.opacity) }
        name("background")
        optional(indicator) { $0.value($1.material.background) }
        name("labels")
        optional(indicator) { $0.texts("active", $1.primary, others: $1.secondary) }
        name("dots")
        optional(indicator) { $0.texts("current", $1.currentDot, others: $1.otherDot) }
    }

    private mutating func texts(
        _ key: StaticString, _ one: ContrastColor, others: ContrastColor
    ) {
        beginObject()
        name(key)
        text(one)
        name("others")
        text(others)
        endObject()
    }

    fileprivate mutating func glyph(_ summary: ImageSummary, on indicator: Indicator?) {
        let decision = indicator.flatMap { indicator in
            GlyphDecision(
                opacity: summary.picture.opacity, summary.clusters, on: indicator.material.worst,
                tint: indicator.primary.color)
        }
        beginObject()
        name("image")
        facts(summary.image)
        name("style")
        optional(decision) { $0.value($1.style.rawValue) }
        name("reason")
        optional(decision) { $0.value($1.reason.rawValue) }
        name("color")
        optional(decision) { $0.value($1.color.color) }
        name("contrast")
        optional(decision) { $0.value($1.color.contrast, .down) }
        name("meets")
        optional(decision) { $0.value($1.color.meets) }
        endObject()
    }
}
