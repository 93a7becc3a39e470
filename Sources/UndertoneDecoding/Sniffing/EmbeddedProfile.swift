/// The color space that a picture's own file states.
enum EmbeddedProfile: Equatable {
    /// An ICC profile.
    case icc([UInt8])
    /// Code points in place of one.
    case coded(CodedColorSpace)
}

/// A color space by code points (ITU-T H.273), as AVIF, HEIC and PNG may state it.
struct CodedColorSpace: Equatable {
    /// ColourPrimaries: 1 those of sRGB, 9 of BT.2020, 12 of Display P3; 2 is unspecified.
    var primaries: Int
    /// TransferCharacteristics: 13 sRGB's, 16 PQ, 18 HLG; 2 is unspecified.
    var transfer: Int
}
