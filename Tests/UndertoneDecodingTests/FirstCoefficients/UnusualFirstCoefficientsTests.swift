import Testing

@testable import UndertoneDecoding

@Suite("First coefficients that are not as they should be are left to the loader")
struct UnusualFirstCoefficientsTests {
    /// A file with one thing changed.
    private func isWritten(_ change: (inout FirstCoefficients) -> Void) -> Bool {
        var file = FirstCoefficients()
        change(&file)
        return file.written() != nil
    }

    @Test("What they are compared with is written")
    func usual() {
        #expect(isWritten { _ in })
        #expect(
            isWritten {
                $0.width = 56
                $0.data = [0x01]
            })
        #expect(isWritten { $0.categories = [0, 15] })
        // A refinement, of one bit.
        #expect(
            isWritten {
                $0.bits = 1
                $0.following = FirstCoefficients.scan([1], bits: 0x10) + [0x7F]
            })
        #expect(
            isWritten {
                $0.width = 16
                $0.restartInterval = 1
                $0.data = [0x7F, 0xFF, 0xD0, 0x7F]
            })
    }

    @Test("Frames")
    func frames() {
        #expect(!isWritten { $0.precision = 12 })
        #expect(!isWritten { $0.width = 0 })
        #expect(!isWritten { $0.height = 0 })
        #expect(!isWritten { $0.components = [] })
        #expect(!isWritten { $0.components = [[1, 0x01, 0]] })
        #expect(!isWritten { $0.components = [[1, 0x15, 0]] })
        #expect(!isWritten { $0.components = [[1, 0x11, 4]] })
        // Of no table, of a component that no scan has, and of two with one name.
        #expect(!isWritten { $0.components = [[1, 0x11, 1]] })
        #expect(!isWritten { $0.components = [[1, 0x11, 0], [2, 0x11, 0]] })
        #expect(!isWritten { $0.components = [[1, 0x11, 0], [1, 0x11, 0]] })
        // Units of more than ten blocks: each scan has one component, but the one that is written.
        #expect(
            !isWritten {
                $0.components = [[1, 0x33, 0], [2, 0x12, 0]]
                $0.following = FirstCoefficients.scan([2], bits: 0) + [0x3F]
            })
        #expect(
            isWritten {
                $0.components = [[1, 0x33, 0], [2, 0x11, 0]]
                $0.following = FirstCoefficients.scan([2], bits: 0) + [0x7F]
            })
        // Two frames, arithmetic coding, and a height that comes later.
        let frame = FirstCoefficients.segment(0xC2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        #expect(!isWritten { $0.segments = frame })
        #expect(!isWritten { $0.segments = FirstCoefficients.segment(0xCC, [0, 0]) })
        let refinement = FirstCoefficients.scan([1], bits: 0x10) + [0x7F]
        #expect(
            !isWritten {
                $0.bits = 1
                $0.following = FirstCoefficients.segment(0xDC, [0, 8]) + refinement
            })
    }

    @Test("Headers of many megabytes")
    func headers() {
        let segment = FirstCoefficients.segment(0xE3, [UInt8](repeating: 1, count: 65_000))
        func isWritten(megabytes: Int) -> Bool {
            let segments = [[UInt8]](repeating: segment, count: megabytes * 16).flatMap { $0 }
            return self.isWritten { $0.segments = segments }
        }
        #expect(isWritten(megabytes: 15))
        #expect(!isWritten(megabytes: 17))
    }

    @Test("Tables")
    func tables() {
        #expect(!isWritten { $0.categories = [16] })
        // Codes of ones alone, and more of them than there are.
        for counts in [[2], [1, 2], [0, 4], [0, 5], [3]] as [[UInt8]] {
            #expect(
                !isWritten {
                    $0.counts = counts
                    $0.categories = [UInt8](0..<counts.reduce(0, +))
                })
        }
        // Seventeen codes, one that has no category, and a category that has no code.
        #expect(
            !isWritten {
                $0.counts = [0, 0, 0, 0, 17]
                $0.categories = [UInt8](0...15) + [0]
            })
        #expect(!isWritten { $0.counts = [1, 1] })
        #expect(!isWritten { $0.counts = [] })
        // Steps of quantization that change after a component has taken its own.
        let steps = FirstCoefficients.segment(0xDB, [0] + [UInt8](repeating: 2, count: 64))
        #expect(isWritten { $0.segments = steps })
        #expect(!isWritten { $0.following = steps + FirstCoefficients.scan([1], bits: 0) + [0x7F] })
        #expect(!isWritten { $0.segments = FirstCoefficients.segment(0xDB, [0, 1, 1]) })
        #expect(!isWritten { $0.segments = FirstCoefficients.segment(0xC4, [0, 1, 1]) })
        #expect(!isWritten { $0.segments = FirstCoefficients.segment(0xDD, [0]) })
        #expect(!isWritten { $0.segments = [0xFF, 0xE0, 0xFF, 0xFF] })
        // Bytes between segments.
        #expect(!isWritten { $0.segments = [0] })
        // The start of an image in its middle, and one that lacks it.
        #expect(!isWritten { $0.segments = [0xFF, 0xD8] })
        #expect(FirstCoefficients.written(Array(FirstCoefficients().bytes.dropFirst(2))) == nil)
    }

    @Test("Scans")
    func scans() {
        let again = FirstCoefficients.scan([1], bits: 0) + [0x7F]
        #expect(!isWritten { $0.following = again })
        #expect(!isWritten { $0.scanned = [2] })
        #expect(!isWritten { $0.scanned = [] })
        #expect(!isWritten { $0.bits = 14 })
        // A refinement without a first scan, of two bits at once, and of the wrong bit.
        #expect(!isWritten { $0.bits = 0x10 })
        for (first, refinement) in [(2, 0x20), (2, 0x10), (0, 0x10)] as [(UInt8, UInt8)] {
            #expect(
                !isWritten {
                    $0.bits = first
                    $0.following = FirstCoefficients.scan([1], bits: refinement) + [0x7F]
                })
        }
        // In a scan one component twice, and two that are not in the frame's order.
        for scanned in [[1, 1], [2, 1], [1, 2]] as [[UInt8]] {
            let isInOrder = isWritten {
                $0.components = [[1, 0x11, 0], [2, 0x11, 0]]
                $0.scanned = scanned
                $0.data = [0x3F]
            }
            #expect(isInOrder == (scanned == [1, 2]))
        }
    }

    @Test("Data")
    func data() {
        // Too few bits, or bytes that nothing needs.
        #expect(!isWritten { $0.data = [] })
        #expect(
            !isWritten {
                $0.width = 80
                $0.data = [0]
            })
        #expect(
            !isWritten {
                $0.width = 24
                $0.categories = [3]
                $0.data = [0]
            })
        #expect(!isWritten { $0.data = [0x7F, 0x7F] })
        #expect(!isWritten { $0.data = [0x7F, 0xFF, 0] })
        // A code that there is not.
        #expect(!isWritten { $0.data = [0xFF, 0] })
        #expect(
            !isWritten {
                $0.counts = [UInt8](repeating: 1, count: 11)
                $0.categories = [UInt8](repeating: 0, count: 11)
                $0.data = [0xFF, 0, 0xFF, 0]
            })
        // 32,767; and 16,383 twice.
        #expect(
            !isWritten {
                $0.categories = [15]
                $0.data = [0x7F, 0xFF, 0]
            })
        #expect(
            !isWritten {
                $0.width = 16
                $0.categories = [14]
                $0.data = [0x7F, 0xFE, 0xFF, 0, 0xFF, 0]
            })
        // More than 16 bits of a value, as it is shifted.
        #expect(
            !isWritten {
                $0.categories = [3]
                $0.bits = 13
                $0.data = [0x7F]
            })
        // Restart markers of another number, after a byte too many, and not there at all.
        for data in [
            [0x7F, 0xFF, 0xD1, 0x7F], [0x7F, 0x7F, 0xFF, 0xD0, 0x7F], [0x3F],
        ] as [[UInt8]] {
            #expect(
                !isWritten {
                    $0.width = 16
                    $0.restartInterval = 1
                    $0.data = data
                })
        }
        // And where there are none.
        #expect(!isWritten { $0.data = [0x7F, 0xFF, 0xD0] })
        #expect(
            !isWritten {
                $0.width = 72
                $0.data = [0, 0xFF, 0xD0, 0x7F]
            })
    }

    @Test("Half a scan, wherever it is cut", arguments: FirstCoefficientJPEGTests.names)
    func cut(name: String) throws {
        let bytes = try Fixture.bytes("first-\(name).jpg")
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        let scans = try #require(outline.scans).onlyFirstCoefficients().scans.scans
        for scan in scans {
            for length in [scan.range.count / 2, scan.range.count - 1] {
                let cut =
                    bytes[..<(scan.range.lowerBound + length)]
                    + bytes[scan.range.upperBound...]
                #expect(FirstCoefficients.written(Array(cut)) == nil)
            }
        }
    }
}
