import GLibSupport
import Testing

@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain name.png", "plain name.png"), ("é😀中", "é😀中"), ("", ""),
        ("a\nb\tc", "a\\x0ab\\x09c"), ("\u{1b}[2J", "\\x1b[2J"), ("\u{7f}\u{9b}2J", "\\x7f\\x9b2J"),
        ("a\u{202e}gnp.exe", "a\\u{202e}gnp.exe"), ("\u{2028}", "\\u{2028}"),
        ("\u{feff}", "\\u{feff}"), ("\u{e000}", "\\u{e000}"),
    ])
    func spellsOutWhatActsOnTerminals(text: String, shown: String) {
        #expect(printable(Array(text.utf8)) == shown)
        #expect(printable(text) == shown)
    }

    @Test(
        arguments: [
            ([0xFF], "\\xff"), ([0x61, 0xC3], "a\\xc3"), ([0xC3, 0x61], "\\xc3a"),
            ([0xC0, 0xAF], "\\xc0\\xaf"), ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
            ([0xF0, 0x9F, 0x98, 0x62], "\\xf0\\x9f\\x98b"), ([0x80, 0xC3, 0xA9], "\\x80é"),
        ] as [([UInt8], String)])
    func spellsOutWhatIsNotText(bytes: [UInt8], shown: String) {
        #expect(printable(bytes) == shown)
    }
}
