import Testing

@testable import UndertoneProtocol

struct CacheReplyTests {
    private static func text(_ report: CacheReport) -> String {
        String(decoding: Reply.cache(id: .integer(1), report), as: UTF8.self)
    }

    @Test func everythingIsTold() {
        var report = CacheReport()
        report.memory = CacheReport.Memory(entries: 1, bytes: 2, limit: 3, hits: 4, misses: 5)
        report.disk.state = .ready
        report.disk.path = Array("/é.sqlite".utf8)
        report.disk.entries = 6
        report.disk.bytes = 7
        report.disk.limit = 8
        report.disk.hits = 9
        report.disk.misses = 10
        #expect(
            Self.text(report)
                == #"{"id":1,"result":{"#
                + #""memory":{"entries":1,"bytes":2,"limit":3,"hits":4,"misses":5},"#
                + #""disk":{"state":"ready","path":"/é.sqlite","entries":6,"bytes":7,"limit":8,"#
                + #""hits":9,"misses":10}}}"# + "\n")
    }

    @Test func whatIsNotKnownIsNull() {
        var report = CacheReport()
        let nothing = #""disk":{"state":"off","path":null,"entries":null,"bytes":null,"limit":0,"#
        #expect(Self.text(report).contains(nothing))
        report.disk.path = [0x2f, 0xff]
        #expect(Self.text(report).contains(#""path":null"#))
    }
}
