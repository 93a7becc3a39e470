import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

/// Decodes bytes as the child would: from a file without a name, by its descriptor.
func report(
    _ bytes: [UInt8], sampling: Sampling = .auto, backdrop: RGB8? = nil,
    regions: [RegionRectangle] = [], allowWide: Bool = true
) throws -> DecodeReport {
    let descriptor = try anonymousFile(bytes)
    defer { close(descriptor) }
    let identity = try FileIdentity.of(descriptor: descriptor)
    let job = DecodeJob(path: [], sampling: sampling, backdrop: backdrop, regions: regions)
    return PictureDecoder.decode(
        descriptor: descriptor, job: job, identity: identity, allowWide: allowWide)
}

/// Seconds for which a processor has worked for this thread, however busy the machine is.
func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The summary of a picture that must decode.
func summary(
    _ bytes: [UInt8], sampling: Sampling = .auto, backdrop: RGB8? = nil,
    regions: [RegionRectangle] = [], _ location: SourceLocation = #_sourceLocation
) throws -> ImageSummary {
    switch try report(bytes, sampling: sampling, backdrop: backdrop, regions: regions) {
    case .summary(let summary):
        return summary
    case .failure(let error):
        Issue.record("\(error)", sourceLocation: location)
        throw error
    case .needsWideProfile:
        throw RequestError(.internal, "needs the wide profile")
    }
}

/// The error code that bytes get, or `nil` if they decode.
func failure(_ bytes: [UInt8], sampling: Sampling = .auto) throws -> ErrorCode? {
    if case .failure(let error) = try report(bytes, sampling: sampling) { return error.code }
    return nil
}

/// A file that has no name, positioned at its beginning.
func anonymousFile(_ bytes: [UInt8]) throws -> Int32 {
    var template = Array("/tmp/undertone-test-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    try #require(descriptor >= 0)
    unsafe unlink(template)
    try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    try #require(lseek(descriptor, 0, SEEK_SET) == 0)
    return descriptor
}

/// Whether three channels are within a tolerance of expected values.
func isClose(
    _ color: SIMD3<Double>, _ red: Double, _ green: Double, _ blue: Double, within: Double = 0.5
) -> Bool {
    abs(color.x - red) <= within && abs(color.y - green) <= within && abs(color.z - blue) <= within
}

/// Whether three channels are within a tolerance of others.
func isClose(
    _ color: SIMD3<Double>, _ other: SIMD3<Double>, within tolerance: Double = 0.1
) -> Bool {
    isClose(color, other.x, other.y, other.z, within: tolerance)
}

/// Whether two areas are the same, bit for bit; a test that fails would print all of both.
func areSame(_ one: [AreaSummary], _ other: [AreaSummary]) -> Bool { one == other }

extension ImageSummary {
    /// The picture and its regions.
    var areas: [AreaSummary] { [picture] + regions }
}
