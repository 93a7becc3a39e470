import GLibSupport
import Glibc
import Testing

@testable import UndertoneServer

@Suite struct InotifyEventTests {
    @Test func takesTheKernelsRecordsApart() throws {
        var template = Array("/tmp/undertone-test-XXXXXX".utf8CString)
        unsafe try #require(mkdtemp(&template) != nil)
        let directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        defer { unsafe rmdir(directory) }
        let instance = try InotifyInstance.create()
        let watch = unsafe inotify_add_watch(
            instance.number, directory, UInt32(IN_CREATE | IN_DELETE | IN_DELETE_SELF))
        let names = ["a", "a-name-of-sixteen", String(repeating: "x", count: 255), "\u{fc}\n"]
        for name in names {
            unsafe close(open("\(directory)/\(name)", O_CREAT | O_WRONLY, 0o600))
            unsafe unlink("\(directory)/\(name)")
        }
        unsafe rmdir(directory)
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe read(instance.number, &bytes, bytes.count)
        let events = InotifyEvent.all(in: bytes.prefix(count))
        var expected: [InotifyEvent] = []
        for name in names {
            for mask in [IN_CREATE, IN_DELETE] {
                expected.append(
                    InotifyEvent(watch: watch, mask: UInt32(mask), name: Array(name.utf8)))
            }
        }
        expected += [
            InotifyEvent(watch: watch, mask: UInt32(IN_DELETE_SELF), name: []),
            InotifyEvent(watch: watch, mask: UInt32(IN_IGNORED), name: []),
        ]
        #expect(events == expected)
        #expect(InotifyEvent.all(in: bytes.prefix(count - 1)) == expected.dropLast())
    }

    @Test func endsAtARecordThatIsCut() {
        #expect(InotifyEvent.all(in: []) == [])
        #expect(InotifyEvent.all(in: [1, 2, 3][...]) == [])
        // A name longer than what is there.
        let header: [UInt8] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]
        #expect(InotifyEvent.all(in: header[...]) == [])
    }
}
