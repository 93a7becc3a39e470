internal import UndertoneColor

extension ColorAnswer {
    /// Takes the result of a `color` reply; what it does not know it leaves out.
    init(_ result: JSONDocument) throws(ClientError) {
        guard let image = result["image"] else { throw .malformedReply }
        self.image = try Image(image)
        picture = try Area(result)
        regions = []
        for member in result["regions"]?.members ?? [] {
            regions.append(Region(name: member.name, area: try Area(member.value)))
        }
    }
}

extension ColorAnswer.Image {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        guard let width = document["width"]?.integer, let height = document["height"]?.integer,
            let format = document["format"]?.text
        else { throw .malformedReply }
        self.init(
            width: width, height: height, format: format,
            isComplete: document["complete"]?.boolean ?? true)
    }
}

extension ColorAnswer.Area {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        guard let opacity = document["opacity"]?.number else { throw .malformedReply }
        self.opacity = opacity
        // Everything is null where nothing can be seen.
        guard let average = document["average"], average != .null else { return }
        var averages: [ColorAnswer.Average] = []
        for member in average.members {
            averages.append(.init(name: member.name, color: try RGB8(member.value)))
        }
        colors = .init(
            averages: averages, background: try RGB8(document["background"]),
            isDark: document["scheme"]?.text == "dark",
            foreground: try .init(document["foreground"]),
            secondary: try .init(document["secondary"]))
    }
}

extension ColorAnswer.TextColor {
    fileprivate init(_ document: JSONDocument?) throws(ClientError) {
        guard let contrast = document?["contrast"]?.number, let meets = document?["meets"]?.boolean
        else { throw .malformedReply }
        self.init(color: try RGB8(document?["color"]), contrast: contrast, meets: meets)
    }
}

extension RGB8 {
    fileprivate init(_ document: JSONDocument?) throws(ClientError) {
        guard let text = document?.text, let color = RGB8(hexadecimal: text) else {
            throw .malformedReply
        }
        self = color
    }

    /// Reads `#rrggbb`, in letters of either case.
    init?(hexadecimal text: String) {
        let digits = text.dropFirst()
        guard text.first == "#", digits.utf8.count == 6,
            digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16),
            green: UInt8(truncatingIfNeeded: value >> 8), blue: UInt8(truncatingIfNeeded: value))
    }

    /// The colour as `#rrggbb`.
    var hexadecimal: String {
        let digits = [red, green, blue].map { channel in
            (channel < 16 ? "0" : "") + String(channel, radix: 16)
        }
        return "#" + digits.joined()
    }
}
