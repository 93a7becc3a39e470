import UndertoneColor

extension ImageSummary {
    /// How the facts of `test` are written.
    static let testImage = """
        "image":{"width":4000,"height":6000,"format":"jpeg","orientation":6,\
        "profile":"converted","complete":true,"sampling":"auto"}
        """

    /// What an opaque picture of some colours is reduced to, its area as if the first covered it
    /// all; without any colour, what a transparent one is.
    static func test(_ colors: [(RGB8, Float)]) -> ImageSummary {
        let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5)
        let facts = ImageFacts(
            width: 4000, height: 6000, format: .jpeg, orientation: 6, profile: .converted,
            complete: true, sampling: .auto)
        return ImageSummary(
            image: facts, identityBefore: identity, identityAfter: identity,
            picture: colors.first.map { .flat($0.0) } ?? AreaSummary(), regions: [],
            clusters: colors.map {
                let oklab = $0.0.oklab
                return ColorCluster(
                    oklab: SIMD3(Float(oklab.x), Float(oklab.y), Float(oklab.z)), weight: $0.1)
            })
    }
}

extension AreaSummary {
    /// What an opaque area of one colour is reduced to.
    static func flat(_ color: RGB8) -> AreaSummary {
        var area = AreaSummary()
        let encoded = SIMD3(Double(color.red), Double(color.green), Double(color.blue))
        area.opacity = 1
        area.simple = encoded
        area.squareRoot = encoded
        let luminance = color.relativeLuminance
        area.linear = SIMD3(repeating: luminance)
        area.oklab = color.oklab
        area.luminance.mean = luminance
        area.luminance.min = luminance
        area.luminance.p05 = luminance
        area.luminance.p50 = luminance
        area.luminance.p95 = luminance
        area.luminance.max = luminance
        let rank = UInt16(color.red) * 257
        area.underWhiteText = Array(repeating: rank, count: 256)
        area.underBlackText = Array(repeating: rank, count: 256)
        area.worstUnderBlackScrim = Array(repeating: color, count: 256)
        area.worstUnderWhiteScrim = Array(repeating: color, count: 256)
        return area
    }
}
