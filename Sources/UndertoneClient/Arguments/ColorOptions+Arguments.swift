internal import GLibSupport
internal import UndertoneProtocol

extension ColorOptions {
    /// Takes what was given on the command line.
    init(_ options: Options) throws {
        self.init()
        average = try options.averageKind()
        contrast = try options.contrastRatio()
        sampling = try options.samplingKind()
        backdrop = try options.backdropColor()
        regions = try options.regions.value.map(ColorOptions.region)
        guard regions.count <= Limits.regions else {
            throw UsageError("there may be at most \(Limits.regions) regions")
        }
        // Names are compared as bytes, as the daemon compares them: two spellings are two names.
        let names = regions.map { Array($0.name.utf8) }
        if let index = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
            throw UsageError("two regions are called \(printable(names[index]))")
        }
    }

    /// Understands `NAME=x,y,width,height` or `NAME=EDGE:SIZE`.
    private static func region(_ value: [UInt8]) throws -> (name: String, area: PictureArea) {
        // The last one: a name may hold more of them, an area none.
        guard let equals = value.lastIndex(of: UInt8(ascii: "=")),
            let name = String(validating: value[..<equals], as: UTF8.self),
            1...Limits.regionNameBytes ~= name.utf8.count,
            let area = PictureArea(argument: text(value[(equals + 1)...]))
        else {
            throw UsageError(
                "--region must be NAME= and \(PictureArea.form), not \(printable(value))")
        }
        return (name, area)
    }
}
