import CLinux
import GLibSupport
import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

/// Watches that a child of the real program places in an instance of this process.
@Suite struct WatchPlacingTests {
    let directory: TemporaryDirectory
    let zygote: ZygoteProcess
    let instance: SharedDescriptor

    init() throws {
        directory = try TemporaryDirectory()
        zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        instance = try InotifyInstance.create()
    }

    /// The names that are looked out for, in the order of the walk, and the files.
    private func place(_ paths: String...) throws -> (names: [String], files: [FileIdentity?]) {
        InotifyInstance.clear(instance.number)
        guard case .placed(let files, let places) = try zygote.watch(paths, in: instance) else {
            throw SystemError(EPROTO, "the watches are not placed")
        }
        let listed = try #require(InotifyInstance.watches(in: instance.number))
        #expect(Set(places.map(\.watch)) == Set(listed))
        return (places.map { String(decoding: $0.name, as: UTF8.self) }, files)
    }

    private func failure(_ paths: String...) throws -> RequestError? {
        guard case .failure(let error) = try zygote.watch(paths, in: instance) else { return nil }
        return error
    }

    /// The name of the test's directory.
    private var name: String { String(directory.path.dropFirst("/tmp/".count)) }

    /// Whether anything has happened since this was asked last.
    private func hasEvents() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        return unsafe read(instance.number, &buffer, buffer.count) > 0
    }

    @Test func watchesTheNamesOfThePathAndTheFile() throws {
        let path = try directory.write([1, 2, 3], as: "a.png")
        let (names, files) = try place(path)
        #expect(names == ["tmp", name, "a.png", ""])
        let file = try #require(files[0])
        #expect(file.size == 3)
        var status = stat()
        unsafe try #require(stat(path, &status) == 0)
        #expect(file.inode == UInt64(status.st_ino))
    }

    @Test func watchesLinksAndWhatTheyLeadTo() throws {
        _ = try directory.write([1], as: "a.png")
        let link = directory.place("link")
        unsafe try #require(symlink("a.png", link) == 0)
        #expect(try place(link).names == ["tmp", name, "link", "a.png", ""])
    }

    @Test func watchesWhatIsThereWhereTheFileIsNot() throws {
        let (names, files) = try place("\(directory.path)/missing/a.png")
        #expect(names == ["tmp", name, "missing"])
        #expect(files == [nil])
        // A directory is no file; nothing but its name is watched.
        #expect(try place(directory.path).files == [nil])
        #expect(try place("\(directory.path)/\(String(repeating: "x", count: 300))").files == [nil])
    }

    @Test func watchesTwoPathsAtOnce() throws {
        let one = try directory.write([1], as: "a.png")
        let other = try directory.write([1, 2], as: "b.png")
        let (names, files) = try place(one, other)
        #expect(names == ["tmp", name, "a.png", "", "b.png", ""])
        #expect(files.map { $0?.size } == [1, 2])
        // One path twice is one set of watches.
        let (again, same) = try place(one, one)
        #expect(again == ["tmp", name, "a.png", ""])
        #expect(same[0] == same[1])
    }

    @Test func theWatchesTellOfEveryKindOfChange() throws {
        let path = try directory.write([1], as: "a.png")
        let other = try directory.write([2], as: "b.png")
        let link = directory.place("hard")
        unsafe try #require(Glibc.link(path, link) == 0)
        _ = try place(path)
        _ = hasEvents()
        #expect(!hasEvents())
        func write(_ path: String) {
            let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
            _ = unsafe Glibc.write(file, "x", 1)
            close(file)
        }
        write(path)
        #expect(hasEvents())
        // By its other name, too.
        write(link)
        #expect(hasEvents())
        unsafe _ = chmod(path, 0o644)
        #expect(hasEvents())
        unsafe _ = rename(other, path)
        #expect(hasEvents())
    }

    @Test(arguments: ["/proc/self/status", "/proc/sys/kernel"])
    func fileSystemsWithoutEventsAreSaid(_ path: String) throws {
        let error = try #require(try failure(path))
        #expect(error.code == .watchUnsupported)
        #expect(error.message.contains("proc"))
        #expect(InotifyInstance.watches(in: instance.number) == [])
    }

    @Test func aFailureOfOnePathTakesTheOthersWatchesBack() throws {
        let path = try directory.write([1], as: "a.png")
        #expect(try failure(path, "/proc/version")?.code == .watchUnsupported)
        #expect(InotifyInstance.watches(in: instance.number) == [])
    }

    @Test func moreDirectoriesThanAreWatchedAreRefused() throws {
        var path = directory.path
        var made: [String] = []
        defer { for path in made.reversed() { unsafe _ = rmdir(path) } }
        for _ in 0...Limits.watchPlaces {
            path += "/d"
            unsafe try #require(mkdir(path, 0o700) == 0)
            made.append(path)
        }
        let error = try #require(try failure(path + "/a.png"))
        #expect(error.code == .watchUnsupported)
        #expect(InotifyInstance.watches(in: instance.number) == [])
    }

    @Test func aWayThroughManyLinksIsWatched() throws {
        // Through the same directories again is no longer way; through other names it is.
        let around = String(repeating: "/tmp/..", count: 300)
        #expect(try place(around + "/tmp").names == ["tmp"])
        var names: [String] = []
        for index in 0...Limits.watchPlaces { names.append("x\(index)") }
        for (one, next) in zip(names, names.dropFirst()).prefix(PathWalk.links) {
            unsafe try #require(symlink(next, directory.place(one)) == 0)
        }
        #expect(try place("\(directory.path)/x0").names.count == 2 + PathWalk.links + 1)
    }

    @Test func aLookTellsTheFileAndPlacesNothing() throws {
        let path = try directory.write([1, 2, 3], as: "a.png")
        let link = directory.place("link")
        unsafe try #require(symlink("a.png", link) == 0)
        let expected = try place(path).files[0]
        try #require(expected != nil)
        #expect(
            try zygote.watch([path, link], in: nil)
                == .placed(files: [expected, expected], places: []))
        #expect(
            try zygote.watch([directory.path, "\(directory.path)/missing/a.png"], in: nil)
                == .placed(files: [nil, nil], places: []))
        // Where watches are of no use, too.
        let other = try #require(try? OpenedPicture.open(Array("/proc/version".utf8)).identity)
        #expect(try zygote.watch(["/proc/version"], in: nil) == .placed(files: [other], places: []))
    }

    @Test func aLookWithAnInstanceEndsTheZygote() throws {
        let job = WatchJob(paths: [Array("/a".utf8)], placesWatches: false)
        try zygote.send(job.encoded(slot: 1), [instance.number])
        #expect(try zygote.exitCode() == 1)
    }

    @Test func aJobWithoutItsInstanceEndsTheZygote() throws {
        try zygote.send(WatchJob(paths: [Array("/a".utf8)]).encoded(slot: 1))
        #expect(try zygote.exitCode() == 1)
        #expect(zygote.readDiagnostics().contains("another version"))
    }

    @Test func aPicturesJobWithADescriptorEndsTheZygote() throws {
        try zygote.send(
            DecodeJob(path: Array("/a".utf8)).encoded(slot: 1), [instance.number])
        #expect(try zygote.exitCode() == 1)
    }
}
