public import UndertoneColor

extension Reply {
    /// Answers `palette`.
    ///
    /// - Parameters:
    ///   - id: The request's identifier.
    ///   - request: The question.
    ///   - summary: What the picture was reduced to.
    public static func palette(
        id: RequestID?, _ request: PaletteRequest, of summary: ImageSummary
    ) -> [UInt8] {
        let palette = ColorPalette(
            summary.clusters, count: request.count, target: request.contrast)
        return line(id: id, capacity: 512 + 128 * request.count) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("image")
            writer.facts(summary.image)
            writer.name("opacity")
            writer.value(summary.picture.opacity)
            writer.name("colors")
            writer.beginArray()
            for entry in palette?.entries ?? [] {
                writer.element()
                writer.entry(entry)
            }
            writer.endArray()
            writer.name("accent")
            writer.optional(palette?.accent) { $0.entry($1) }
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func entry(_ entry: ColorPalette.Entry) {
        beginObject()
        name("color")
        value(entry.color)
        name("share")
        value(Double(entry.millionths) / 1_000_000)
        name("foreground")
        text(entry.foreground)
        endObject()
    }
}
