import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct WatchedPlacesTests {
    private let places = WatchedPlaces([
        WatchPlace(watch: 1, name: Array("tmp".utf8)),
        WatchPlace(watch: 1, name: Array("srv".utf8)),
        WatchPlace(watch: 2, name: Array("a.png".utf8)), WatchPlace(watch: 3, name: []),
    ])

    private func event(_ watch: Int32, _ name: String, _ mask: Int32 = IN_CREATE) -> InotifyEvent {
        InotifyEvent(watch: watch, mask: UInt32(mask), name: Array(name.utf8))
    }

    @Test func namesOfThePathMatterInTheirDirectoryAlone() {
        #expect(places.concerns(event(1, "tmp")))
        #expect(places.concerns(event(1, "srv")))
        #expect(places.concerns(event(2, "a.png")))
        #expect(!places.concerns(event(2, "tmp")))
        #expect(!places.concerns(event(1, "a.png")))
        #expect(!places.concerns(event(1, "tm")))
        #expect(!places.concerns(event(1, "tmpx")))
    }

    @Test func whatIsWatchedItselfMatters() {
        #expect(places.concerns(event(3, "", IN_MODIFY)))
        #expect(places.concerns(event(1, "", IN_DELETE_SELF)))
        #expect(places.concerns(event(2, "", Int32(IN_IGNORED))))
    }

    @Test func watchesThatAreNoMoreDoNotMatter() {
        #expect(!places.concerns(event(4, "tmp")))
        #expect(!places.concerns(event(4, "", Int32(IN_IGNORED))))
        #expect(!WatchedPlaces().concerns(event(1, "tmp")))
    }

    @Test func lostEventsMatter() {
        #expect(places.concerns(event(-1, "", IN_Q_OVERFLOW)))
        #expect(WatchedPlaces().concerns(event(-1, "", IN_Q_OVERFLOW)))
    }

    @Test func eachWatchCountsOnce() {
        #expect(places.watches == [1, 2, 3])
    }
}
