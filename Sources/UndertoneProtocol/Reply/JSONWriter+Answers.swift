internal import UndertoneColor

/// What the results of several operations have in common.
extension JSONWriter {
    /// Writes the facts about a picture as an object.
    mutating func facts(_ image: ImageFacts) {
        beginObject()
        name("width")
        value(image.width)
        name("height")
        value(image.height)
        name("format")
        value(image.format.name)
        name("orientation")
        value(image.orientation)
        name("profile")
        value(image.profile.rawValue)
        name("complete")
        value(image.complete)
        name("sampling")
        value(image.sampling.rawValue)
        endObject()
    }

    /// Writes a text's colour with its contrast as an object.
    mutating func text(_ text: ContrastColor) {
        beginObject()
        name("color")
        value(text.color)
        name("contrast")
        value(text.contrast, .down)
        name("meets")
        value(text.meets)
        endObject()
    }

    /// Writes a translucent layer as an object; its opacity must suffice, so it is rounded up.
    mutating func layer(_ color: RGB8, opacity: Double) {
        beginObject()
        name("color")
        value(color)
        name("opacity")
        value(opacity, .up)
        endObject()
    }

    /// Writes the four averages as an object.
    mutating func averages(_ average: (AverageKind) -> RGB8?) {
        beginObject()
        name("simple")
        optional(average(.simple)) { $0.value($1) }
        name("squareRoot")
        optional(average(.squareRoot)) { $0.value($1) }
        name("linear")
        optional(average(.linear)) { $0.value($1) }
        name("oklab")
        optional(average(.oklab)) { $0.value($1) }
        endObject()
    }

    /// Writes a member that is a number, or `null` where there is none.
    mutating func member(_ key: StaticString, _ number: Int?) {
        name(key)
        optional(number) { $0.value($1) }
    }

    /// Writes a value, or `null` where there is none.
    mutating func optional<Value>(
        _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
    ) {
        if let value { write(&self, value) } else { null() }
    }
}
