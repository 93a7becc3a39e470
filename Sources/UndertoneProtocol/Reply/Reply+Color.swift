public import UndertoneColor

extension Reply {
    /// Answers `color`.
    ///
    /// - Parameters:
    ///   - id: The request's identifier.
    ///   - request: The question.
    ///   - summary: What the picture was reduced to for the question's job, with its regions.
    public static func color(
        id: RequestID?, _ request: ColorRequest, of summary: ImageSummary
    ) -> [UInt8] {
        let areas = 1 + request.regionNames.count
        return line(id: id, capacity: 256 + 640 * areas) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("image")
            writer.facts(summary.image)
            writer.area(summary.picture, request)
            if !request.regionNames.isEmpty {
                writer.name("regions")
                writer.beginObject()
                for (name, index) in zip(request.regionNames, request.regionIndices) {
                    writer.name(escaping: name)
                    writer.beginObject()
                    writer.area(summary.regions[index], request)
                    writer.endObject()
                }
                writer.endObject()
            }
            writer.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes an area's members into the object that was begun.
    fileprivate mutating func area(_ summary: AreaSummary, _ request: ColorRequest) {
        let answer = AreaAnswer(summary, average: request.average, target: request.contrast)
        name("opacity")
        value(answer?.opacity ?? 0)
        name("average")
        optional(answer) { $0.averages($1.average) }
        name("background")
        optional(answer) { $0.value($1.background) }
        name("scheme")
        optional(answer) { $0.value($1.scheme.rawValue) }
        name("foreground")
        optional(answer) { $0.text($1.foreground) }
        name("secondary")
        optional(answer) { $0.text($1.secondary) }
        name("luminance")
        optional(answer) { $0.luminance($1.luminance) }
        name("overImage")
        optional(answer) { $0.overImage($1.overImage) }
    }

    private mutating func luminance(_ luminance: LuminanceStatistics) {
        beginObject()
        name("mean")
        value(luminance.mean)
        name("min")
        value(luminance.min)
        name("p05")
        value(luminance.p05)
        name("p50")
        value(luminance.p50)
        name("p95")
        value(luminance.p95)
        name("max")
        value(luminance.max)
        endObject()
    }

    private mutating func overImage(_ overImage: OverImage) {
        beginObject()
        name("color")
        value(overImage.color)
        name("contrast")
        value(overImage.contrast, .down)
        name("coverage")
        value(overImage.coverage, .down)
        name("meets")
        value(overImage.meets)
        name("scrim")
        layer(overImage.scrim.color, opacity: overImage.scrim.opacity)
        endObject()
    }
}
