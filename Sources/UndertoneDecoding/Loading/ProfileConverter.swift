import CLittleCMS
import UndertoneColor

/// A conversion from a picture's embedded colour profile to sRGB.
///
/// Eight bits a channel, relative colorimetric with black point compensation; alpha stays.
@safe
final class ProfileConverter {
    @safe
    private enum Method {
        case transform(cmsHTRANSFORM)
        case grayTable([SIMD3<UInt8>])
    }

    private let method: Method

    /// What an embedded profile calls for.
    enum Verdict {
        case none
        case convert(ProfileConverter)
        case unusable
    }

    /// Judges a profile for pixels of three or four channels.
    static func judge(_ profile: EmbeddedProfile, channels: Int) -> Verdict {
        let opened: cmsHPROFILE?
        switch profile {
        case .icc(let bytes):
            unsafe opened = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count))
        case .coded(let space):
            unsafe opened = space.makeProfile()
        }
        guard let source = unsafe opened else { return .unusable }
        defer { unsafe cmsCloseProfile(source) }
        guard let target = unsafe cmsCreate_sRGBProfile() else { return .unusable }
        defer { unsafe cmsCloseProfile(target) }

        switch unsafe cmsGetColorSpace(source) {
        case cmsSigRgbData:
            let shaper = unsafe MatrixShaper(source)
            if let shaper, shaper.isSRGB { return .none }
            let format = PixelFormat.rgb(alpha: channels == 4)
            // Finding black points takes as long as all the rest.
            let compensates = !(shaper?.hasZeroBlack ?? false)
            guard
                let transform = unsafe makeTransform(
                    source, format, target, format, compensates: compensates)
            else { return .unusable }
            return unsafe .convert(ProfileConverter(.transform(transform)))
        case cmsSigGrayData:
            guard let table = unsafe grayTable(source, target) else { return .unusable }
            let isIdentity = table.indices.allSatisfy { table[$0] == SIMD3(repeating: UInt8($0)) }
            return isIdentity ? .none : .convert(ProfileConverter(.grayTable(table)))
        default:
            return .unusable
        }
    }

    private init(_ method: Method) {
        self.method = method
    }

    deinit {
        if case .transform(let transform) = method {
            unsafe cmsDeleteTransform(transform)
        }
    }

    /// Whether only gray pixels can be converted.
    var needsGray: Bool {
        if case .grayTable = method { true } else { false }
    }

    /// Converts a row of pixels in place.
    func convert(_ row: UnsafeMutableBufferPointer<UInt8>, channels: Int) {
        switch method {
        case .transform(let transform):
            unsafe cmsDoTransform(
                transform, row.baseAddress, row.baseAddress,
                cmsUInt32Number(row.count / channels))
        case .grayTable(let table):
            for offset in Swift.stride(from: 0, to: row.count, by: channels) {
                let color = unsafe table[Int(row[offset])]
                unsafe row[offset] = color.x
                unsafe row[offset + 1] = color.y
                unsafe row[offset + 2] = color.z
            }
        }
    }
}

extension ProfileConverter {
    /// lcms2's pixel formats: its macros are not importable.
    private enum PixelFormat {
        /// `TYPE_GRAY_8`: color space PT_GRAY (3), one channel of one byte.
        static let gray: cmsUInt32Number = 3 << 16 | 1 << 3 | 1

        /// `TYPE_RGB_8` or `TYPE_RGBA_8`: color space PT_RGB (4), three channels of one byte, and
        /// one extra.
        static func rgb(alpha: Bool) -> cmsUInt32Number {
            4 << 16 | (alpha ? 1 << 7 : 0) | 3 << 3 | 1
        }
    }

    private static func makeTransform(
        _ source: cmsHPROFILE, _ sourceFormat: cmsUInt32Number,
        _ target: cmsHPROFILE, _ targetFormat: cmsUInt32Number, compensates: Bool = true
    ) -> cmsHTRANSFORM? {
        unsafe cmsCreateTransform(
            source, sourceFormat, target, targetFormat,
            cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
            compensates ? cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) : 0)
    }

    /// The sRGB color of each gray value: gray profiles ride on RGB pixels.
    private static func grayTable(
        _ source: cmsHPROFILE, _ target: cmsHPROFILE
    ) -> [SIMD3<UInt8>]? {
        guard
            let transform = unsafe makeTransform(
                source, PixelFormat.gray, target, PixelFormat.rgb(alpha: false))
        else { return nil }
        defer { unsafe cmsDeleteTransform(transform) }
        let input = (0...255).map { UInt8($0) }
        var output = [UInt8](repeating: 0, count: 3 * 256)
        unsafe cmsDoTransform(transform, input, &output, 256)
        return (0..<256).map { SIMD3(output[3 * $0], output[3 * $0 + 1], output[3 * $0 + 2]) }
    }
}
