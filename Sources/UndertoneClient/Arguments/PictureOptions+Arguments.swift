internal import GLibSupport
internal import UndertoneColor
internal import UndertoneProtocol

extension PaletteOptions {
    /// Takes what was given on the command line.
    init(_ options: Options) throws {
        self.init()
        count = try whole("count", options.count, within: 1...ColorPalette.maximumCount)
        contrast = try options.contrastRatio()
        sampling = try options.samplingKind()
    }
}

extension IndicatorOptions {
    /// Takes what was given on the command line.
    init(_ options: Options) throws {
        self.init()
        area = try options.area.value.map { value in
            guard let area = PictureArea(argument: text(value)) else {
                throw UsageError("--area must be \(PictureArea.form), not \(printable(value))")
            }
            return area
        }
        average = try options.averageKind()
        scheme = try options.schemeKind()
        base = try options.over.value.map { try choice("over", $0) }
        glyph = try options.glyph.value.map { try PathBytes.absolute($0) }
        sampling = try options.samplingKind()
        backdrop = try options.backdropColor()
    }
}

extension ThemeOptions {
    /// Takes what was given on the command line.
    init(_ options: Options) throws {
        self.init()
        scheme = try options.schemeKind()
        sampling = try options.samplingKind()
        format = try options.format.value.map { try choice("format", $0) }
        if isForeign, options.card.value != nil {
            throw UsageError("--card draws no theme of --format pywal")
        }
    }
}

extension TransitionOptions {
    /// Takes what was given on the command line: what is not `#rrggbb` is a picture's name.
    init(_ options: Options, _ ends: [[UInt8]]) throws {
        guard ends.count == 2 else {
            throw UsageError("transition takes two colours or pictures, FROM and TO")
        }
        self.init(from: try End(argument: ends[0]), to: try End(argument: ends[1]))
        frames = try whole("frames", options.frames, within: Transition.frameCounts)
        space = try options.space.value.map { try choice("space", $0) }
        average = try options.averageKind()
        contrast = try options.contrastRatio()
        sampling = try options.samplingKind()
    }
}

extension TransitionOptions.End {
    fileprivate init(argument: [UInt8]) throws {
        if let color = RGB8(hexBytes: argument) {
            self = .color(color)
        } else {
            self = .picture(try PathBytes.absolute(argument))
        }
    }
}
