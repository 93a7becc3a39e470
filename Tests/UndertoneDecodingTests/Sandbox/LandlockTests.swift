import GLibSupport
import Glibc
import Testing

@testable import UndertoneDecoding

@Suite struct LandlockTests {
    /// The masks of the kernel's own documentation of each ABI (Documentation/userspace-api).
    @Test(arguments: [
        (Int32(0), UInt64(0), UInt64(0), UInt64(0)), (1, 0x1fff, 0, 0), (2, 0x3fff, 0, 0),
        (3, 0x7fff, 0, 0), (4, 0x7fff, 3, 0), (5, 0xffff, 3, 0), (6, 0xffff, 3, 3),
        (7, 0xffff, 3, 3),
    ])
    func handlesEveryRightThatAKernelKnows(
        _ abi: Int32, _ files: UInt64, _ network: UInt64, _ scopes: UInt64
    ) {
        #expect(LandlockRight.mask(of: .files, abi: abi) == files)
        #expect(LandlockRight.mask(of: .network, abi: abi) == network)
        #expect(LandlockRight.mask(of: .scope, abi: abi) == scopes)
    }

    @Test func grantsNothingBelowAHomeDirectory() {
        for folder in LandlockRuleset.fontFolders {
            #expect(["/usr/", "/etc/", "/var/"].contains { folder.hasPrefix($0) })
        }
    }

    @Test func makesARulesetForEveryABIUpToTheKernels() throws {
        let abi = LandlockRuleset.kernelABI()
        try #require(abi > 0, "this kernel has no Landlock: nothing is tested")
        for abi in 1...abi {
            let ruleset = try LandlockRuleset.make(abi: abi, readable: ["/usr/share", "/nowhere"])
            #expect(fcntl(ruleset.number, F_GETFD) & FD_CLOEXEC != 0)
        }
    }
}
