import GLibSupport
import Glibc
import Testing

@Suite struct SocketLocationTests {
    private static func surroundings(
        option: String? = nil, variable: String? = nil, runtime: String? = nil,
        privateDirectory: String? = nil
    ) -> SocketLocation.Surroundings {
        SocketLocation.Surroundings(
            option: option.map { Array($0.utf8) }, variable: variable.map { Array($0.utf8) },
            runtimeDirectory: runtime.map { Array($0.utf8) }, user: 1234,
            isPrivateDirectory: { $0 == privateDirectory.map { Array($0.utf8) } })
    }

    @Test func theOptionComesFirstThenTheVariableThenTheRuntimeDirectory() throws {
        var all = Self.surroundings(option: "/o", variable: "/v", runtime: "/r")
        #expect(try SocketLocation.path(all) == Array("/o".utf8))
        all.option = nil
        #expect(try SocketLocation.path(all) == Array("/v".utf8))
        all.variable = nil
        #expect(try SocketLocation.path(all) == Array("/r/undertone/undertone.sock".utf8))
    }

    @Test func withoutARuntimeDirectoryOnlyAPrivateOneOfTheUserWillDo() throws {
        let good = Self.surroundings(privateDirectory: "/run/user/1234")
        #expect(
            try SocketLocation.path(good)
                == Array("/run/user/1234/undertone/undertone.sock".utf8))
        #expect(throws: SocketLocation.Failure.noRuntimeDirectory) {
            try SocketLocation.path(Self.surroundings(privateDirectory: "/run/user/1"))
        }
    }

    @Test func thePathEndsAt107Bytes() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try SocketLocation.path(Self.surroundings(option: longest)).count == 107)
        let tooLong = longest + "x"
        #expect(throws: SocketLocation.Failure.tooLong(Array(tooLong.utf8))) {
            try SocketLocation.path(Self.surroundings(option: tooLong))
        }
        let runtime = "/" + String(repeating: "x", count: 85)
        #expect(throws: SocketLocation.Failure.self) {
            try SocketLocation.path(Self.surroundings(runtime: runtime))
        }
    }

    @Test func relativePathsAreRefused() {
        #expect(throws: SocketLocation.Failure.relative(Array("run/a".utf8))) {
            try SocketLocation.path(Self.surroundings(variable: "run/a"))
        }
    }

    @Test func aPrivateDirectoryIsOursAndClosedAndNoLink() throws {
        var template = Array("/tmp/undertone-test-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template)
        try #require(unsafe made != nil)
        let directory = template.dropLast().map { UInt8(bitPattern: $0) }
        defer { unsafe rmdir(template) }
        #expect(SocketLocation.isPrivateDirectory(directory))
        unsafe chmod(template, 0o755)
        #expect(!SocketLocation.isPrivateDirectory(directory))
        unsafe chmod(template, 0o700)
        let link = directory + Array(".link".utf8)
        let linkPath = link.map { CChar(bitPattern: $0) } + [0]
        unsafe symlink(template, linkPath)
        defer { unsafe unlink(linkPath) }
        #expect(!SocketLocation.isPrivateDirectory(link))
        #expect(!SocketLocation.isPrivateDirectory(directory + Array("/missing".utf8)))
    }

    @Test func messagesNameTheWayOut() {
        #expect("\(SocketLocation.Failure.noRuntimeDirectory)".contains("--socket"))
        #expect("\(SocketLocation.Failure.tooLong([]))".contains("107"))
    }
}
