import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// A tiny picture that comes with the program, to try a decoder on.
struct ExamplePicture {
    var format: ImageFormat
    var bytes: [UInt8]

    /// Examples that only a profile decodes.
    static func all(for profile: DecoderProfile) -> [ExamplePicture] {
        switch profile {
        case .raster: [png, jpeg]
        case .wide: [svg]
        }
    }

    /// Puts the picture into a file in memory.
    func file() throws(SystemError) -> Descriptor {
        let file = Descriptor(
            owning: try checking("memfd_create") { unsafe clinux_memfd("example") })
        let number = file.number
        _ = try retrying("write") { unsafe pwrite(number, bytes, bytes.count, 0) }
        return file
    }

    /// Decodes the example behind a descriptor.
    static func decode(_ descriptor: Int32, _ profile: DecoderProfile) -> DecodeReport {
        do throws(RequestError) {
            return PictureDecoder.decode(
                descriptor: descriptor, job: DecodeJob(path: []),
                identity: try OpenedPicture.identify(descriptor), allowWide: profile == .wide)
        } catch {
            return .failure(error)
        }
    }

    /// Decodes the picture here and now, so that what a first picture sets up (the symbols that are
    /// bound, the types and tables that are made) is there before the fork and not made again by
    /// each child.
    func warmUp(_ profile: DecoderProfile) throws(SystemError) {
        let file = try file()
        _ = Self.decode(file.number, profile).encoded()
        Self.warmUpGrouping()
    }

    /// Does with many colors what is not done with the example's one.
    private static func warmUpGrouping() {
        var clusterer = ColorClusterer()
        let pixels = (0..<UInt16(512)).map { number in
            SamplePixel(number % 8 * 8192, number / 8 % 8 * 8192, number / 64 * 8192, 65280)
        }
        unsafe pixels.withUnsafeBufferPointer { unsafe clusterer.add($0) }
        _ = clusterer.finish()
    }

    /// One grey pixel: signature, IHDR, IDAT with a stored block, IEND.
    private static let png = ExamplePicture(
        format: .png,
        bytes: [
            0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
            0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
            0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00,
            0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 0x02, 0x00, 0xfd, 0xff,
            0x00, 0x7f, 0x00, 0x81, 0x00, 0x80, 0x7c, 0x4b, 0x6c, 0xa3, 0x00, 0x00,
            0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
        ])

    /// One grey pixel: a table of quantisers (all 1), a frame, two tables of one code each, and a
    /// scan in which both codes come once.
    private static let jpeg = ExamplePicture(
        format: .jpeg,
        bytes: [0xff, 0xd8, 0xff, 0xdb, 0x00, 0x43, 0x00] + [UInt8](repeating: 1, count: 64)
            + [0xff, 0xc0, 0x00, 0x0b, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
            + [0xff, 0xc4, 0x00, 0x14, 0x00, 1] + [UInt8](repeating: 0, count: 16)
            + [0xff, 0xc4, 0x00, 0x14, 0x10, 1] + [UInt8](repeating: 0, count: 16)
            + [0xff, 0xda, 0x00, 0x08, 1, 1, 0x00, 0, 0x3f, 0x00, 0x3f, 0xff, 0xd9])

    private static let svg = ExamplePicture(
        format: .svg,
        bytes: Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\
            <rect width="9" height="9" fill="#7f7f7f"/><text y="8">a</text></svg>
            """.utf8))
}
