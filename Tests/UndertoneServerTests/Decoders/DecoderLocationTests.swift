import GLibSupport
import Glibc
import Testing

@testable import UndertoneServer

@Suite struct DecoderLocationTests {
    private static func path(option: String? = nil, own: String?) -> String? {
        DecoderLocation.path(
            option: option.map { Array($0.utf8) }, ownProgram: own.map { Array($0.utf8) }
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theOptionComesFirst() {
        #expect(Self.path(option: "/bin/true", own: "/usr/bin/undertoned") == "/bin/true")
    }

    @Test func anOptionThatIsNoProgramIsNotReplacedByAnotherOne() throws {
        let own = try #require(
            DecoderLocation.ownProgram().map { String(decoding: $0, as: UTF8.self) })
        #expect(Self.path(own: own) != nil)
        #expect(Self.path(option: "/nowhere", own: own) == nil)
        #expect(Self.path(option: "/etc/passwd", own: own) == nil)
    }

    @Test func theNeighbourComesBeforeThePackagesPlace() throws {
        let root = try TestDaemon.makeDirectory()
        let places = ["/bin", "/libexec", "/libexec/undertone"]
        for place in places { unsafe mkdir(root + place, 0o700) }
        defer {
            for place in places.reversed() {
                unsafe unlink(root + place + "/undertone-decoder")
                unsafe rmdir(root + place)
            }
            unsafe rmdir(root)
        }
        let own = root + "/bin/undertoned"
        #expect(Self.path(own: own) == nil)
        try TestDaemon.write("", to: root + "/libexec/undertone/undertone-decoder")
        unsafe chmod(root + "/libexec/undertone/undertone-decoder", 0o700)
        #expect(Self.path(own: own) == root + "/bin/../libexec/undertone/undertone-decoder")
        try TestDaemon.write("", to: root + "/bin/undertone-decoder")
        unsafe chmod(root + "/bin/undertone-decoder", 0o700)
        #expect(Self.path(own: own) == root + "/bin/undertone-decoder")
    }

    @Test func withoutAnOwnProgramThereIsNone() {
        #expect(Self.path(own: nil) == nil)
    }

    @Test func theOwnProgramIsThisOne() throws {
        let own = try #require(DecoderLocation.ownProgram())
        #expect(String(decoding: own, as: UTF8.self).hasPrefix(TestProcess.buildDirectory))
    }
}
