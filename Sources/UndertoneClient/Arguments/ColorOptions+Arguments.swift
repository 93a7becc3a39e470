internal import GLibSupport
internal import UndertoneColor
internal import UndertoneProtocol

extension ColorOptions {
    /// Takes what was given on the command line.
    init(_ options: Options) throws {
        self.init()
        average = try options.average.value.map { try choice("average", $0) }
        contrast = try options.contrast.value.map { value in
            guard let ratio = Double(text(value)), 1...21 ~= ratio else {
                throw UsageError(
                    "--contrast must be a number from 1 to 21, not \(printable(value))")
            }
            return ratio
        }
        sampling = try options.sampling.value.map { value in
            guard let sampling = Sampling.allCases.first(where: { "\($0)" == text(value) }) else {
                throw UsageError.notOneOf("sampling", Sampling.allCases.map { "\($0)" }, value)
            }
            return sampling
        }
        backdrop = try options.backdrop.value.map { value in
            guard let color = RGB8(hexadecimal: text(value)) else {
                throw UsageError("--backdrop must be like #1e90ff, not \(printable(value))")
            }
            return color
        }
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
    private static func region(_ value: [UInt8]) throws -> (name: String, area: Area) {
        let wrong = UsageError(
            "--region must be NAME=x,y,width,height or NAME=EDGE:SIZE, with numbers from 0 to 1, "
                + "not \(printable(value))")
        // The last one: a name may hold more of them, an area none.
        guard let equals = value.lastIndex(of: UInt8(ascii: "=")),
            let name = String(validating: value[..<equals], as: UTF8.self),
            1...Limits.regionNameBytes ~= name.utf8.count
        else { throw wrong }
        let area = text(value[(equals + 1)...])

        if let colon = area.firstIndex(of: ":") {
            guard let edge = Edge(rawValue: String(area[..<colon])),
                let size = Double(area[area.index(after: colon)...]), size > 0, size <= 1
            else { throw wrong }
            return (name, .edge(edge, size: size))
        }
        let numbers = area.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0)
        }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], 0..<1 ~= x, 0..<1 ~= y, width > 0, height > 0,
            x + width <= 1.000001, y + height <= 1.000001
        else { throw wrong }
        return (name, .rectangle(x: x, y: y, width: width, height: height))
    }
}

extension UsageError {
    /// An option's value that is none of those there are.
    static func notOneOf(_ option: String, _ choices: [String], _ value: [UInt8]) -> UsageError {
        UsageError(
            "--\(option) must be one of \(choices.joined(separator: ", ")), "
                + "not \(printable(value))")
    }
}

/// An option's value as one of several.
func choice<Value: RawRepresentable & CaseIterable>(
    _ option: String, _ value: [UInt8]
) throws -> Value where Value.RawValue == String {
    guard let choice = Value(rawValue: text(value)) else {
        throw UsageError.notOneOf(option, Value.allCases.map(\.rawValue), value)
    }
    return choice
}

private func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
}
