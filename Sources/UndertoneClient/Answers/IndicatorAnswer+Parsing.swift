extension IndicatorAnswer {
    /// Takes the result of an `indicator` reply.
    init(_ result: JSONDocument) throws(ClientError) {
        image = try ImageFacts(result.member("image"))
        opacity = try result.number("opacity")
        strip = result.has("background") ? try Strip(result) : nil
        glyph = result.has("glyph") ? try Glyph(result.member("glyph")) : nil
    }
}

extension IndicatorAnswer.Strip {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        let labels = try document.member("labels")
        let dots = try document.member("dots")
        self.init(
            base: try document.color("base"), isDark: try document.text("scheme") == "dark",
            material: try ColorLayer(document.member("material")),
            background: try document.color("background"),
            labels: (
                try TextColor(labels.member("active")), try TextColor(labels.member("others"))
            ),
            dots: (try TextColor(dots.member("current")), try TextColor(dots.member("others"))))
    }
}

extension IndicatorAnswer.Glyph {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        image = try ImageFacts(document.member("image"))
        guard document.has("style") else { return }
        drawing = .init(
            isTinted: try document.text("style") == "tint", reason: try document.text("reason"),
            color: try TextColor(document))
    }
}
