/// A picture's colours as a person sees them: a swatch with text on it, and the figures beside.
struct PictureView: Equatable {
    /// The width of a swatch in columns.
    private static let width = 22

    let palette: Palette

    /// Draws an answer; each line ends with a newline, and an empty one ends the picture.
    func draw(_ name: [UInt8], _ answer: ColorAnswer) -> String {
        let image = answer.image
        let colors = answer.picture.colors
        var lines = [palette.bold + printable(name) + palette.reset]
        var facts = "\(image.width) × \(image.height) \(printable(image.format))"
        if let colors {
            facts += ", \(colors.isDark ? "dark" : "light"), \(colors.background.hexadecimal)"
            lines += [facts, contrasts(colors)] + averages(colors)
            if answer.picture.opacity < 1 {
                lines.append("opacity \(decimals(answer.picture.opacity))")
            }
        } else {
            lines.append(facts + ", wholly transparent")
        }
        if !image.isComplete { lines.append("only part of the picture could be decoded") }

        let samples = [1: "Primary text", 2: "Secondary text"]
        var text = ""
        for (row, line) in lines.enumerated() {
            text += swatch(colors, samples[row] ?? "", isSecondary: row == 2) + line + "\n"
        }
        return text + answer.regions.map(draw).joined() + "\n"
    }

    private func draw(_ region: ColorAnswer.Region) -> String {
        let name = printable(region.name)
        guard let colors = region.area.colors else {
            return swatch(nil, name, isSecondary: false) + "\(name): wholly transparent\n"
        }
        return swatch(colors, name, isSecondary: false)
            + "\(name): \(colors.background.hexadecimal), \(contrasts(colors, secondary: ""))\n"
    }

    /// One row of a swatch, with its distance to what is beside it.
    private func swatch(
        _ colors: ColorAnswer.Colors?, _ sample: String, isSecondary: Bool
    ) -> String {
        guard palette != .none else { return "" }
        let room = PictureView.width - 4
        let text = String(sample.prefix(room))
        let row = "  " + text + String(repeating: " ", count: room - text.count + 2)
        guard let colors else { return String(repeating: " ", count: PictureView.width + 2) }
        let color = isSecondary ? colors.secondary.color : colors.foreground.color
        return palette.background(colors.background) + palette.foreground(color) + row
            + palette.reset + "  "
    }

    /// Both text colours with their ratios; a region's row has no room for the second's name.
    private func contrasts(
        _ colors: ColorAnswer.Colors, secondary: String = "secondary "
    ) -> String {
        func describe(_ name: String, _ text: ColorAnswer.TextColor) -> String {
            "\(name)\(text.color.hexadecimal) \(decimals(text.contrast)):1"
                + (text.meets ? "" : " (too low)")
        }
        return describe("text ", colors.foreground) + ", "
            + describe(secondary, colors.secondary)
    }

    /// The averages, two a line.
    private func averages(_ colors: ColorAnswer.Colors) -> [String] {
        let cells = colors.averages.map { average in
            let chip =
                palette == .none
                ? "" : palette.foreground(average.color) + "██" + palette.reset + " "
            let name = printable(average.name)
            let gap = String(repeating: " ", count: max(11 - name.count, 1))
            return chip + name + gap + average.color.hexadecimal
        }
        return stride(from: 0, to: cells.count, by: 2).map { start in
            cells[start..<min(start + 2, cells.count)].joined(separator: "   ")
        }
    }

    /// A number with two decimals, never rounded up: 4.499 is not 4.5.
    private func decimals(_ value: Double) -> String {
        let hundredths = Int(value * 100)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
