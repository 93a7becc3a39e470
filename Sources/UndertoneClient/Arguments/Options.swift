internal import GLibSupport

/// The options of one command, or of all of them, as GLib parses them.
struct Options {
    let parser: OptionParser
    let help, version, verbose, noStart, json, null: OptionValue<Bool>
    let socket, color, average, contrast, sampling, backdrop: OptionValue<[UInt8]?>
    let regions: OptionValue<[[UInt8]]>

    /// Declares the options of a command; without one, those of all commands.
    init(of command: Command? = nil) {
        let parser = OptionParser(
            usage: command?.usage ?? "", summary: command?.summary ?? "", hasHelp: false)
        self.parser = parser
        // What a command does not take is declared where nobody looks.
        let undeclared = OptionParser(summary: "")
        func of(_ commands: Command...) -> OptionParser {
            command.map(commands.contains) ?? true ? parser : undeclared
        }

        average = of(.color).bytes(
            "average", short: "a", "KIND",
            "The average to put text on: simple, squareRoot, linear or oklab")
        contrast = of(.color).bytes(
            "contrast", short: "c", "RATIO", "The contrast ratio for text to reach, 1 to 21")
        regions = of(.color).list(
            "region", short: "r", "NAME=AREA",
            "Tell of a part too: x,y,width,height in 0…1, or EDGE:SIZE; may be repeated")
        sampling = of(.color).bytes(
            "sampling", "HOW", "Which pixels to take: auto, exact or thumbnail")
        backdrop = of(.color).bytes(
            "backdrop", "COLOR", "What transparent parts lie on, as #rrggbb")
        null = of(.color).flag("null", short: "0", "Names on standard input end in NUL")
        json = of(.color, .status).flag("json", short: "j", "Print JSON on a terminal too")
        color = of(.color).bytes(
            "color", "WHEN", "Swatches: auto (on a terminal), always, or never")
        socket = parser.bytes("socket", "PATH", "The daemon's socket")
        noStart = of(.color, .status, .send).flag("no-start", "Do not start a daemon")
        verbose = of(.color, .status, .send).flag(
            "verbose", short: "v", "Tell on standard error what is done")
        help = parser.flag("help", short: "h", "Print this help")
        version = parser.flag("version", "Print the version")
    }
}
