public import UndertoneColor

extension Reply {
    /// Answers `transition`.
    ///
    /// - Parameters:
    ///   - id: The request's identifier.
    ///   - request: The question.
    ///   - summaries: What the pictures among its ends were reduced to, as many as there are.
    public static func transition(
        id: RequestID?, _ request: TransitionRequest, of summaries: [ImageSummary]
    ) -> [UInt8] {
        var summaries = summaries[...]
        let from = Background(request.from, request.average, &summaries)
        let to = Background(request.to, request.average, &summaries)
        var transition: Transition?
        if let start = from.color, let end = to.color {
            transition = Transition(
                from: start, to: end, frames: request.frames, in: request.space,
                target: request.contrast)
        }
        return line(id: id, capacity: 512 + 192 * request.frames) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("from")
            writer.end(from)
            writer.name("to")
            writer.end(to)
            writer.name("space")
            writer.value(request.space.rawValue)
            writer.name("flip")
            writer.optional(transition?.flip) { $0.value($1, .up) }
            writer.name("lowest")
            writer.optional(transition?.lowest) { $0.value($1, .down) }
            writer.name("frames")
            writer.frames(transition?.frames ?? [])
            writer.endObject()
        }
    }

    /// An end as it is answered.
    fileprivate struct Background {
        var color: RGB8?
        var image: ImageFacts?

        init(
            _ end: TransitionRequest.End, _ average: AverageKind,
            _ summaries: inout ArraySlice<ImageSummary>
        ) {
            switch end {
            case .color(let color): self.color = color
            case .picture:
                let summary = summaries.removeFirst()
                color = summary.picture.average(average)
                image = summary.image
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func end(_ end: Reply.Background) {
        beginObject()
        name("color")
        optional(end.color) { $0.value($1) }
        if let image = end.image {
            name("image")
            facts(image)
        }
        endObject()
    }

    fileprivate mutating func frames(_ frames: [Transition.Frame]) {
        beginArray()
        for (index, frame) in frames.enumerated() {
            element()
            beginObject()
            name("position")
            value(Double(index) / Double(frames.count - 1))
            name("background")
            value(frame.background)
            name("foreground")
            text(frame.foreground)
            name("secondary")
            text(frame.secondary)
            endObject()
        }
        endArray()
    }
}
