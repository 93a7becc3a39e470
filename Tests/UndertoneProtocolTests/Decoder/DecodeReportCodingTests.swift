import Testing
import UndertoneColor
import UndertoneProtocol

@Suite struct DecodeReportCodingTests {
    /// A summary of a picture in which nothing can be seen: valid, and the smallest there is.
    static let summary = ImageSummary(
        image: ImageFacts(
            width: 640, height: 1, format: .png, orientation: 1, profile: .none, complete: true,
            sampling: .auto),
        identityBefore: identity, identityAfter: identity, picture: AreaSummary(), regions: [],
        clusters: [])
    static let identity = FileIdentity(device: 0, inode: 0, size: 0, modified: 0, changed: 0)

    static let reports: [DecodeReport] = [
        .summary(summary), .needsWideProfile,
        .failure(RequestError(.notFound, "no such file")),
        .failure(RequestError(.decodeFailed, "")),
        .failure(RequestError(.unsupportedFormat, "naïve ☃", package: "libgdk-pixbuf2.0-bin")),
    ]

    @Test(arguments: reports)
    func comesBackAsItWas(_ report: DecodeReport) throws {
        let bytes = report.encoded()
        #expect(bytes.count <= DecodeReport.maximumEncodedBytes)
        #expect(try DecodeReport(validating: bytes) == report)
    }

    @Test func packsTheFieldsInTheirOrder() {
        let failure = DecodeReport.failure(RequestError(.notFound, "é", package: "a1"))
        #expect(
            failure.encoded()
                == [1, 1, 9] + Array("not_found".utf8) + [2, 0, 0xc3, 0xa9, 2, 0x61, 0x31])
        #expect(DecodeReport.needsWideProfile.encoded() == [1, 2])
        #expect(
            DecodeReport.summary(Self.summary).encoded() == [1, 0] + Self.summary.encoded())
    }

    @Test func theLargestSummaryFits() {
        #expect(2 + ImageSummary.maximumEncodedSize <= DecodeReport.maximumEncodedBytes)
    }

    @Test(arguments: reports)
    func refusesEveryOtherLength(_ report: DecodeReport) {
        let bytes = report.encoded()
        for length in 0..<bytes.count {
            #expect(throws: ReportFault.self) {
                try DecodeReport(validating: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: ReportFault.self) { try DecodeReport(validating: bytes + [0]) }
    }

    @Test func saysWhatIsWrong() {
        let failure = DecodeReport.failure(RequestError(.notFound, "gone")).encoded()
        let summary = DecodeReport.summary(Self.summary).encoded()
        let cases: [([UInt8], ReportFault)] = [
            ([], .empty), ([2, 2], .unknownKind), ([1, 3], .unknownKind), ([1], .unknownKind),
            ([1, 2, 0], .unknownKind), (failure + [0], .malformedFailure),
            ([UInt8](repeating: 1, count: DecodeReport.maximumEncodedBytes + 1), .tooLong),
        ]
        for (bytes, fault) in cases {
            #expect(throws: fault) { try DecodeReport(validating: bytes) }
        }
        let error = #expect(throws: ReportFault.self) {
            try DecodeReport(validating: summary.dropLast())
        }
        guard case .summary = error else {
            Issue.record("a cut summary gave \(String(describing: error))")
            return
        }
    }

    @Test func cutsALongMessageBetweenCharacters() throws {
        // 499 bytes and one character of three: it does not fit, and half of it must not be sent.
        let start = String(repeating: "x", count: 499)
        let report = DecodeReport.failure(RequestError(.decodeFailed, start + "☃☃"))
        let back = try DecodeReport(validating: report.encoded())
        #expect(back == .failure(RequestError(.decodeFailed, start)))
        let exact = DecodeReport.failure(RequestError(.decodeFailed, start + "y"))
        #expect(try DecodeReport(validating: exact.encoded()) == exact)
    }

    @Test func removesControlCharacters() throws {
        let report = DecodeReport.failure(
            RequestError(.decodeFailed, "a\u{1b}[31m\r\nb\u{7f}\u{9b}c\0"))
        let back = try DecodeReport(validating: report.encoded())
        #expect(back == .failure(RequestError(.decodeFailed, "a[31mbc")))
    }

    @Test(arguments: [
        "", "a", "Lib", "lib pkg", "lib;rm", "-x", "é1", String(repeating: "a", count: 65),
    ])
    func leavesOutWhatIsNoPackageName(_ name: String) throws {
        let report = DecodeReport.failure(RequestError(.unsupportedFormat, "m", package: name))
        let back = try DecodeReport(validating: report.encoded())
        #expect(back == .failure(RequestError(.unsupportedFormat, "m")))
    }

    @Test func refusesWhatAnHonestChildNeverWrites() {
        func failure(
            code: String = "not_found", message: [UInt8] = [0x6d], length: Int? = nil,
            package: String = ""
        ) -> [UInt8] {
            let count = length ?? message.count
            return [1, 1, UInt8(code.utf8.count)] + Array(code.utf8)
                + [UInt8(count & 255), UInt8(count >> 8)] + message
                + [UInt8(package.utf8.count)] + Array(package.utf8)
        }
        #expect(throws: Never.self) { try DecodeReport(validating: failure()) }
        let lies = [
            failure(code: ""), failure(code: "nonsense"), failure(code: "not_found\0"),
            failure(message: [0xff]), failure(message: [0xc3]),
            failure(message: [0xed, 0xa0, 0x80]),
            failure(message: [0x0a]), failure(message: [0x1b]), failure(message: [0xc2, 0x9b]),
            failure(message: [UInt8](repeating: 0x6d, count: 501)), failure(length: 0xffff),
            failure(package: "x"), failure(package: "Not-A-Package"),
            failure(package: String(repeating: "a", count: 65)),
        ]
        for bytes in lies {
            #expect(throws: ReportFault.malformedFailure) { try DecodeReport(validating: bytes) }
        }
    }

    @Test(arguments: ErrorCode.allCases)
    func aChildSpeaksOnlyForItsPicture(_ code: ErrorCode) {
        let lines: Set<ErrorCode> = [
            .parseError, .invalidRequest, .unknownOperation, .requestTooLarge, .decoderCrashed,
            .timeout, .busy, .shuttingDown, .watchUnsupported,
        ]
        let report = DecodeReport.failure(RequestError(code, "m"))
        if lines.contains(code) {
            #expect(throws: ReportFault.malformedFailure) {
                try DecodeReport(validating: report.encoded())
            }
        } else {
            #expect(throws: Never.self) { try DecodeReport(validating: report.encoded()) }
        }
    }

    @Test func survivesAnyBytes() {
        var random = SplitMix(state: 2)
        for report in Self.reports {
            let bytes = report.encoded()
            for _ in 0..<5_000 {
                var changed = bytes
                changed[.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
                guard let read = try? DecodeReport(validating: changed) else { continue }
                // Whatever is accepted says exactly what its bytes say.
                #expect(read.encoded() == changed)
            }
        }
    }
}
