/// Writes small ICC profiles (ICC.1:2010).
enum ICCWriter {
    /// Linear light to the power of a gamma, or sRGB's own curve.
    enum Curve {
        case gamma(Double)
        case sRGB
    }

    /// The D50 primaries of sRGB and of Display P3.
    static let sRGBPrimaries = [
        [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
    ]
    static let displayP3Primaries = [
        [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    ]

    /// A profile of three curves and a matrix.
    static func rgb(_ primaries: [[Double]], _ curve: Curve) -> [UInt8] {
        let colorants = zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, xyz($1)) }
        let curves = ["rTRC", "gTRC", "bTRC"].map { ($0, bytes(of: curve)) }
        return profile("RGB ", colorants + curves)
    }

    /// A profile of one gray curve.
    static func gray(_ curve: Curve) -> [UInt8] {
        profile("GRAY", [("kTRC", bytes(of: curve))])
    }

    /// A profile of some color space that lacks all else.
    static func empty(_ space: String) -> [UInt8] { profile(space, []) }

    private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
        let all = [("wtpt", xyz([0.9642, 1, 0.82491]))] + tags
        var table: [UInt8] = .big(all.count, 4)
        var data: [UInt8] = []
        let start = 132 + 12 * all.count
        for (name, body) in all {
            table += Array(name.utf8) + .big(start + data.count, 4) + .big(body.count, 4)
            data += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        }
        var header: [UInt8] = .big(start + data.count, 4) + .big(0, 4) + .big(0x0430_0000, 4)
        header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + fixed([0.9642, 1, 0.82491])
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
    }

    private static func bytes(of curve: Curve) -> [UInt8] {
        let kind: Int
        let parameters: [Double]
        switch curve {
        case .gamma(let gamma): (kind, parameters) = (0, [gamma])
        case .sRGB: (kind, parameters) = (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        }
        return Array("para".utf8) + .big(0, 4) + .big(kind, 2) + .big(0, 2) + fixed(parameters)
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + .big(0, 4) + fixed(values)
    }

    /// Numbers of 15 whole and 16 fractional bits.
    private static func fixed(_ values: [Double]) -> [UInt8] {
        values.flatMap { [UInt8].big(Int(($0 * 65_536).rounded()), 4) }
    }
}
