public import UndertoneColor

extension Reply {
    /// Answers `theme`.
    ///
    /// - Parameters:
    ///   - id: The request's identifier.
    ///   - request: The question.
    ///   - summary: What the picture was reduced to.
    /// - Throws: `decode_failed` where nothing of the picture can be seen and pywal's shape was
    ///   asked for, which has no room for that.
    public static func theme(
        id: RequestID?, _ request: ThemeRequest, of summary: ImageSummary
    ) throws(RequestError) -> [UInt8] {
        let theme = Theme(summary.picture, summary.clusters, scheme: request.scheme)
        switch request.format {
        case .undertone:
            return line(id: id, capacity: 1280) { writer in
                writer.name("result")
                writer.theme(theme, of: summary)
            }
        case .pywal:
            guard let theme else {
                throw RequestError(.decodeFailed, "nothing of the picture can be seen")
            }
            return line(id: id, capacity: 1024 + request.job.path.count) { writer in
                writer.name("result")
                writer.pywal(theme, wallpaper: request.job.path)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func theme(_ theme: Theme?, of summary: ImageSummary) {
        beginObject()
        name("image")
        facts(summary.image)
        name("opacity")
        value(summary.picture.opacity)
        name("scheme")
        optional(theme) { $0.value($1.scheme.rawValue) }
        name("background")
        optional(theme) { $0.value($1.background) }
        name("foreground")
        optional(theme) { $0.value($1.foreground) }
        name("cursor")
        optional(theme) { $0.value($1.cursor) }
        name("colors")
        optional(theme) { $0.terminalColors($1) }
        name("roles")
        optional(theme) { $0.roles($1) }
        name("lowest")
        optional(theme) { $0.value($1.lowest, .down) }
        endObject()
    }

    /// Writes what pywal keeps in `colors.json` and reads as a theme.
    fileprivate mutating func pywal(_ theme: Theme, wallpaper path: [UInt8]) {
        beginObject()
        name("wallpaper")
        value(Self.wallpaper(path))
        name("alpha")
        value("100")
        name("special")
        beginObject()
        name("background")
        value(theme.background)
        name("foreground")
        value(theme.foreground)
        name("cursor")
        value(theme.cursor)
        endObject()
        name("colors")
        terminalColors(theme)
        endObject()
    }

    /// A path as pywal can take it, or its own word for no wallpaper.
    ///
    /// A path that is not UTF-8 has no spelling in JSON, and pywal copies one into shell scripts
    /// and other files as it is, between quotation marks.
    private static func wallpaper(_ path: [UInt8]) -> String {
        let special = Array(#""'`$\"#.utf8)
        let isPlain = path.allSatisfy { $0 >= 0x20 && $0 != 0x7f && !special.contains($0) }
        return isPlain ? String(validating: path, as: UTF8.self) ?? "None" : "None"
    }

    private mutating func terminalColors(_ theme: Theme) {
        beginObject()
        for (index, color) in theme.colors.enumerated() {
            name(escaping: "color\(index)")
            value(color)
        }
        endObject()
    }

    private mutating func roles(_ theme: Theme) {
        beginObject()
        name("accent")
        value(theme.accent)
        name("surface")
        value(theme.surface)
        name("muted")
        value(theme.muted)
        name("border")
        value(theme.border)
        name("error")
        value(theme.error)
        name("success")
        value(theme.success)
        name("warning")
        value(theme.warning)
        name("info")
        value(theme.info)
        endObject()
    }
}
