internal import GLibSupport

/// The options of one command, or of all of them, as GLib parses them.
struct Options {
    let parser: OptionParser
    let help, version, verbose, noStart, json, null: OptionValue<Bool>
    let socket, color, average, contrast, sampling, backdrop, card: OptionValue<[UInt8]?>
    let area, scheme, over, glyph, space, format, operation: OptionValue<[UInt8]?>
    let count, frames: OptionValue<Int64?>
    let regions: OptionValue<[[UInt8]]>

    /// Declares the options of a command; without one, those of all commands.
    ///
    /// - Parameter watched: The operation whose options are those of `watch` too.
    init(of command: Command? = nil, watching watched: Command = .color) {
        let parser = OptionParser(
            usage: command?.usage ?? "", summary: command?.summary ?? "", hasHelp: false)
        self.parser = parser
        // What a command does not take is declared where nobody looks.
        let undeclared = OptionParser(summary: "")
        func of(_ commands: Command...) -> OptionParser {
            guard let command else { return parser }
            return commands.contains(command) || command == .watch && commands.contains(watched)
                ? parser : undeclared
        }
        let isWatch = command == .watch

        operation = of(.watch).bytes(
            "op", "OPERATION", "What to watch: color, palette, indicator or theme")
        average = of(.color, .indicator, .transition).bytes(
            "average", short: "a", "KIND",
            "The average to put text on: simple, squareRoot, linear or oklab")
        contrast = of(.color, .palette, .transition).bytes(
            "contrast", short: "c", "RATIO", "The contrast ratio for text to reach, 1 to 21")
        regions = of(.color).list(
            "region", short: "r", "NAME=AREA",
            "Tell of a part too: x,y,width,height or EDGE:SIZE; repeatable")
        count = of(.palette).integer("count", short: "n", "N", "At most so many colours, 1 to 32")
        area = of(.indicator).bytes(
            "area", "AREA", "The part to be covered: x,y,width,height or EDGE:SIZE, in 0…1")
        scheme = of(.indicator, .theme).bytes("scheme", "SCHEME", "dark, light or auto")
        over = of(.indicator).bytes(
            "over", "WHAT", "Be legible over the background, or over every pixel of the image")
        glyph = of(.indicator).bytes(
            "glyph", "FILE", "Tell how to draw this small picture on the strip")
        frames = of(.transition).integer("frames", "N", "So many frames, 2 to 240")
        space = of(.transition).bytes("space", "SPACE", "The way to go: oklab or srgb")
        format = of(.theme).bytes(
            "format", "FORMAT", "undertone, or pywal: one line that wal --theme takes as a file")
        sampling = of(.color, .palette, .indicator, .transition, .theme).bytes(
            "sampling", "HOW", "Which pixels to take: auto, exact or thumbnail")
        backdrop = of(.color, .indicator).bytes(
            "backdrop", "COLOR", "What transparent parts lie on, as #rrggbb")
        null = (isWatch ? undeclared : of(.color, .palette, .indicator, .theme)).flag(
            "null", short: "0", "Names on standard input end in NUL")
        card = of(.color, .palette, .indicator, .transition, .theme).bytes(
            "card", "FILE", "Draw a swatch card, an SVG, into this file too")
        json = of(
            .color, .palette, .indicator, .transition, .theme, .status, .cache, .doctor
        ).flag(
            "json", short: "j", "Print JSON on a terminal too")
        color = of(.color, .palette, .indicator, .transition, .theme).bytes(
            "color", "WHEN", "Swatches: auto (on a terminal), always, or never")
        socket = parser.bytes("socket", "PATH", "The daemon's socket")
        let asking = command == .socket ? undeclared : parser
        noStart = asking.flag("no-start", "Do not start a daemon")
        verbose = asking.flag("verbose", short: "v", "Tell on standard error what is done")
        help = parser.flag("help", short: "h", "Print this help")
        version = parser.flag("version", "Print the version")
    }
}
