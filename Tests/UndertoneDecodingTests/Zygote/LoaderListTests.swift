import GLibSupport
import Testing

@testable import UndertoneDecoding

@Suite struct LoaderListTests {
    /// Debian writes the list with a head that says what it is.
    @Test func isFoundWhereThisMachineHasIt() throws {
        let path = String(decoding: try #require(LoaderList.path()), as: UTF8.self)
        #expect(
            try contents(of: path).hasPrefix("# GdkPixbuf Image Loader Modules file"), "\(path)")
    }
}
