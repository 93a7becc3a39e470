/// What is to be known of each picture.
enum Question: Equatable {
    case color(ColorOptions)
    case palette(PaletteOptions)
    case indicator(IndicatorOptions)
    case theme(ThemeOptions)

    /// Takes what was given on the command line; nil where a command is not about pictures.
    init?(_ command: Command, _ options: Options) throws {
        switch command {
        case .color: self = .color(try ColorOptions(options))
        case .palette: self = .palette(try PaletteOptions(options))
        case .indicator: self = .indicator(try IndicatorOptions(options))
        case .theme: self = .theme(try ThemeOptions(options))
        case .transition, .watch, .status, .cache, .doctor, .send, .socket: return nil
        }
    }

    /// The question as it is sent.
    var request: any PictureRequest {
        switch self {
        case .color(let options): options
        case .palette(let options): options
        case .indicator(let options): options
        case .theme(let options): options
        }
    }
}
