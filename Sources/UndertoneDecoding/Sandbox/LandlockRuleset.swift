import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// Landlock's part of the sandbox: every right that the kernel knows is taken away, and none is
/// given back but reading the system's fonts where SVG needs them.
enum LandlockRuleset {
    /// The newest ABI whose rights are all known here.
    static let newestABI: Int32 = 7

    /// The folders whose fonts and font configuration may be read in the wide profile; nothing
    /// below a home directory.
    static let fontFolders = [
        "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig",
        "/var/cache/fontconfig",
    ]

    /// The ABI of this kernel as far as it is used here, 0 where it has no Landlock.
    static func kernelABI() -> Int32 {
        max(0, min(clinux_landlock_abi(), newestABI))
    }

    /// Puts the ruleset of a profile where children expect it, or `/dev/null` if there can be none,
    /// which no child can enter.
    static func place(for profile: DecoderProfile) throws(SystemError) {
        let made = try? make(readable: profile == .wide ? fontFolders : []).release()
        let ruleset =
            if let made { made } else { try retrying("dup") { dup(ChildDescriptors.picture) } }
        if ruleset == ChildDescriptors.ruleset { return }
        _ = try retrying("dup") { dup2(ruleset, ChildDescriptors.ruleset) }
        close(ruleset)
    }

    /// Makes a ruleset in the zygote; children enter it.
    ///
    /// - Parameter readable: Folders that stay readable, with all beneath; a missing one is left
    ///   out.
    static func make(
        abi: Int32 = kernelABI(), readable: [String] = []
    ) throws(SystemError) -> Descriptor {
        var handled = clinux_landlock(
            files: LandlockRight.mask(of: .files, abi: abi),
            network: LandlockRight.mask(of: .network, abi: abi),
            scopes: LandlockRight.mask(of: .scope, abi: abi))
        let ruleset = try checking("landlock_create_ruleset") {
            unsafe clinux_landlock_create(&handled)
        }
        let owner = Descriptor(owning: ruleset)
        for folder in readable {
            let number = unsafe open(folder, CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { continue }
            let place = Descriptor(owning: number)
            let rights = LandlockRight.readFile.bit | LandlockRight.readDirectory.bit
            _ = try checking("landlock_add_rule") {
                clinux_landlock_allow(ruleset, place.number, rights)
            }
        }
        return owner
    }

    /// Puts a ruleset in force for this thread and those that it starts, for good; the process
    /// must have given up new privileges before.
    static func enter(_ descriptor: Int32) throws(SystemError) {
        _ = try checking("landlock_restrict_self") { clinux_landlock_restrict(descriptor) }
    }
}
