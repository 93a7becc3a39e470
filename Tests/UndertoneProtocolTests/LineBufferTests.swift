import Testing

@testable import UndertoneProtocol

struct LineBufferTests {
    @Test func cutsLinesAtNewlines() {
        #expect(lines(of: "a\nbc\n") == [.text("a"), .text("bc")])
        #expect(lines(of: "") == [])
        #expect(lines(of: "\n") == [])
    }

    @Test func aLastLineNeedsNoNewline() {
        #expect(lines(of: "a\nbc") == [.text("a"), .text("bc")])
        #expect(lines(of: "bc  \r") == [.text("bc")])
        var buffer = LineBuffer()
        buffer.append(Array("bc".utf8))
        #expect(buffer.next() == nil)
        #expect(buffer.finish() == .text("bc"))
        #expect(buffer.finish() == nil)
        #expect(buffer.pendingCount == 0)
    }

    @Test func dropsBlanksAndBlankLines() {
        #expect(lines(of: "a\r\n\r\n \t \n  b c\t\r\r\n\n \r") == [.text("a"), .text("b c")])
        // Only JSON's own white space is blank.
        #expect(lines(of: "\u{B}a\u{C}\n") == [.text("\u{B}a\u{C}")])
        #expect(lines(of: "\0\n") == [.text("\0")])
    }

    @Test(arguments: [1, 2, 3, 7, 4096])
    func theSizeOfThePiecesMakesNoDifference(size: Int) {
        let text = "\n{\"a\":\"é\\u00e9\"}\r\n  \n" + String(repeating: "x", count: 20) + "\nyy\nzz"
        let expected: [LineBuffer.Line] = [
            .text("{\"a\":\"é\\u00e9\"}"), .tooLong, .text("yy"), .text("zz"),
        ]
        #expect(lines(of: text, limit: 19, piece: size) == expected)
    }

    @Test func theLimitCountsBlanksButNotTheLinesEnd() {
        #expect(lines(of: "12345\n12345\r\n", limit: 5) == [.text("12345"), .text("12345")])
        #expect(lines(of: "123456\n", limit: 5) == [.tooLong])
        #expect(lines(of: " 12345\n", limit: 5) == [.tooLong])
        #expect(lines(of: "      \n", limit: 5) == [.tooLong])
        #expect(lines(of: "12345\r", limit: 5) == [.text("12345")])
        #expect(lines(of: "123456", limit: 5) == [.tooLong])
        #expect(lines(of: "123456\r", limit: 5) == [.tooLong])
        #expect(lines(of: "12345\r6\na\n", limit: 5) == [.tooLong, .text("a")])
    }

    @Test func tellsALineThatIsTooLongOnceAndAtOnce() {
        var buffer = LineBuffer(limit: 100)
        buffer.append([UInt8](repeating: 0x78, count: 102))
        #expect(buffer.next() == .tooLong)
        for _ in 0..<1000 {
            buffer.append([UInt8](repeating: 0x78, count: 1000))
            #expect(buffer.next() == nil)
            #expect(buffer.pendingCount == 0)
        }
        buffer.append(Array("x\nab".utf8))
        #expect(buffer.next() == nil)
        buffer.append(Array("c\n".utf8))
        #expect(buffer.next() == .text("abc"))
        // The end of the input within such a line says nothing more.
        buffer.append([UInt8](repeating: 0x78, count: 102))
        #expect(buffer.next() == .tooLong)
        #expect(buffer.finish() == nil)
    }

    @Test func holdsNoMoreThanALineAndAPiece() {
        var buffer = LineBuffer()
        var most = 0
        let piece = [UInt8](repeating: 0x78, count: 4096)
        for _ in 0..<(16 << 20) / 4096 {
            buffer.append(piece)
            most = max(most, buffer.pendingCount)
            _ = buffer.next()
        }
        #expect(most <= Limits.lineBytes + 1 + 4096)
    }

    @Test func oneByteAtATimeTakesTimeInProportion() {
        // 64 KiB a byte at a time, each followed by a look: 2 × 10⁹ steps if it were quadratic.
        var buffer = LineBuffer()
        for _ in 0..<Limits.lineBytes {
            buffer.append([0x78])
            #expect(buffer.next() == nil)
        }
        buffer.append([0x0A])
        #expect(buffer.next() == .text(String(repeating: "x", count: Limits.lineBytes)))
    }

    @Test func takesLinesOneByOneWhileMoreArrives() {
        var buffer = LineBuffer()
        var taken = 0
        for number in 0..<10_000 {
            buffer.append(Array("\(2 * number)\n\(2 * number + 1)\n".utf8))
            if number % 3 == 0 { continue }
            for _ in 0..<3 where buffer.pendingCount > 0 {
                #expect(buffer.next() == .text("\(taken)"))
                taken += 1
            }
        }
        while let line = buffer.next() {
            #expect(line == .text("\(taken)"))
            taken += 1
        }
        #expect(taken == 20_000)
    }

    private func lines(of text: String, limit: Int = 64, piece: Int = 4096) -> [LineBuffer.Line] {
        var buffer = LineBuffer(limit: limit)
        var lines: [LineBuffer.Line] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            buffer.append(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            while let line = buffer.next() { lines.append(line) }
        }
        if let line = buffer.finish() { lines.append(line) }
        return lines
    }
}

extension LineBuffer.Line {
    fileprivate static func text(_ text: String) -> LineBuffer.Line { .text(Array(text.utf8)) }
}
