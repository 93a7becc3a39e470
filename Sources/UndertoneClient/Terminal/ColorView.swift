internal import GLibSupport
internal import UndertoneColor
internal import UndertoneProtocol

/// A picture's colours as a person sees them: a swatch with text on it, and the figures beside.
struct ColorView {
    /// The width of a swatch in columns.
    private static let width = 22

    let palette: TerminalPalette
    /// The ratio that texts were asked to reach.
    var contrast = ColorRequest.defaultContrast

    /// Draws an answer; each line ends with a newline, and an empty one ends the picture.
    func draw(_ name: [UInt8], _ answer: ColorAnswer) -> String {
        let colors = answer.picture.colors
        var lines = [palette.bold(printable(name))]
        var facts = answer.image.summary
        if let colors {
            facts += ", \(colors.isDark ? "dark" : "light"), \(colors.background.hex)"
            lines += [facts, contrasts(colors)] + averages(colors)
            if let text = colors.overImage { lines.append(overImage(text)) }
            if answer.picture.opacity < 1 {
                lines.append("opacity \(Figures.down(answer.picture.opacity))")
            }
        } else {
            lines.append(facts + ", wholly transparent")
        }

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
            + "\(name): \(colors.background.hex), \(contrasts(colors, secondary: ""))\n"
    }

    /// One row of a swatch, with its distance to what is beside it.
    private func swatch(
        _ colors: ColorAnswer.Colors?, _ sample: String, isSecondary: Bool
    ) -> String {
        guard palette != .none else { return "" }
        guard let colors else { return String(repeating: " ", count: ColorView.width + 2) }
        let color = isSecondary ? colors.secondary.color : colors.foreground.color
        let room = ColorView.width - 4
        let text = "  \(sample.padded(to: room))  "
        return palette.cell(text, on: colors.background, color, reaching: contrast) + "  "
    }

    /// Both text colours with their ratios; a region's row has no room for the second's name.
    private func contrasts(
        _ colors: ColorAnswer.Colors, secondary: String = "secondary "
    ) -> String {
        "text \(colors.foreground.summary), \(secondary)\(colors.secondary.summary)"
    }

    /// The averages, two a line.
    private func averages(_ colors: ColorAnswer.Colors) -> [String] {
        palette.columns(
            colors.averages.map { average in
                let name = printable(average.name)
                let gap = String(repeating: " ", count: max(11 - name.count, 1))
                return (average.color, name + gap + average.color.hex)
            }, by: 2)
    }

    private func overImage(_ over: ColorAnswer.OverImage) -> String {
        let text = "on the picture \(over.text.color.hex) \(Figures.ratio(over.text.contrast))"
        return over.scrim.opacity > 0 ? "\(text), else over \(over.scrim.summary)" : text
    }
}

extension ColorAnswer: PictureAnswer {
    func draw(_ name: [UInt8], on terminal: TerminalPalette, for contrast: Double) -> String {
        ColorView(palette: terminal, contrast: contrast).draw(name, self)
    }
}
