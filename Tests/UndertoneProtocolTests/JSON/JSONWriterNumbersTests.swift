import Glibc
import Testing

@testable import UndertoneProtocol

struct JSONWriterNumbersTests {
    private static let nearest: [(Double, String)] = [
        (0, "0"), (1, "1"), (0.5, "0.5"), (21, "21"), (4.5, "4.5"), (0.1, "0.1"), (0.3, "0.3"),
        (5.139674, "5.13967"), (0.0003035, "0.0003035"), (0.000303526, "0.000303526"),
        (1.0 / 3, "0.333333"), (2.0 / 3, "0.666667"), (131.0 / 255, "0.513725"),
        (123_456, "123456"), (999_999.4, "999999"), (999_999.7, "1000000"), (12_345.67, "12345.7"),
        (9.999999, "10"), (0.9999999, "1"), (1e-9, "0.000000001"), (1e-18, "0.000000000000000001"),
        (1e-300, "0"), (-0.25, "-0.25"), (-0.0, "0"), (-1e-300, "0"), (100, "100"),
        (123_456_789, "123456789"), (.infinity, "null"), (.nan, "null"), (-.infinity, "null"),
    ]

    @Test(arguments: nearest)
    func writesTheNearest(number: Double, text: String) {
        #expect(written(number, .nearest) == text)
    }

    private static let down: [(Double, String)] = [
        (4.5, "4.5"), (4.499999999, "4.49999"), ((4.5).nextDown, "4.49999"), (0.3, "0.3"),
        (1, "1"), ((1.0).nextDown, "0.999999"), (20.99999999, "20.9999"), (0.29, "0.29"),
        (2.0 / 3, "0.666666"), (0.1 + 0.2, "0.3"), (5.1396799, "5.13967"), (1e-300, "0"),
    ]

    @Test(arguments: down)
    func neverWritesMoreThanTheNumber(number: Double, text: String) {
        #expect(written(number, .down) == text)
    }

    private static let up: [(Double, String)] = [
        (131.0 / 255, "0.513726"), (0.5, "0.5"), ((0.5).nextUp, "0.500001"), (1.0 / 3, "0.333334"),
        (254.0 / 255, "0.996079"), (0.9999999, "1"), (1e-300, "0.000000000000000001"), (0, "0"),
    ]

    @Test(arguments: up)
    func neverWritesLessThanTheNumber(number: Double, text: String) {
        #expect(written(number, .up) == text)
    }

    @Test func readsBackOnTheRightSideAndCloseBy() throws {
        var random = SplitMix64(state: 1)
        for _ in 0..<20_000 {
            let magnitude = pow(10, Double.random(in: -8...5.9, using: &random))
            let number = [magnitude, magnitude.rounded(), -magnitude][
                Int.random(in: 0..<3, using: &random)]
            let step = max(number.magnitude * 1e-5, 1e-18)
            for rounding in [JSONWriter.Rounding.nearest, .down, .up] {
                let text = written(number, rounding)
                let value = try #require(Double(text))
                #expect(text.count { $0.isNumber } - leadingZeros(text) <= 6, "\(text)")
                #expect(!text.contains("e") && !text.hasSuffix(".") && !text.hasPrefix("."))
                switch rounding {
                case .nearest: #expect((value - number).magnitude <= step / 2)
                case .down: #expect(value.magnitude <= number.magnitude)
                case .up: #expect(value.magnitude >= number.magnitude)
                }
                #expect((value - number).magnitude <= step, "\(number) \(text)")
            }
        }
    }

    @Test func everySixDigitNumberStaysItself() {
        // A number that is written with six digits comes back the same by every rounding.
        for count in stride(from: 100_000, through: 999_999, by: 7) {
            for power in [1e4, 1e5, 1e6, 1e9] {
                let number = Double(count) / power
                let text = written(number, .nearest)
                #expect(Double(text) == number)
                #expect(written(number, .down) == text)
                #expect(written(number, .up) == text)
            }
        }
    }

    private static let localeWithAComma =
        ["de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"].first { (name: String) in
            unsafe newlocale(1 << LC_NUMERIC, name, nil) != nil
        }

    @Test(.enabled(if: localeWithAComma != nil, "no locale with a decimal comma is installed"))
    func theLocaleMakesNoDifference() throws {
        unsafe setlocale(LC_NUMERIC, Self.localeWithAComma)
        defer { unsafe setlocale(LC_NUMERIC, "C") }
        #expect(written(4.5, .nearest) == "4.5")
        let request = try Request(parsing: Array(#"{"path":"/a","contrast":4.25}"#.utf8))
        let expected = ColorRequest(path: Array("/a".utf8), contrast: 4.25)
        #expect(request.operation == .picture(PictureQuestion(.color(expected))))
    }

    @Test(arguments: [
        (Int64.max, "9223372036854775807"), (.min, "-9223372036854775808"), (0, "0"), (-10, "-10"),
        (1_000_000, "1000000"), (9_007_199_254_740_993, "9007199254740993"),
    ])
    func writesWholeNumbersDigitForDigit(number: Int64, text: String) {
        var writer = JSONWriter()
        writer.value(number)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    private func written(_ number: Double, _ rounding: JSONWriter.Rounding) -> String {
        var writer = JSONWriter()
        writer.value(number, rounding)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func leadingZeros(_ text: String) -> Int {
        text.filter { $0.isNumber }.prefix { $0 == "0" }.count
    }
}

/// A small generator with a state, so that a failure can be repeated.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
