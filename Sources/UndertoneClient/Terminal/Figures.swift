internal import UndertoneColor

/// Numbers as people read them.
enum Figures {
    /// A number with two decimals, never rounded up: 4.499 is not 4.5.
    ///
    /// The daemon sends six digits; what is added makes up for those that binary numbers lack.
    static func down(_ value: Double) -> String { hundredths(Int(value * 100 + 1e-4)) }

    /// A number with two decimals, never rounded down: what must suffice when it is used.
    static func up(_ value: Double) -> String {
        hundredths(Int((value * 100 - 1e-4).rounded(.up)))
    }

    /// A share in percent with one decimal, to the nearest.
    static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return tenths == 0 && share > 0 ? "<0.1 %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// A contrast ratio.
    static func ratio(_ contrast: Double) -> String { "\(down(contrast)):1" }

    private static func hundredths(_ count: Int) -> String {
        let rest = count % 100
        return "\(count / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension TextColor {
    /// The colour and what it reaches.
    var summary: String { "\(color.hex) \(Figures.ratio(contrast))\(meets ? "" : " (too low)")" }
}

extension ColorLayer {
    /// The colour and how opaque it is.
    var summary: String { opacity > 0 ? "\(color.hex) \(Figures.up(opacity))" : "none" }
}

extension String {
    /// The text with blanks up to a width, or cut to it.
    func padded(to width: Int) -> String {
        let text = prefix(width)
        return text + String(repeating: " ", count: width - text.count)
    }

    /// The text, or as much of its end as there is room for after an ellipsis.
    func shortened(to width: Int) -> String {
        count <= width ? self : "…" + suffix(Swift.max(width - 1, 0))
    }

    /// The text with blanks before it up to a width.
    func aligned(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(width - count, 0)) + self
    }
}
