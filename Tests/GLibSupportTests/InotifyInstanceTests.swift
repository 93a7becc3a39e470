import Glibc
import Testing

@testable import GLibSupport

@Suite struct InotifyInstanceTests {
    @Test func watchesAreListedAndTakenOut() throws {
        let instance = try InotifyInstance.create()
        #expect(InotifyInstance.watches(in: instance.number) == [])
        #expect(InotifyInstance.clear(instance.number))
        let placed = ["/", "/tmp", "/usr"].map { (path: String) in
            unsafe inotify_add_watch(instance.number, path, UInt32(IN_CREATE))
        }
        #expect(Set(try #require(InotifyInstance.watches(in: instance.number))) == Set(placed))
        #expect(!InotifyInstance.clear(instance.number))
        #expect(InotifyInstance.watches(in: instance.number) == [])
    }

    @Test func numbersAreHexadecimal() {
        let text = """
            pos:\t0
            flags:\t02004000
            inotify wd:1a ino:2 sdev:fd00000 mask:100 ignored_mask:0
            inotify wd:3 ino:1000001a sdev:2 mask:800afce ignored_mask:0
            """
        #expect(InotifyInstance.watches(listedIn: Array(text.utf8)) == [0x1a, 3])
        #expect(InotifyInstance.watches(listedIn: []) == [])
        #expect(InotifyInstance.watches(listedIn: Array("inotify wd:".utf8)) == [])
    }

    @Test func readingNeverWaits() throws {
        let instance = try InotifyInstance.create()
        var byte: UInt8 = 0
        #expect(unsafe read(instance.number, &byte, 1) == -1)
        #expect(errno == EAGAIN)
        #expect(fcntl(instance.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
