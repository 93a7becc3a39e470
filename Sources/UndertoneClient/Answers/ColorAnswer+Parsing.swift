internal import UndertoneColor

extension ColorAnswer {
    /// Takes the result of a `color` reply; what it does not know it leaves out.
    init(_ result: JSONDocument) throws(ClientError) {
        image = try ImageFacts(result.member("image"))
        picture = try Area(result)
        regions = []
        for member in result["regions"]?.members ?? [] {
            regions.append(Region(name: member.name, area: try Area(member.value)))
        }
    }
}

extension ColorAnswer.Area {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        opacity = try document.number("opacity")
        // Everything is null where nothing can be seen.
        guard document.has("average") else { return }
        var averages: [ColorAnswer.Average] = []
        for member in try document.member("average").members {
            averages.append(.init(name: member.name, color: try RGB8(member.value)))
        }
        colors = .init(
            averages: averages, background: try document.color("background"),
            isDark: try document.text("scheme") == "dark",
            foreground: try TextColor(document.member("foreground")),
            secondary: try TextColor(document.member("secondary")),
            overImage: try document["overImage"].map(ColorAnswer.OverImage.init))
    }
}

extension ColorAnswer.OverImage {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            text: try TextColor(document), coverage: try document.number("coverage"),
            scrim: try ColorLayer(document.member("scrim")))
    }
}
