import GLibSupport
import Glibc
import Testing

@testable import UndertoneClient

@Suite(.timeLimit(.minutes(1))) struct CardFileTests {
    /// Gives a new directory, and removes it with what the names in it say.
    private func inDirectory(_ names: [String], _ body: (String) throws -> Void) throws {
        let path = "/tmp/ut-card-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        try #require(unsafe mkdir(path, 0o700) == 0)
        try body(path)
        // Nothing else is left there, or the directory could not be removed.
        for name in names { _ = unsafe unlink("\(path)/\(name)") }
        #expect(unsafe rmdir(path) == 0)
    }

    private static func card(_ text: String) -> String { "<svg \(SVG.mark)>\(text)</svg>" }

    private func read(_ path: String) throws -> String {
        let file = Descriptor(owning: try retrying("open") { unsafe open(path, O_RDONLY) })
        return String(decoding: readAll(file.number), as: UTF8.self)
    }

    private func inode(_ path: String) -> UInt {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt(status.st_ino) : 0
    }

    @Test func replacesAFileByANewOne() throws {
        try inDirectory(["a\u{1b}b"]) { directory in
            let path = Array("\(directory)/a\u{1b}b".utf8)
            try CardFile.write(Self.card("one"), to: path)
            #expect(try read("\(directory)/a\u{1b}b") == Self.card("one"))
            // Who has the old one open still sees it whole.
            let old = Descriptor(
                owning: try retrying("open") { unsafe open("\(directory)/a\u{1b}b", O_RDONLY) })
            let before = inode("\(directory)/a\u{1b}b")
            try CardFile.write(String(repeating: "x", count: 1 << 20), to: path)
            #expect(inode("\(directory)/a\u{1b}b") != before)
            #expect(String(decoding: readAll(old.number), as: UTF8.self) == Self.card("one"))
            #expect(try read("\(directory)/a\u{1b}b").count == 1 << 20)
        }
    }

    @Test func followsALink() throws {
        try inDirectory(["link", "file"]) { directory in
            try CardFile.write(Self.card("one"), to: Array("\(directory)/file".utf8))
            try #require(unsafe symlink("file", "\(directory)/link") == 0)
            try CardFile.write("two", to: Array("\(directory)/link".utf8))
            #expect(try read("\(directory)/file") == "two")
            var status = stat()
            #expect(unsafe lstat("\(directory)/link", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    @Test func leavesALinkThatLeadsNowhere() throws {
        try inDirectory(["link"]) { directory in
            let path = "\(directory)/link"
            try #require(unsafe symlink("absent", path) == 0)
            let expected = ClientError.notWritten(
                Array(path.utf8), "\(path) is a link that leads nowhere")
            #expect(throws: expected) { try CardFile.write("card", to: Array(path.utf8)) }
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    @Test(arguments: ["\u{89}PNG", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "text"])
    func leavesAlone(what text: String) throws {
        try inDirectory(["a.png"]) { directory in
            let path = "\(directory)/a.png"
            let file = Descriptor(
                owning: try retrying("open") { unsafe open(path, O_WRONLY | O_CREAT, 0o600) })
            unsafe _ = write(file.number, text, text.utf8.count)
            #expect(
                throws: ClientError.notWritten(
                    Array(path.utf8), "\(path) is there already, and is no card")
            ) {
                try CardFile.write("card", to: Array(path.utf8))
            }
            #expect(try read(path) == text)
        }
    }

    @Test func writesToAPipe() throws {
        try inDirectory(["fifo"]) { directory in
            let path = "\(directory)/fifo"
            try #require(unsafe mkfifo(path, 0o600) == 0)
            let reader = Descriptor(
                owning: try retrying("open") { unsafe open(path, O_RDONLY | O_NONBLOCK) })
            try CardFile.write("card", to: Array(path.utf8))
            #expect(String(decoding: readAll(reader.number), as: UTF8.self) == "card")
        }
    }

    @Test func namesTheFileThatCannotBeWritten() throws {
        try inDirectory([]) { directory in
            for path in ["\(directory)/no/card.svg", directory, "\(directory)/card.svg/"] {
                do throws(ClientError) {
                    try CardFile.write("card", to: Array(path.utf8))
                    Issue.record("\(path) was written")
                } catch {
                    // And not the one beside it that would have been renamed.
                    let reason = error.description.split(separator: ": ").dropFirst()
                    #expect(error.description.hasPrefix("\(path): "), "\(error)")
                    #expect(reason.count == 1 && !reason.joined().contains("/"), "\(error)")
                }
            }
        }
    }
}
