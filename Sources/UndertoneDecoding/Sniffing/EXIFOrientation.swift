/// The orientation tag of an EXIF block, which is a TIFF file without pictures.
enum EXIFOrientation {
    /// Reads the orientation 1…8 from a block that begins with the byte order or with `Exif\0\0`.
    static func read(_ block: Span<UInt8>) -> Int? {
        let tiff = block.holds("Exif\0\0") ? block.extracting(droppingFirst: 6) : block
        guard let directory = TIFFDirectory(firstOf: tiff),
            let value = directory.number(0x0112, in: tiff), (1...8).contains(value)
        else { return nil }
        return value
    }
}
