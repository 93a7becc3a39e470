public import UndertoneColor
public import UndertoneProtocol

/// Decodes one picture from an open file and reduces it to its summary.
public enum PictureDecoder {
    /// Decodes the picture behind a descriptor, which is read from its position on.
    ///
    /// - Parameters:
    ///   - identity: the file's identity before the first read; a change is `file_changed`.
    ///   - allowWide: whether SVG and HEIC may be decoded here.
    public static func decode(
        descriptor: Int32, job: DecodeJob, identity: FileIdentity, allowWide: Bool
    ) -> DecodeReport {
        decode(
            descriptor: descriptor, job: job, identity: identity, thumbnails: [],
            allowWide: allowWide, report: { $0 })
    }

    /// The same where thumbnails may stand in for the picture.
    ///
    /// - Parameter report: Takes the report while the memory is not given back yet, which takes as
    ///   long as a small picture: whoever waits for the report need not wait for that.
    static func decode<Result>(
        descriptor: Int32, job: DecodeJob, identity: FileIdentity, thumbnails: [Thumbnail],
        allowWide: Bool, report: (DecodeReport) -> Result
    ) -> Result {
        var decoding = PictureDecoding(
            descriptor: descriptor, job: job, identity: identity, thumbnails: thumbnails)
        let result: DecodeReport
        do throws(RequestError) {
            result = try decoding.run(allowWide: allowWide)
        } catch {
            result = .failure(error)
        }
        return withExtendedLifetime(decoding) { report(result) }
    }

    /// The formats whose loaders this machine has.
    public static func installedFormats() -> Set<ImageFormat> {
        Set(ImageFormat.allCases.filter { LoaderModule(for: $0).installedName() != nil })
    }

    /// Loads the modules of some formats into memory, without any picture.
    public static func preload(_ formats: some Sequence<ImageFormat>) {
        for format in formats {
            guard let name = LoaderModule(for: format).installedName() else { continue }
            // A module that cannot be loaded shows again with the first picture, as an error.
            _ = try? PixbufLoader(module: name) { _ in .refuse }
        }
    }
}
