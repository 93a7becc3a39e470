import CLittleCMS

extension CodedColorSpace {
    /// The chromaticities of red, green and blue, and of white.
    private struct Chromaticities {
        var red, green, blue: (x: Double, y: Double)
        var white = (x: 0.3127, y: 0.3290)
    }

    /// A profile of the space, which the caller closes; `nil` for spaces that sRGB has no place
    /// for, those of high dynamic range among them.
    func makeProfile() -> cmsHPROFILE? {
        guard let colors = chromaticities, let curve = unsafe makeCurve() else { return nil }
        defer { unsafe cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: colors.white.x, y: colors.white.y, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: colors.red.x, y: colors.red.y, Y: 1),
            Green: cmsCIExyY(x: colors.green.x, y: colors.green.y, Y: 1),
            Blue: cmsCIExyY(x: colors.blue.x, y: colors.blue.y, Y: 1))
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        return unsafe cmsCreateRGBProfile(&white, &primaries, &curves)
    }

    /// Whether sRGB has a place for the space's colors.
    var isConvertible: Bool {
        guard chromaticities != nil, let curve = unsafe makeCurve() else { return false }
        unsafe cmsFreeToneCurve(curve)
        return true
    }

    /// H.273, table 2. The sets of standard-definition television are sRGB's but for a trifle.
    private var chromaticities: Chromaticities? {
        switch primaries {
        case 1, 2, 5, 6:
            Chromaticities(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
        case 9:
            Chromaticities(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))
        case 11:
            Chromaticities(
                red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060),
                white: (0.314, 0.351))
        case 12:
            Chromaticities(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))
        default:
            nil
        }
    }

    /// H.273, table 3. Those of television (1, 6, 14, 15) describe cameras: pictures that state
    /// them are meant for an sRGB display.
    private func makeCurve() -> OpaquePointer? {
        switch transfer {
        case 1, 2, 6, 13, 14, 15:
            let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            return unsafe cmsBuildParametricToneCurve(nil, 4, parameters)
        case 4: return unsafe cmsBuildGamma(nil, 2.2)
        case 5: return unsafe cmsBuildGamma(nil, 2.8)
        case 8: return unsafe cmsBuildGamma(nil, 1)
        default: return nil
        }
    }
}
