import Glibc
import Testing

@testable import GLibSupport

@Suite struct DirectoryChangesTests {
    @Test func everyChangeIsNoticedAndForgotten() throws {
        var template = Array("/tmp/undertone-test-XXXXXX".utf8CString)
        unsafe try #require(mkdtemp(&template) != nil)
        let directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        defer { unsafe rmdir(directory) }
        let changes = try DirectoryChanges(in: Array(directory.utf8), from: 100)
        #expect(changes.number >= 100)
        #expect(!isReadable(changes))
        let (old, new) = (directory + "/old", directory + "/new")
        close(unsafe open(old, O_WRONLY | O_CREAT, 0o600))
        #expect(isReadable(changes))
        changes.forget()
        #expect(!isReadable(changes))
        close(unsafe open(old, O_RDONLY))
        #expect(!isReadable(changes), "to read is no change")
        #expect(unsafe rename(old, new) == 0)
        #expect(isReadable(changes))
        changes.forget()
        #expect(unsafe unlink(new) == 0)
        #expect(isReadable(changes))
    }

    @Test func aMissingDirectoryIsAnError() {
        #expect(throws: SystemError(ENOENT, "watching a directory")) {
            try DirectoryChanges(in: Array("/nonexistent".utf8))
        }
    }

    @Test(arguments: [
        ("/a/b/c", "/a/b"), ("/a", "/"), ("a/b", "a"), ("a", "."),
    ])
    func theDirectoryIsWhatComesBeforeTheLastSlash(path: String, directory: String) {
        #expect(DirectoryChanges.directory(of: Array(path.utf8)) == Array(directory.utf8))
    }

    private func isReadable(_ changes: DirectoryChanges) -> Bool {
        var ready = pollfd(fd: changes.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 0) == 1
    }
}
