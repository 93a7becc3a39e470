import CLittleCMS
import UndertoneColor

/// An RGB profile of three curves and a matrix, evaluated in floating point.
///
/// It tells sRGB from other spaces in a fraction of the time that a transform takes to be made;
/// most photographs carry a profile, and it is nearly always sRGB's.
struct MatrixShaper {
    /// The linear value of each byte, per channel.
    private let curves: [[Float]]
    /// XYZ on D50 of each primary.
    private let primaries: [SIMD3<Float>]

    /// Reads a profile's tags; `nil` if it has tables instead, or lacks a tag.
    init?(_ profile: cmsHPROFILE) {
        guard unsafe cmsIsMatrixShaper(profile) != 0 else { return nil }
        var curves: [[Float]] = []
        for tag in [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag] {
            guard let data = unsafe cmsReadTag(profile, tag) else { return nil }
            let curve = OpaquePointer(data)
            curves.append((0...255).map { unsafe cmsEvalToneCurveFloat(curve, Float($0) / 255) })
        }
        var primaries: [SIMD3<Float>] = []
        for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
            guard let data = unsafe cmsReadTag(profile, tag) else { return nil }
            let color = unsafe data.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
            primaries.append(SIMD3(Float(color.X), Float(color.Y), Float(color.Z)))
        }
        self.curves = curves
        self.primaries = primaries
    }

    /// Whether black is black: then black point compensation changes nothing.
    var hasZeroBlack: Bool { curves.allSatisfy { $0[0] == 0 } }

    /// Whether no color of a grid moves by more than one unit of eight bits in sRGB, which is what
    /// the many encodings of sRGB's own curve and primaries differ by.
    var isSRGB: Bool {
        let steps = (0..<18).map { $0 * 15 }
        for red in steps {
            for green in steps {
                for blue in steps where !isUnmoved(red, green, blue) { return false }
            }
        }
        return true
    }

    private func isUnmoved(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
        let xyz =
            primaries[0] * curves[0][red] + primaries[1] * curves[1][green]
            + primaries[2] * curves[2][blue]
        let linear = SIMD3(
            (Self.toSRGB.0 * xyz).sum(), (Self.toSRGB.1 * xyz).sum(), (Self.toSRGB.2 * xyz).sum())
        return Self.isEncoded(linear.x, as: red) && Self.isEncoded(linear.y, as: green)
            && Self.isEncoded(linear.z, as: blue)
    }

    /// Whether a linear value, encoded in eight bits, is within one of a byte.
    private static func isEncoded(_ linear: Float, as byte: Int) -> Bool {
        let isAbove = byte < 2 || linear >= thresholds[byte - 2]
        return isAbove && (byte > 253 || linear < thresholds[byte + 1])
    }

    /// The rows of XYZ on D50 to linear sRGB (IEC 61966-2-1 adapted by Bradford).
    private static let toSRGB = (
        SIMD3<Float>(3.1338561, -1.6168667, -0.4906146),
        SIMD3<Float>(-0.9787684, 1.9161415, 0.0334540),
        SIMD3<Float>(0.0719453, -0.2289914, 1.4052427)
    )

    /// The linear values at which the encoded byte steps from i to i + 1.
    private static let thresholds = (0..<255).map { byte in
        Float(TransferFunction.decode((Double(byte) + 0.5) / 255))
    }
}
